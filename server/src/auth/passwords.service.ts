import type { Notice } from '@hither/contract/auth/auth.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { authTexts } from '@hither/contract/runtime/auth/auth.ts'
import type { LanguageTag } from '@hither/contract/runtime/locales.ts'
import type { Announce } from '../events/changes.ts'
import { queueMail } from '../notifications/mail/deliveries.service.ts'
import { hashOf } from '../platform/crypto/secret-tokens.ts'
import { ConcurrentChangeError, retryConflicts } from '../platform/db/conflicts.ts'
import type { Tx } from '../platform/db/database.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import type { Caller } from '../platform/http/caller.ts'
import { type LockedTrips, lockTripsOf } from '../trips/session-endings.service.ts'
import { lockUser } from '../users/user-locks.ts'
import { confirmEmail, replacePassword } from '../users/users.service.ts'
import { type AccountRow, findAccount, findAccountByEmail } from './auth.queries.ts'
import type { AuthDeps } from './auth.service.ts'
import { deleteChallengesOf } from './challenges.queries.ts'
import { findIdentity } from './identities.queries.ts'
import { eraseKnownDevices } from './known-devices.service.ts'
import { deleteMailTokensOf, findMailToken, takeMailToken } from './mails/mail-tokens.queries.ts'
import { assertUncommonPassword } from './password-hashing/common-passwords.ts'
import { hashPassword, isPassword } from './password-hashing/passwords.ts'
import { recentSince } from './recent-sign-in.service.ts'
import { deleteCodesOf } from './recovery/recovery.queries.ts'
import { recordSecurityEvent } from './security-events/security-events.service.ts'
import { endSessions, lockCaller } from './sessions.service.ts'
import { findSignIn } from './sign-in-methods.queries.ts'
import { getSignInMethods } from './sign-in-methods.service.ts'
import { assertReachable } from './signups.service.ts'

/** Queues a mail with a link for a new password. Writes a row whether or not the address has an account. */
export async function forgetPassword(deps: AuthDeps, email: string, language: LanguageTag | null): Promise<Notice> {
  const { pool, changes, now, canSendMail } = deps
  if (!canSendMail) throw new Refusal('mail_not_configured')
  await assertReachable(deps, email)
  await retryConflicts(() =>
    changes.commit(pool, async (tx, announce) => {
      const account = await findAccountByEmail(tx, email)
      const mail = { template: 'reset', userId: account?.id ?? null, signupId: null, language } as const
      await queueMail(tx, announce, mail, now())
    }),
  )
  return { message: authTexts.resetSent }
}

/**
 * Ends what somebody who knew the former password may have prepared: links, recovery codes, started changes of sign-in methods,
 * and devices that may guess without delay. Returns how many unused recovery codes there were. The caller ends the sessions. Passkeys
 * and linked providers stay, and are shown.
 */
async function endPreparedEntries(tx: Tx, userId: UserId): Promise<number> {
  await deleteMailTokensOf(tx, userId)
  await deleteChallengesOf(tx, userId)
  await eraseKnownDevices(tx, userId)
  return deleteCodesOf(tx, userId)
}

/**
 * Sets a new password with the token of a mail, a reset link or a recovery code. Ends all sessions and everything that
 * was prepared. The holder of a mailed token owns the address, so the address becomes confirmed; an account whose address
 * was never confirmed is emptied first, since somebody else may have created it. Returns how many recovery codes it deleted.
 */
export async function resetPassword(
  deps: AuthDeps,
  input: { token: string; password: string },
  userAgent: string,
): Promise<number> {
  const { pool, changes, now, canSendMail } = deps
  await assertUncommonPassword(input.password, 'password')
  const passwordHash = await hashPassword(input.password)
  return retryConflicts(() =>
    changes.commit(pool, async (tx, announce, withCommit) => {
      const { account, trips, isMailed, isEmptied } = await takeResetToken(deps, tx, announce, hashOf(input.token))
      const at = now()
      await replacePassword(tx, account.id, { from: account.password_hash, to: passwordHash, now: at })
      if (isMailed) await confirmEmail(tx, account.id, at)
      const deletedCodes = await endPreparedEntries(tx, account.id)
      await endSessions(tx, announce, account.id, { exceptId: null, trips, now: at })
      // The new owner of an emptied account has done nothing to it before.
      if (isEmptied) return 0
      recordSecurityEvent(
        { tx, announce, withCommit, canSendMail },
        { userId: account.id, kind: 'password_reset', sessionId: null, userAgent, at },
      )
      return deletedCodes
    }),
  )
}

interface TakenToken {
  /** As it is under the lock. */
  readonly account: AccountRow
  readonly trips: LockedTrips
  readonly isMailed: boolean
  /** Whether the account was emptied, because its address was never confirmed. */
  readonly isEmptied: boolean
}

/**
 * Locks the account of a token with its trips, and then takes the token. In the other order, two tokens of one account that are
 * used at once would wait for each other, because each use deletes the other token.
 */
