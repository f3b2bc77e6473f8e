import type { UserId } from '@hither/contract/ids.ts'
import { authLimits } from '@hither/contract/runtime/auth.ts'
import type { Delivery } from '../../notifications/mail/deliveries.service.ts'
import { hashOf, newSecretToken } from '../../platform/crypto/secret-tokens.ts'
import type { Pool, Tx } from '../../platform/db/database.ts'
import type { Changes } from '../../platform/events/changes.ts'
import { renderMail } from '../../platform/mail/mail-layout.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { type AccountRow, findAccount, findAccountByEmail } from '../auth.queries.ts'
import { findSignup, updateSignupExpiry } from '../signups.queries.ts'
import { insertMailToken, type Purpose } from './mail-tokens.queries.ts'
import { addressTakenMail, confirmationMail, resetMail, securityMail } from './mails.rules.ts'

interface MailsDeps {
  pool: Pool
  changes: Changes
  publicUrl: string
  now: () => Date
}

/**
 * Composes a mail when it is sent, since its subject may have changed after it was queued. Each attempt creates its own
 * token, so that no token is stored while the mail waits. Returns `null` if there is no recipient.
 */
export function composeMail({ pool, changes, publicUrl, now }: MailsDeps, delivery: Delivery): Promise<Mail | null> {
  return changes.commit(pool, async (tx) => {
    if (delivery.signup_id !== null) return composeForSignup(tx, publicUrl, delivery.signup_id, now())
    const account = delivery.user_id === null ? undefined : await findAccount(tx, delivery.user_id)
    if (!account) return null
    if (delivery.template === 'security') return composeSecurityAlert(publicUrl, account, delivery.security_event)
    if (delivery.template === 'reset') {
      const token = await issueToken(tx, 'reset', { userId: account.id, signupId: null }, now())
      return { to: account.email, ...renderMail(resetMail(publicUrl, token, account.email_confirmed_at !== null)) }
    }
    if (account.email_confirmed_at !== null) return null
    const token = await issueToken(tx, 'confirm', { userId: account.id, signupId: null }, now())
    return { to: account.email, ...renderMail(confirmationMail(publicUrl, token)) }
  })
}

/** Only a confirmed address gets an alert: another one may be that of a stranger. */
function composeSecurityAlert(publicUrl: string, account: AccountRow, change: Delivery['security_event']): Mail | null {
  if (change === null || account.email_confirmed_at === null) return null
  return { to: account.email, ...renderMail(securityMail(publicUrl, change)) }
}

async function composeForSignup(tx: Tx, publicUrl: string, signupId: string, now: Date): Promise<Mail | null> {
  const signup = await findSignup(tx, signupId)
  if (!signup) return null
  const account = await findAccountByEmail(tx, signup.email)
  if (account) return { to: account.email, ...renderMail(addressTakenMail(publicUrl)) }
  const token = await issueToken(tx, 'confirm', { userId: null, signupId }, now)
  await updateSignupExpiry(tx, signupId, expiryOf('confirm', now))
  return { to: signup.email, ...renderMail(confirmationMail(publicUrl, token)) }
}

async function issueToken(
  tx: Tx,
  purpose: Purpose,
  whose: { userId: UserId | null; signupId: string | null },
  now: Date,
): Promise<string> {
  const token = newSecretToken()
  await insertMailToken(tx, {
    hash: hashOf(token),
    purpose,
    source: 'mail',
    ...whose,
    now,
    expiresAt: expiryOf(purpose, now),
  })
  return token
}

function expiryOf(purpose: Purpose, now: Date): Date {
  const minutes = purpose === 'reset' ? authLimits.resetMinutes : authLimits.confirmationHours * 60
  return new Date(now.getTime() + minutes * 60_000)
}
