import { t } from '../i18n/translate.ts'

export const signOutStrings = {
  failed: t('sign-out.failed'),
} as const
