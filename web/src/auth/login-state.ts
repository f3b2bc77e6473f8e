/** Rides along to /login and /signup: the place to return to. */
export interface LoginState {
  from?: string
  /** The code of the invitation link that somebody came by. */
  invitation?: string
}

/** Only ever a path of ours: history state survives reloads and may have been written by another version of the app. */
export function placeBefore(state: unknown): string {
  const from = typeof state === 'object' && state !== null ? (state as LoginState).from : undefined
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : '/'
}

/** Undefined where there is none. */
export function invitationOf(state: unknown): string | undefined {
  const code = typeof state === 'object' && state !== null ? (state as LoginState).invitation : undefined
  return typeof code === 'string' && code !== '' ? code : undefined
}
