import type { AuthSession, ConfirmationRequired, Notice, PendingConfirmation } from '@hither/contract/auth/auth.ts'
import type { FriendLinkResult } from '@hither/contract/friend-links.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { authLimits, authTexts } from '@hither/contract/runtime/auth/auth.ts'
import type { LanguageTag } from '@hither/contract/runtime/locales.ts'
import type { Announce } from '../events/changes.ts'
import { admitSignUp, assertAdmission, connectNewUser } from '../friend-links/signup-links.service.ts'
import { queueMail } from '../notifications/mail/deliveries.service.ts'
import { hashOf, newSecretToken } from '../platform/crypto/secret-tokens.ts'
import { retryConflicts } from '../platform/db/conflicts.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { fieldError, InvalidInput, Refusal } from '../platform/errors/refusal.ts'
import { lockUser, newLockedUser } from '../users/user-locks.ts'
import { confirmEmail, createUser, findFreeUsername, findOwnUser } from '../users/users.service.ts'
import { findAccount, findAccountByEmail } from './auth.queries.ts'
import type { AuthDeps, SignUpInput } from './auth.service.ts'
import { findMailToken, takeMailToken, useAttempt } from './mails/mail-tokens.queries.ts'
import { assertUncommonPassword } from './password-hashing/common-passwords.ts'
import { hashPassword, isPassword } from './password-hashing/passwords.ts'
import { openSession, type SignInDevice, withFriendLink } from './sessions.service.ts'
import {
  deleteSignupsWith,
  findLatestSignup,
  findSignup,
  findSignupBySecret,
  insertSignup,
  isUsernameReserved,
  lockUsername,
} from './signups.queries.ts'

const dayMs = authLimits.confirmationHours * 3_600_000

/**
 * Starts a sign-up on a server that confirms addresses. Does not look up whether the address has an account; the mail
 * job does. So neither the answer, its duration, the availability of the name nor a later sign-in with this password
 * reveals it.
 */
export async function requestSignUp(
  deps: AuthDeps,
  { email, username, password, ...codes }: SignUpInput,
  language: LanguageTag | null,
): Promise<ConfirmationRequired> {
  const { pool, changes, now } = deps
  await assertReachable(deps, email)
  const admission = await assertAdmission(pool, codes, now())
  await assertUncommonPassword(password, 'password')
  const passwordHash = await hashPassword(password)
  const secret = newSecretToken()
  await changes.commit(pool, async (tx, announce) => {
    await lockUsername(tx, username)
    if (await isUsernameReserved(tx, username, email, now())) throw new Refusal('username_taken')
    const id = newId<string>()
    await insertSignup(tx, {
      ...{ id, email, username },
      invitation_id: admission.invitationId,
      friend_link_id: admission.friendLinkId,
      has_friend_code: admission.hasFriendCode,
      password_hash: passwordHash,
      secret_hash: hashOf(secret),
      locale: language,
      now: now(),
      expiresAt: new Date(now().getTime() + dayMs),
    })
    await queueMail(tx, announce, { template: 'confirm', userId: null, signupId: id, language }, now())
  })
  return { requires_confirmation: true, email, message: authTexts.checkYourEmail, signup_secret: secret }
}

/** Refuses an address to which this server can send no mail, whether or not it has an account. */
export async function assertReachable({ canReach }: Pick<AuthDeps, 'canReach'>, email: string): Promise<void> {
  if (!(await canReach(email))) throw new InvalidInput(fieldError('body', 'email')('email_unreachable'))
}

/** Queues the confirmation mail again. Writes a row whether or not a sign-up is pending. */
export async function resendConfirmation(deps: AuthDeps, email: string, language: LanguageTag | null): Promise<Notice> {
  const { pool, changes, now, canSendMail } = deps
  if (canSendMail) {
    await retryConflicts(() =>
      changes.commit(pool, async (tx, announce) => {
        const account = await findAccountByEmail(tx, email)
        const signup = await findLatestSignup(tx, email, now())
        const whose = account?.email_confirmed_at === null ? account.id : null
        const signupId = whose ? null : (signup?.id ?? null)
        const mail = { template: 'confirm', userId: whose, signupId, language } as const
        await queueMail(tx, announce, mail, now())
      }),
    )
  }
  return { message: authTexts.confirmationResent }
}

/** What the holder of a confirmation link proves in addition to the link. */
interface Proof {
  readonly password?: string
  readonly signup_secret?: string
}

/**
 * Returns the account that a confirmation link is for, which the screen shows before the confirmation. Changes nothing.
 */
export async function getPendingConfirmation(
  { pool, now }: AuthDeps,
  { token, signup_secret }: { token: string; signup_secret?: string },
): Promise<PendingConfirmation> {
  const { email, username, isProven } = await findPending(pool, hashOf(token), signup_secret, now())
  return { email, username, needs_password: !isProven }
}

