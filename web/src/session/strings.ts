import { t } from '../i18n/translate.ts'

export const sessionTexts = {
  signInFailed: t('session.signInFailed'),
  signUpFailed: t('session.signUpFailed'),
  refreshFailed: t('session.refreshFailed'),
} as const
