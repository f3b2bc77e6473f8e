import { t } from '../i18n/translate.ts'

/** Texts of the ways to sign in without a password, which are loaded later than the form. */
export const otherSignInStrings = {
  or: t('auth.otherSignIn.or'),
  passkey: t('auth.otherSignIn.passkey'),
  provider: (name: string) => t('auth.otherSignIn.provider', { name }),
} as const
