import { authLimits } from '@hither/contract/auth.ts'
import { type Letter } from '../notifications/mail-layout.ts'

// No letter repeats what a sender typed, the username included: anyone may have a mail sent to any address, and a name such
// as www.example.org would be a link in it.

export function confirmationLetter(publicUrl: string, token: string): Letter {
  return {
    subject: 'Confirm your email address',
    title: 'Welcome to Hither',
    paragraphs: [
      'Please confirm that this is your email address. You are signed in right after it.',
      `The link works once, within ${authLimits.confirmationHours} hours.`,
    ],
    button: { label: 'Confirm email address', url: `${publicUrl}/confirm?token=${token}` },
    footnote: 'You did not sign up at Hither? Then ignore this mail: without the link there is no account.',
  }
}

export function addressTakenLetter(publicUrl: string): Letter {
  return {
    subject: 'You already have an account',
    title: 'You already have an account',
    paragraphs: [
      'Someone, probably you, tried to sign up at Hither with this email address. It has an account already, so nothing was changed.',
      'If you cannot remember your password, choose "Forgot password?" where you sign in.',
    ],
    button: { label: 'Sign in', url: `${publicUrl}/login` },
    footnote: 'It was not you? Then ignore this mail: whoever it was learned nothing about your account.',
  }
}

/** For an address that was never confirmed the letter says what setting a password removes: see `resetPassword`. */
export function resetLetter(publicUrl: string, token: string, isConfirmed: boolean): Letter {
  return {
    subject: 'Set a new password',
    title: 'Set a new password',
    paragraphs: [
      'Someone, probably you, asked for a new password for your Hither account. Setting it signs you out everywhere else.',
      ...(isConfirmed
        ? []
        : [
            'This email address was never confirmed, so somebody else may have made the account. Setting a password therefore removes what is in it: friends, pins, chats and pictures.',
          ]),
      `The link works once, within ${authLimits.resetMinutes} minutes.`,
    ],
    button: { label: 'Set a new password', url: `${publicUrl}/reset-password?token=${token}` },
    footnote: 'It was not you? Then ignore this mail: your password stays as it is.',
  }
}
