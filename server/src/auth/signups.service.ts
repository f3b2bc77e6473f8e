import {
  type AuthSession,
  authLimits,
  authTexts,
  type ConfirmationRequired,
  type Notice,
} from '@hither/contract/auth.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { admit, assertMaySignUp } from '../moderation/admission.service.ts'
import { queueMail } from '../notifications/deliveries.service.ts'
import { retryConflicts } from '../platform/conflicts.ts'
import { type Db } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { confirmEmail, createUser, findFreeUsername } from '../users/users.service.ts'
import { findAccountByEmail } from './auth.queries.ts'
import { type AuthDeps } from './auth.service.ts'
import { takeMailToken } from './mail-tokens.queries.ts'
import { hashPassword } from './passwords.ts'
import { hashOf } from './secret-tokens.ts'
import { openSession } from './sessions.service.ts'
import {
  deleteSignupsWith,
  findLatestSignup,
  findSignup,
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
  const passwordHash = await hashPassword(password)
  await changes.commit(pool, async (db, announce) => {
    await lockUsername(db, username)
    if (await isUsernameHeld(db, username, email, now())) throw new Refusal('username_taken')
    const id = newId<string>()
    const expiresAt = new Date(now().getTime() + dayMs)
    await insertSignup(db, { id, email, username, password_hash: passwordHash, invitation_id, now: now(), expiresAt })
    await queueMail(db, announce, { template: 'confirm', userId: null, signupId: id }, now())
  })
  return { requires_confirmation: true, email, message: authTexts.checkYourEmail }
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

/** The holder of the mail's token owns the address: their account is made, or confirmed, and signed in. */
export async function confirmAddress(deps: AuthDeps, token: string, userAgent: string): Promise<AuthSession> {
  const { pool, changes, tokens, now } = deps
  return retryConflicts(() =>
    changes.commit(pool, async (db, _announce, lastly) => {
      const found = await takeMailToken(db, 'confirm', hashOf(token), now())
      if (!found) throw new Refusal('confirmation_invalid')
      const userId = found.user_id ?? (await createConfirmed(db, found.signup_id, now()))
      await confirmEmail(db, userId, now())
      return openSession({ db, lastly }, tokens, userId, userAgent, now())
    }),
  )
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
