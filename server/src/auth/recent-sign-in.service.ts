import { changePassword, ownPasswordLimit } from '@hither/contract/auth/auth.ts'
import { authLimits } from '@hither/contract/runtime/auth/auth.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { AuthDeps } from './auth.service.ts'
import { isPassword } from './password-hashing/passwords.ts'
import { findSignIn } from './sign-in-methods.queries.ts'

/** A sign-in at or after this time is a recent one. */
export function recentSince(now: Date): Date {
  return new Date(now.getTime() - authLimits.recentSignInMinutes * 60_000)
}

/**
 * Checks that the caller's session was opened a short time ago and has not ended, or that the call contains their password: a
 * change to how an account can be entered needs more than a device that somebody left unlocked. `lockCaller` checks again that the
 * session has not ended, in the transaction that makes the change.
 */
export async function assertRecentSignIn(
  { pool, rateLimits, now }: Pick<AuthDeps, 'pool' | 'rateLimits' | 'now'>,
  { userId, sessionId }: Caller,
  password: string | undefined,
): Promise<void> {
  const signIn = await findSignIn(pool, userId, sessionId, now())
  if (!signIn) throw new Refusal('authentication_required')
  if (Date.parse(signIn.created_at) > recentSince(now()).getTime()) return
  if (password === undefined || signIn.password_hash === null) throw new Refusal('recent_sign_in_required')
  // The bucket of `changePassword`, so that both together allow no more guesses than one.
  const bucket = `${changePassword.address} person ${userId}`
  const wait = await rateLimits.take(bucket, ownPasswordLimit)
  if (wait !== null) throw new Refusal('rate_limited', wait)
  if (!(await isPassword(password, signIn.password_hash))) throw new Refusal('wrong_password')
}