async function takeResetToken(
  { now, emptyAccount }: Pick<AuthDeps, 'now' | 'emptyAccount'>,
  tx: Tx,
  announce: Announce,
  hash: Buffer,
): Promise<TakenToken> {
  const found = await findMailToken(tx, 'reset', hash, now())
  const before = found?.user_id ? await findAccount(tx, found.user_id) : undefined
  if (!found || !before) throw new Refusal('reset_invalid')
  const isMailed = found.source === 'mail'
  const isEmptied = isMailed && before.email_confirmed_at === null
  // Locks the account together with everyone whom its content concerns.
  if (isEmptied) await emptyAccount(tx, announce, before.id, now())
  const trips = await lockTripsOf(tx, before.id)
  const isThere = await lockUser(tx, before.id)
  // If another use or a newer link has deleted the token meanwhile, this error also rolls back the emptying of the account.
  const isTaken = (await takeMailToken(tx, 'reset', hash, now())) !== undefined
  const account = isThere && isTaken ? await findAccount(tx, before.id) : undefined
  if (!account) throw new Refusal('reset_invalid')
  // The address was confirmed meanwhile: nothing of the account may be removed.
  if (isEmptied && account.email_confirmed_at !== null) throw new ConcurrentChangeError()
  return { account, trips, isMailed, isEmptied }
}

interface PasswordChange {
  readonly current_password?: string
  readonly new_password: string
  readonly id_token?: string
  readonly nonce?: string
}

/**
 * Changes the password. Needs the current password, or a fresh identity token for an account without one. Ends all
 * other sessions and everything that was prepared. Returns how many recovery codes it deleted.
 */
export async function changePassword(
  deps: AuthDeps,
  caller: Caller,
  { current_password: password, new_password: next, ...identity }: PasswordChange,
  userAgent: string,
): Promise<number> {
  const { pool, changes, now, canSendMail } = deps
  const { userId, sessionId } = caller
  const before = await assertOwner(deps, caller, { password, ...identity })
  await assertUncommonPassword(next, 'new_password')
  const passwordHash = await hashPassword(next)
  return retryConflicts(() =>
    changes.commit(pool, async (tx, announce, withCommit) => {
      const trips = await lockTripsOf(tx, userId)
      const at = now()
      await lockCaller(tx, caller, at)
      // Of two concurrent changes with the same current password, the second fails.
      const isReplaced = await replacePassword(tx, userId, { from: before, to: passwordHash, now: at })
      if (!isReplaced) throw new Refusal('wrong_password')
      const deletedCodes = await endPreparedEntries(tx, userId)
      await endSessions(tx, announce, userId, { exceptId: sessionId, trips, now: at })
      recordSecurityEvent(
        { tx, announce, withCommit, canSendMail },
        { userId, kind: 'password_changed', sessionId, userAgent, at },
      )
      return deletedCodes
    }),
  )
}

/** The proof that the caller owns the account and does not only have a signed-in device. */
export interface OwnerProof {
  readonly password?: string | undefined
  readonly id_token?: string
  readonly nonce?: string
}

/**
 * Checks the proof and returns the hash that the password was compared with. An account without a password needs its
 * own identity token, at most ten minutes old, or a sign-in with a passkey or a provider within that time. Refuses with
 * `wrong_password`, `identity_required`, `recent_sign_in_required`, or `authentication_required` once the session has ended.
 */
export async function assertOwner(
  deps: Pick<AuthDeps, 'pool' | 'identityTokens' | 'issuers' | 'now'>,
  caller: Caller,
  { password, id_token: idToken, nonce }: OwnerProof,
): Promise<string | null> {
  const { pool, identityTokens } = deps
  const { userId } = caller
  const signIn = await findSignIn(pool, userId, caller.sessionId, deps.now())
  if (!signIn) throw new Refusal('authentication_required')
  const hash = signIn.password_hash
  if (hash !== null) {
    if (!(await isPassword(password ?? '', hash))) throw new Refusal('wrong_password')
    return hash
  }
  if (idToken === undefined) {
    await assertRecentIdentity(deps, caller)
    return null
  }
  if (!identityTokens) throw new Refusal('identity_required')
  const { issuer, subject } = await identityTokens.verify(idToken, nonce)
  if ((await findIdentity(pool, issuer, subject)) !== userId) throw new Refusal('identity_required')
  return null
}

/** A session that Google's button opened is not enough: its token can be requested again at any time. */
async function assertRecentIdentity(
  { pool, issuers, now }: Pick<AuthDeps, 'pool' | 'issuers' | 'now'>,
  { userId, sessionId }: Caller,
): Promise<void> {
  const signIn = await findSignIn(pool, userId, sessionId, now())
  const isByIdentity = signIn?.method === 'passkey' || signIn?.method === 'oidc'
  if (isByIdentity && Date.parse(signIn.created_at) > recentSince(now()).getTime()) return
  const { passkeys, oidc, google } = await getSignInMethods({ pool, issuers }, userId)
  const hasGoogle = google && issuers.isGoogleConfigured
  const canSignInAgain = !hasGoogle && (oidc || passkeys > 0)
  throw new Refusal(canSignInAgain ? 'recent_sign_in_required' : 'identity_required')
}
