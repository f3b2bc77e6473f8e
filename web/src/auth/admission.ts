import { readFriendCode } from '../session/friend-code.ts'
import { invitationOf, inviterOf } from '../session/login-state.ts'
import type { Admission } from '../session/session.ts'

/** What a new account is created with, for the navigation state of /login or /signup. */
export function admissionOf(state: unknown): Admission {
  const invitation = invitationOf(state)
  const code = inviterOf(state) === undefined ? null : readFriendCode()
  return { ...(invitation !== undefined && { invitation }), ...(code !== null && { friend_code: code }) }
}
