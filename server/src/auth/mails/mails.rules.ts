import { authLimits } from '@hither/contract/runtime/auth.ts'
import type { SecurityEventKind } from '@hither/contract/runtime/security-events.ts'
import { securitySentences } from '../../notifications/security-sentences.ts'
import type { MailContent } from '../../platform/mail/mail-layout.ts'

// Mails never contain text from users, not even the username: anyone can have a mail sent to any address, and a name
// such as www.example.org would become a link in it.

export function confirmationMail(publicUrl: string, token: string): MailContent {
  return {
    subject: 'Confirm your email address',
    title: 'Welcome to Hither',
    paragraphs: [
      "Please confirm that this is your email address. You'll be signed in right away.",
      `The link works once, within ${authLimits.confirmationHours} hours.`,
    ],
    button: { label: 'Confirm email address', url: `${publicUrl}/confirm?token=${token}` },
    footnote: "If you didn't sign up for Hither, ignore this email. No account is created without the link.",
  }
}

export function addressTakenMail(publicUrl: string): MailContent {
  return {
    subject: 'You already have an account',
    title: 'You already have an account',
    paragraphs: [
      'Someone, probably you, tried to sign up for Hither with this email address. It already has an account, so nothing was changed.',
      'If you forgot your password, choose "Forgot password?" on the sign-in page.',
    ],
    button: { label: 'Sign in', url: `${publicUrl}/login` },
    footnote: "If it wasn't you, ignore this email. The person who tried learned nothing about your account.",
  }
}

/**
 * The mail with the link for a new password. For an unconfirmed address it says what setting a password removes, see
 * `resetPassword`.
 */
export function resetMail(publicUrl: string, token: string, isConfirmed: boolean): MailContent {
  return {
    subject: 'Set a new password',
    title: 'Set a new password',
    paragraphs: [
      'Someone, probably you, asked for a new password for your Hither account. Setting it signs you out everywhere else.',
      ...(isConfirmed
        ? []
        : [
            'This email address was never confirmed, so someone else may have created the account. Setting a password therefore deletes its content: friends, pins, chats and pictures.',
          ]),
      `The link works once, within ${authLimits.resetMinutes} minutes.`,
    ],
    button: { label: 'Set a new password', url: `${publicUrl}/reset-password?token=${token}` },
    footnote: "If it wasn't you, ignore this email. Your password stays the same.",
  }
}

/** The mail about a change to how the account can be entered. */
export function securityMail(publicUrl: string, change: SecurityEventKind): MailContent {
  return {
    subject: 'Security alert',
    title: 'Security alert',
    paragraphs: [securitySentences[change], "If this wasn't you, set a new password."],
    button: { label: 'Set a new password', url: `${publicUrl}/forgot-password` },
    footnote: 'You get this email because the way to sign in to your Hither account was changed.',
  }
}
