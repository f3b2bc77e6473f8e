/** Rides along to /login and /signup: the place to return to. */
export interface LoginState {
  from?: string
}

/** Only ever a path of ours: history state survives reloads and may have been written by another version of the app. */
export function placeBefore(state: unknown): string {
  const from = typeof state === 'object' && state !== null ? (state as LoginState).from : undefined
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : '/'
}
