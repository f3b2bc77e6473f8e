import { useLocation } from 'react-router'
import { indexInHistory } from '../ui/navigate.ts'
import { readFriendCode } from './friend-code.ts'

/** The navigation state of /login and /signup: the path to return to. */
export interface LoginState {
  from?: string
  /** The index in the history to which the sign-in goes back, so that its pages are not behind the page that it opens. */
  start?: number
  /** The code of the invitation link that the visitor opened. */
  invitation?: string
  /** The creator of the friend link that the visitor opened. Its code is not here: see `friend-code.ts`. */
  inviter?: string
}

/**
 * Returns only paths of this app, because history state survives reloads and may come from another version of the app.
 */
export function returnPath(state: unknown): string {
  const from = typeof state === 'object' && state !== null ? (state as LoginState).from : undefined
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : '/'
}

/** Returns the path to open after the sign-in. The sign-up may have used the friend link, and Home shows the result. */
export function pathAfterSignIn(state: unknown): string {
  const path = returnPath(state)
  return path === '/add' && readFriendCode() === null ? '/' : path
}

/** The state for a link to another page for visitors. The first page of a sign-in is its start. */
export function useLoginState(added: LoginState = {}): LoginState {
  const state = useLocation().state as LoginState | null
  return { start: indexInHistory(), ...state, ...added }
}

/** Returns how many pages the sign-in has opened on top of its start. */
export function stepsSinceStart(state: unknown): number {
  const start = typeof state === 'object' && state !== null ? (state as LoginState).start : undefined
  return typeof start === 'number' ? Math.max(0, indexInHistory() - start) : 0
}

/** Returns undefined if there is no invitation. */
export function invitationOf(state: unknown): string | undefined {
  return textOf(state, 'invitation')
}

/** Returns undefined if the visitor opened no friend link. */
export function inviterOf(state: unknown): string | undefined {
  return textOf(state, 'inviter')
}

function textOf(state: unknown, name: keyof LoginState): string | undefined {
  const text = typeof state === 'object' && state !== null ? (state as LoginState)[name] : undefined
  return typeof text === 'string' && text !== '' ? text : undefined
}
