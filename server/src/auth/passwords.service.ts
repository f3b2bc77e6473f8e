import { authTexts, type Notice, type SignInMethods } from '@hither/contract/auth.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { queueMail } from '../notifications/deliveries.service.ts'
import { retryConflicts } from '../platform/conflicts.ts'
import { Refusal } from '../platform/refusal.ts'
import { emptyAccount } from '../users/account-erasure.service.ts'
import { confirmEmail, replacePassword } from '../users/users.service.ts'
import { findAccount, findAccountByEmail } from './auth.queries.ts'
import { type AuthDeps } from './auth.service.ts'
import { assertUncommonPassword } from './common-passwords.ts'
import { findIdentity, hasIdentity } from './identities.queries.ts'
import { eraseKnownDevices } from './known-devices.service.ts'
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

/**
 * The holder of the mail's token owns the address, which is thereby confirmed. Ends every session and every other link. An
 * account whose address was never confirmed is emptied first, since somebody else may have made it.
 */
export async function resetPassword(deps: AuthDeps, input: { token: string; password: string }): Promise<void> {
  const { pool, changes, now, canSendMail } = deps
  if (!canSendMail) throw new Refusal('mail_not_configured')
  await assertUncommonPassword(input.password, 'password')
  const passwordHash = await hashPassword(input.password)
  await retryConflicts(() =>
    changes.commit(pool, async (db, announce) => {
      const found = await takeMailToken(db, 'reset', hashOf(input.token), now())
      const account = found?.user_id ? await findAccount(db, found.user_id) : undefined
      if (!account) throw new Refusal('reset_invalid')
      if (account.email_confirmed_at === null) await emptyAccount(db, announce, account.id, now())
      await replacePassword(db, account.id, { from: account.password_hash, to: passwordHash, now: now() })
      await confirmEmail(db, account.id, now())
      await deleteMailTokensOf(db, account.id)
      await eraseKnownDevices(db, account.id)
      await endSessions(db, announce, account.id, null, now())
    }),
  )
}

interface PasswordChange {
  readonly current_password?: string
  readonly new_password: string
  readonly id_token?: string
  readonly nonce?: string
}

/**
 * Needs the current password, or a fresh identity token where there is none. Ends all other sessions and every mailed link.
 */
export async function changePassword(
  deps: AuthDeps,
  { userId, sessionId }: Caller,
  { current_password: password, new_password: next, ...identity }: PasswordChange,
): Promise<void> {
  const { pool, changes, now } = deps
  const before = await assertOwner(deps, userId, { password, ...identity })
  await assertUncommonPassword(next, 'new_password')
  const passwordHash = await hashPassword(next)
  await changes.commit(pool, async (db, announce) => {
    // Of two changes at once from one password, the second no longer knows the current one.
    const isReplaced = await replacePassword(db, userId, { from: before, to: passwordHash, now: now() })
    if (!isReplaced) throw new Refusal('wrong_password')
    await deleteMailTokensOf(db, userId)
    await endSessions(db, announce, userId, sessionId, now())
  })
}

/** Proves that the caller owns the account, and does not only hold a signed-in device. */
export interface OwnerProof {
  readonly password?: string | undefined
  readonly id_token?: string
  readonly nonce?: string
}

/**
 * Answers with the hash that the password was compared with. An account without one takes an identity token of its own,
 * which is at most ten minutes old. Refuses with `wrong_password` or `identity_required`.
 */
export async function assertOwner(
  { pool, identityTokens }: Pick<AuthDeps, 'pool' | 'identityTokens'>,
  userId: UserId,
  { password, id_token: idToken, nonce }: OwnerProof,
): Promise<string | null> {
  const account = await findAccount(pool, userId)
  if (!account) throw new Refusal('authentication_required')
  const hash = account.password_hash
  if (hash !== null) {
    if (!(await isPassword(password ?? '', hash))) throw new Refusal('wrong_password')
    return hash
  }
  if (!identityTokens || idToken === undefined) throw new Refusal('identity_required')
  const { issuer, subject } = await identityTokens.verify(idToken, nonce)
  if ((await findIdentity(pool, issuer, subject)) !== userId) throw new Refusal('identity_required')
  return null
}

export async function getSignInMethods({ pool }: AuthDeps, userId: UserId): Promise<SignInMethods> {
  const account = await findAccount(pool, userId)
  if (!account) throw new Refusal('authentication_required')
  return { password: account.password_hash !== null, google: await hasIdentity(pool, userId) }
}
