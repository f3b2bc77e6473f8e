import type { UserId } from '@hither/contract/ids.ts'
import { authLimits } from '@hither/contract/runtime/auth/auth.ts'
import type { LanguageTag } from '@hither/contract/runtime/locales.ts'
import type { Changes } from '../../events/changes.ts'
import type { Delivery } from '../../notifications/mail/deliveries.service.ts'
import { hashOf, newSecretToken } from '../../platform/crypto/secret-tokens.ts'
import type { Pool, Tx } from '../../platform/db/database.ts'
import { firstLanguage, type Translator, translatorOf } from '../../platform/languages/translator.ts'
import { type MailContent, renderMail } from '../../platform/mail/mail-layout.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { findAccount, findAccountByEmail, findLanguage } from '../auth.queries.ts'
import { findSignup, updateSignupExpiry } from '../signups.queries.ts'
import { insertMailToken, type Purpose } from './mail-tokens.queries.ts'
import { addressTakenMail, confirmationMail, resetMail, securityMail } from './mails.rules.ts'

interface MailsDeps {
  pool: Pool
  changes: Changes
  publicUrl: string
  serverName: string | null
  defaultLanguage: LanguageTag
  now: () => Date
}

/**
 * Composes a mail when it is sent, since its subject may have changed after it was queued. Each attempt creates its own
 * token, so that no token is stored while the mail waits. Returns `null` if there is no recipient. A mail to an account is in the
 * language of the account or of its session used last; one to an address without an account is in the language of the call.
 */
export function composeMail(deps: MailsDeps, delivery: Delivery): Promise<Mail | null> {
  const { pool, changes, publicUrl, serverName, defaultLanguage, now } = deps
  return changes.commit(pool, async (tx) => {
    if (delivery.signup_id !== null) return composeForSignup(tx, deps, delivery.signup_id, delivery.locale)
    const account = delivery.user_id === null ? undefined : await findAccount(tx, delivery.user_id)
    if (!account) return null
    const translator = translatorOf(firstLanguage(await findLanguage(tx, account.id), defaultLanguage))
    if (delivery.template === 'security') {
      // Only a confirmed address gets an alert: another one may be that of a stranger.
      if (delivery.security_event === null || account.email_confirmed_at === null) return null
      return mailTo(
        account.email,
        securityMail(publicUrl, delivery.security_event, translator.t),
        translator,
        serverName,
      )
    }
    if (delivery.template === 'reset') {
      const token = await issueToken(tx, 'reset', { userId: account.id, signupId: null }, now())
      const isConfirmed = account.email_confirmed_at !== null
      return mailTo(account.email, resetMail(publicUrl, token, isConfirmed, translator.t), translator, serverName)
    }
    if (account.email_confirmed_at !== null) return null
    const token = await issueToken(tx, 'confirm', { userId: account.id, signupId: null }, now())
    return mailTo(account.email, confirmationMail(publicUrl, token, translator.t), translator, serverName)
  })
}

async function composeForSignup(
  tx: Tx,
  { publicUrl, serverName, defaultLanguage, now }: MailsDeps,
  signupId: string,
  language: string | null,
): Promise<Mail | null> {
  const signup = await findSignup(tx, signupId)
  if (!signup) return null
  const account = await findAccountByEmail(tx, signup.email)
  if (account) {
    const translator = translatorOf(firstLanguage(await findLanguage(tx, account.id), defaultLanguage))
    return mailTo(account.email, addressTakenMail(publicUrl, translator.t), translator, serverName)
  }
  const translator = translatorOf(firstLanguage(language, signup.locale, defaultLanguage))
  const token = await issueToken(tx, 'confirm', { userId: null, signupId }, now())
  await updateSignupExpiry(tx, signupId, expiryOf('confirm', now()))
  return mailTo(signup.email, confirmationMail(publicUrl, token, translator.t), translator, serverName)
}

function mailTo(to: string, content: MailContent, translator: Translator, serverName: string | null): Mail {
  return { to, ...renderMail(content, translator, serverName) }
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
