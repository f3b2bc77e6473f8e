import { authTexts, type Notice, type SignInMethods } from '@hither/contract/auth.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { queueMail } from '../notifications/deliveries.service.ts'
import { retryConflicts } from '../platform/conflicts.ts'
import { type Pool } from '../platform/database.ts'
import { Refusal } from '../platform/refusal.ts'
import { confirmEmail, replacePassword } from '../users/users.service.ts'
import { findAccount, findAccountByEmail } from './auth.queries.ts'
import { type AuthDeps } from './auth.service.ts'
import { hasIdentity } from './identities.queries.ts'
import { deleteMailTokensOf, takeMailToken } from './mail-tokens.queries.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { hashOf } from './secret-tokens.ts'
import { endSessions } from './sessions.service.ts'
import { type Caller } from './tokens.ts'

/** A row is written and a mail considered whether or not the address has an account. */
export async function forgetPassword(deps: AuthDeps, email: string): Promise<Notice> {
  const { pool, changes, now, canSendMail } = deps
  if (!canSendMail) throw new Refusal('mail_not_configured')
  await retryConflicts(() =>
    changes.commit(pool, async (db, announce) => {
      const account = await findAccountByEmail(db, email)
      await queueMail(db, announce, { template: 'reset', userId: account?.id ?? null, signupId: null }, now())
    }),
  )
  return { message: authTexts.resetSent }
}

/** The holder of the mail's token owns the address, which is thereby confirmed. Ends every session and every other link. */
export async function resetPassword(deps: AuthDeps, input: { token: string; password: string }): Promise<void> {
  const { pool, changes, now, canSendMail } = deps
  if (!canSendMail) throw new Refusal('mail_not_configured')
  const passwordHash = await hashPassword(input.password)
  await changes.commit(pool, async (db, announce) => {
    const found = await takeMailToken(db, 'reset', hashOf(input.token), now())
    const account = found?.user_id ? await findAccount(db, found.user_id) : undefined
    if (!account) throw new Refusal('reset_invalid')
    await replacePassword(db, account.id, { from: account.password_hash, to: passwordHash, now: now() })
    await confirmEmail(db, account.id, now())
    await deleteMailTokensOf(db, account.id)
    await endSessions(db, announce, account.id, null, now())
  })
}

/** Whoever signs in with an identity provider only may set a first one. Ends all other sessions and every mailed link. */
export async function changePassword(
  { pool, changes, now }: AuthDeps,
  { userId, sessionId }: Caller,
  input: { current_password?: string; new_password: string },
): Promise<void> {
  const before = await assertOwnPassword(pool, userId, input.current_password)
  const passwordHash = await hashPassword(input.new_password)
  await changes.commit(pool, async (db, announce) => {
    // Of two changes at once from one password, the second no longer knows the current one.
    const isReplaced = await replacePassword(db, userId, { from: before, to: passwordHash, now: now() })
    if (!isReplaced) throw new Refusal('wrong_password')
    await deleteMailTokensOf(db, userId)
    await endSessions(db, announce, userId, sessionId, now())
  })
}

/** Answers with the hash it was held against; an account without one takes anything, also nothing. */
export async function assertOwnPassword(
  pool: Pool,
  userId: UserId,
  password: string | undefined,
): Promise<string | null> {
  const account = await findAccount(pool, userId)
  if (!account) throw new Refusal('authentication_required')
  const hash = account.password_hash
  if (hash !== null && !(await isPassword(password ?? '', hash))) throw new Refusal('wrong_password')
  return hash
}

export async function getSignInMethods({ pool }: AuthDeps, userId: UserId): Promise<SignInMethods> {
  const account = await findAccount(pool, userId)
  if (!account) throw new Refusal('authentication_required')
  return { password: account.password_hash !== null, google: await hasIdentity(pool, userId) }
}