/**
 * Creates the account of a sign-up, or confirms an existing one, and signs it in. The token proves only the address:
 * anyone may sign up with the address of another person, who then gets the mail. So a password or secret must prove
 * that the same person signed up. Otherwise the owner would get an account whose password a stranger knows.
 */
export async function confirmAddress(
  deps: AuthDeps,
  { token, ...proof }: Proof & { token: string },
  device: SignInDevice,
): Promise<AuthSession> {
  const { pool, changes, tokens, now } = deps
  const hash = hashOf(token)
  const pending = await findPending(pool, hash, proof.signup_secret, now())
  if (!pending.isProven) await assertPassword(deps, hash, pending.passwordHash, proof.password)
  return retryConflicts(() =>
    changes.commit(pool, async (tx, announce, withCommit) => {
      if (pending.userId !== null) await lockUser(tx, pending.userId)
      if (!(await takeMailToken(tx, 'confirm', hash, now()))) throw new Refusal('confirmation_invalid')
      const account =
        pending.userId === null
          ? await createConfirmed(deps, tx, announce, pending.signupId)
          : { userId: pending.userId, friend_link: undefined }
      await confirmEmail(tx, account.userId, now())
      const session = await openSession(
        { tx, withCommit },
        tokens,
        account.userId,
        { device, method: 'confirmation' },
        now(),
      )
      return withFriendLink(session, account.friend_link)
    }),
  )
}

interface Pending {
  readonly userId: UserId | null
  readonly signupId: string | null
  readonly email: string
  readonly username: string
  readonly passwordHash: string | null
  /** Whether the secret belongs to a sign-up with this address. */
  readonly isProven: boolean
}

/**
 * Returns the sign-up or account of a link. If the secret belongs to another sign-up with the same address, returns
 * that one: a stranger who signs up later with the address must not block its owner.
 */
async function findPending(db: Db, hash: Buffer, secret: string | undefined, now: Date): Promise<Pending> {
  const found = await findMailToken(db, 'confirm', hash, now)
  if (!found) throw new Refusal('confirmation_invalid')
  if (found.user_id !== null) return pendingAccount(db, found.user_id)
  const mailed = found.signup_id === null ? undefined : await findSignup(db, found.signup_id)
  // An account with this address exists by now, from another link or an identity provider.
  if (!mailed || (await findAccountByEmail(db, mailed.email))) throw new Refusal('confirmation_invalid')
  const proven = secret === undefined ? undefined : await findSignupBySecret(db, mailed.email, hashOf(secret), now)
  const { id, email, username, password_hash } = proven ?? mailed
  return { userId: null, signupId: id, email, username, passwordHash: password_hash, isProven: proven !== undefined }
}

async function pendingAccount(db: Db, userId: UserId): Promise<Pending> {
  const [account, user] = await Promise.all([findAccount(db, userId), findOwnUser(db, userId)])
  if (!account || !user) throw new Refusal('confirmation_invalid')
  const { email, username } = user
  return { userId, signupId: null, email, username, passwordHash: account.password_hash, isProven: false }
}

async function assertPassword(
  { pool, changes }: AuthDeps,
  hash: Buffer,
  passwordHash: string | null,
  password: string | undefined,
): Promise<void> {
  if (password === undefined) throw new Refusal('signup_unproven')
  if (!(await changes.commit(pool, (tx) => useAttempt(tx, hash)))) throw new Refusal('confirmation_invalid')
  if (!(await isPassword(password, passwordHash))) throw new Refusal('signup_unproven')
}

async function createConfirmed(
  { presence, now: clock }: AuthDeps,
  tx: Tx,
  announce: Announce,
  signupId: string | null,
): Promise<{ userId: UserId; friend_link: FriendLinkResult | undefined }> {
  const signup = signupId === null ? undefined : await findSignup(tx, signupId)
  // An account with this address exists by now, from another link or an identity provider.
  if (!signup || (await findAccountByEmail(tx, signup.email))) throw new Refusal('confirmation_invalid')
  const { invitation_id: invitationId, friend_link_id: friendLinkId, has_friend_code: hasFriendCode } = signup
  const admission = { invitationId, friendLinkId, hasFriendCode }
  const now = clock()
  const times = { now, validAt: new Date(signup.created_at) }
  const link = await admitSignUp(tx, admission, times)
  const userId = newLockedUser()
  // Another user may have taken the name by now. A similar name is better than a link that does not work.
  const username = await findFreeUsername(tx, signup.username)
  await createUser(tx, { id: userId, email: signup.email, username, passwordHash: signup.password_hash, now })
  await deleteSignupsWith(tx, signup.email)
  const friend_link = await connectNewUser({ presence }, tx, announce, { userId, admission, link, ...times })
  return { userId, friend_link }
}

/** Deletes the pending sign-ups with this address. */
export async function eraseSignups(tx: Tx, email: string): Promise<void> {
  await deleteSignupsWith(tx, email)
}
