import { authLimits } from '@hither/contract/runtime/auth/auth.ts'
import type { SecurityEventKind } from '@hither/contract/runtime/auth/security-events.ts'
import { securitySentence } from '../../notifications/security-sentences.ts'
import type { Translate } from '../../platform/languages/translator.ts'
import type { MailContent } from '../../platform/mail/mail-layout.ts'

// Mails never contain text from users, not even the username: anyone can have a mail sent to any address, and a name
// such as www.example.org would become a link in it.

export function confirmationMail(publicUrl: string, token: string, t: Translate): MailContent {
  return {
    subject: t('mails.confirm.subject'),
    title: t('mails.confirm.title'),
    paragraphs: [t('mails.confirm.text'), t('mails.confirm.once', { hours: authLimits.confirmationHours })],
    button: { label: t('mails.confirm.button'), url: `${publicUrl}/confirm#token=${token}` },
    footnote: t('mails.confirm.note'),
  }
}

export function addressTakenMail(publicUrl: string, t: Translate): MailContent {
  return {
    subject: t('mails.taken.subject'),
    title: t('mails.taken.subject'),
    paragraphs: [t('mails.taken.text'), t('mails.taken.forgot')],
    button: { label: t('mails.taken.button'), url: `${publicUrl}/login` },
    footnote: t('mails.taken.note'),
  }
}

/**
 * The mail with the link for a new password. For an unconfirmed address it says what setting a password removes, see
 * `resetPassword`.
 */
export function resetMail(publicUrl: string, token: string, isConfirmed: boolean, t: Translate): MailContent {
  return {
    subject: t('mails.reset.subject'),
    title: t('mails.reset.subject'),
    paragraphs: [
      t('mails.reset.text'),
      ...(isConfirmed ? [] : [t('mails.reset.unconfirmed')]),
      t('mails.reset.once', { minutes: authLimits.resetMinutes }),
    ],
    button: { label: t('mails.reset.subject'), url: `${publicUrl}/reset-password#token=${token}` },
    footnote: t('mails.reset.note'),
  }
}

/** The mail about a change to how the account can be entered. */
export function securityMail(publicUrl: string, change: SecurityEventKind, t: Translate): MailContent {
  return {
    subject: t('pushes.security'),
    title: t('pushes.security'),
    paragraphs: [securitySentence(change, t), t('mails.security.notYou')],
    button: { label: t('mails.reset.subject'), url: `${publicUrl}/forgot-password` },
    footnote: t('mails.security.note'),
  }
}
