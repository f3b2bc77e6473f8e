import {
  type AuthSession,
  authLimits,
  authTexts,
  type ConfirmationRequired,
  type Notice,
  type PendingConfirmation,
} from '@hither/contract/auth.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { admit, assertMaySignUp } from '../moderation/admission.service.ts'
import { queueMail } from '../notifications/deliveries.service.ts'
import { retryConflicts } from '../platform/conflicts.ts'
import { type Db } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { confirmEmail, createUser, findFreeUsername, findOwnUser } from '../users/users.service.ts'
import { findAccount, findAccountByEmail } from './auth.queries.ts'
import { type AuthDeps } from './auth.service.ts'
import { assertUncommonPassword } from './common-passwords.ts'
import { findMailToken, takeMailToken, takeTry } from './mail-tokens.queries.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { hashOf, newSecretToken } from './secret-tokens.ts'
import { openSession, type SignInDevice } from './sessions.service.ts'
import {
  deleteSignupsWith,
  findLatestSignup,
  findSignup,
  findSignupBySecret,
  insertSignup,
  isUsernameHeld,
  lockUsername,
} from './signups.queries.ts'

const dayMs = authLimits.confirmationHours * 3_600_000

/**
 * Where addresses are confirmed. Nothing here looks whether the address has an account: that is found out by whoever sends
 * the mail, so neither the answer, its time, the name's fate nor a later sign-in with this password tells the caller.
 */
export async function requestSignUp(
  { pool, changes, now }: AuthDeps,
  { email, username, password, invitation }: { email: string; password: string; username: string; invitation?: string },
): Promise<ConfirmationRequired> {
  const invitation_id = await assertMaySignUp(pool, invitation, now())
  await assertUncommonPassword(password, 'password')
  const passwordHash = await hashPassword(password)
  const secret = newSecretToken()
  await changes.commit(pool, async (db, announce) => {
    await lockUsername(db, username)
    if (await isUsernameHeld(db, username, email, now())) throw new Refusal('username_taken')
    const id = newId<string>()
    await insertSignup(db, {
      ...{ id, email, username, invitation_id },
      password_hash: passwordHash,
      secret_hash: hashOf(secret),
      now: now(),
      expiresAt: new Date(now().getTime() + dayMs),
    })
    await queueMail(db, announce, { template: 'confirm', userId: null, signupId: id }, now())
  })
  return { requires_confirmation: true, email, message: authTexts.checkYourEmail, signup_secret: secret }
}

/** A row is written and a mail considered whether or not anyone waits for one. */
export async function resendConfirmation(deps: AuthDeps, email: string): Promise<Notice> {
  const { pool, changes, now, canSendMail } = deps
  if (canSendMail) {
    await retryConflicts(() =>
      changes.commit(pool, async (db, announce) => {
        const account = await findAccountByEmail(db, email)
        const signup = await findLatestSignup(db, email, now())
        const whose = account?.email_confirmed_at === null ? account.id : null
        const mail = { template: 'confirm', userId: whose, signupId: whose ? null : (signup?.id ?? null) } as const
        await queueMail(db, announce, mail, now())
      }),
    )
  }
  return { message: authTexts.confirmationResent }
}

/** What the holder of a confirmation link can prove beside it. */
interface Proof {
  readonly password?: string
  readonly signup_secret?: string
}

/** The account that a confirmation link is for, as the screen names it before it is confirmed. Changes nothing. */
export async function getPendingConfirmation(
  { pool, now }: AuthDeps,
  { token, signup_secret }: { token: string; signup_secret?: string },
): Promise<PendingConfirmation> {
  const { email, username, isProven } = await findPending(pool, hashOf(token), signup_secret, now())
  return { email, username, needs_password: !isProven }
}

/**
 * Makes the account of a sign-up, or confirms one that exists, and signs it in. The token proves only the address: anyone
 * may sign up with the address of somebody else, who then gets the mail. So a password or secret has to prove that the
 * same person signed up, or the link would hand an account to its owner that a stranger also has the password of.
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
    changes.commit(pool, async (db, _announce, lastly) => {
      if (!(await takeMailToken(db, 'confirm', hash, now()))) throw new Refusal('confirmation_invalid')
      const userId = pending.userId ?? (await createConfirmed(db, pending.signupId, now()))
      await confirmEmail(db, userId, now())
      return openSession({ db, lastly }, tokens, userId, device, now())
    }),
  )
}

interface Pending {
  readonly userId: UserId | null
  readonly signupId: string | null
  readonly email: string
  readonly username: string
  readonly passwordHash: string | null
  /** Whether the secret is one of a sign-up with this address. */
  readonly isProven: boolean
}

/**
 * What a link is for. Where the secret is one of another sign-up with the same address, it is for that one: a stranger who
 * signs up with the address later must not come between its owner and their own account.
 */
async function findPending(db: Db, hash: Buffer, secret: string | undefined, now: Date): Promise<Pending> {
  const found = await findMailToken(db, 'confirm', hash, now)
  if (!found) throw new Refusal('confirmation_invalid')
  if (found.user_id !== null) return pendingAccount(db, found.user_id)
  const mailed = found.signup_id === null ? undefined : await findSignup(db, found.signup_id)
  // An account with this address was faster: from another link, or an identity provider.
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
  if (!(await changes.commit(pool, (db) => takeTry(db, hash)))) throw new Refusal('confirmation_invalid')
  if (!(await isPassword(password, passwordHash))) throw new Refusal('signup_unproven')
}

async function createConfirmed(db: Db, signupId: string | null, now: Date): Promise<UserId> {
  const signup = signupId === null ? undefined : await findSignup(db, signupId)
  // Another link for the same address was faster, or an identity provider.
  if (!signup || (await findAccountByEmail(db, signup.email))) throw new Refusal('confirmation_invalid')
  await admit(db, signup.invitation_id, now)
  const id = newId<UserId>()
  // Someone who changed their name may have it by now: better a name beside it than a link that leads nowhere.
  const username = await findFreeUsername(db, signup.username)
  await createUser(db, { id, email: signup.email, username, passwordHash: signup.password_hash, now })
  await deleteSignupsWith(db, signup.email)
  return id
}

/** Joins the caller's transaction. What waits for this address goes with its account. */
export async function eraseSignups(db: Db, email: string): Promise<void> {
  await deleteSignupsWith(db, email)
}
