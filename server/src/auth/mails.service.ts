import { authLimits } from '@hither/contract/auth.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { type Delivery } from '../notifications/deliveries.service.ts'
import { layOut } from '../notifications/mail-layout.ts'
import { type Changes } from '../platform/changes.ts'
import { type Db, type Pool } from '../platform/database.ts'
import { type Mail } from '../platform/mail.ts'
import { findAccount, findAccountByEmail } from './auth.queries.ts'
import { insertMailToken, type Purpose } from './mail-tokens.queries.ts'
import { addressTakenLetter, confirmationLetter, resetLetter } from './mails.rules.ts'
import { hashOf, newSecretToken } from './secret-tokens.ts'
import { findSignup, updateSignupExpiry } from './signups.queries.ts'

export interface MailsDeps {
  pool: Pool
  changes: Changes
  publicUrl: string
  now: () => Date
}

/**
 * What a mail says and to whom, decided as it goes: what it is about may have changed since it was asked for. Its token is
 * made here, so that none waits anywhere, and each attempt at a mail has one of its own. `null`: it is for nobody.
 */
export function composeMail({ pool, changes, publicUrl, now }: MailsDeps, delivery: Delivery): Promise<Mail | null> {
  return changes.commit(pool, async (db) => {
    if (delivery.signup_id !== null) return composeForSignup(db, publicUrl, delivery.signup_id, now())
    const account = delivery.user_id === null ? undefined : await findAccount(db, delivery.user_id)
    if (!account) return null
    if (delivery.template === 'reset') {
      const token = await issueToken(db, 'reset', { userId: account.id, signupId: null }, now())
      return { to: account.email, ...layOut(resetLetter(publicUrl, token, account.email_confirmed_at !== null)) }
    }
    if (account.email_confirmed_at !== null) return null
    const token = await issueToken(db, 'confirm', { userId: account.id, signupId: null }, now())
    return { to: account.email, ...layOut(confirmationLetter(publicUrl, token)) }
  })
}

async function composeForSignup(db: Db, publicUrl: string, signupId: string, now: Date): Promise<Mail | null> {
  const signup = await findSignup(db, signupId)
  if (!signup) return null
  const account = await findAccountByEmail(db, signup.email)
  if (account) return { to: account.email, ...layOut(addressTakenLetter(publicUrl)) }
  const token = await issueToken(db, 'confirm', { userId: null, signupId }, now)
  await updateSignupExpiry(db, signupId, expiryOf('confirm', now))
  return { to: signup.email, ...layOut(confirmationLetter(publicUrl, token)) }
}

async function issueToken(
  db: Db,
  purpose: Purpose,
  whose: { userId: UserId | null; signupId: string | null },
  now: Date,
): Promise<string> {
  const token = newSecretToken()
  await insertMailToken(db, { hash: hashOf(token), purpose, ...whose, now, expiresAt: expiryOf(purpose, now) })
  return token
}

function expiryOf(purpose: Purpose, now: Date): Date {
  const minutes = purpose === 'reset' ? authLimits.resetMinutes : authLimits.confirmationHours * 60
  return new Date(now.getTime() + minutes * 60_000)
}
