import { t } from '../../i18n/translate.ts'

export const recoveryStrings = {
  line: t('auth.recovery.line'),
  code: t('auth.recovery.code'),
  codeInvalid: t('auth.recovery.codeInvalid'),
  continue: t('auth.recovery.continue'),
  noCode: t('auth.recovery.noCode'),
  useCode: t('auth.recovery.useCode'),
  useEmail: t('auth.recovery.useEmail'),
  failed: t('auth.recovery.failed'),
  resetSent: t('auth.resetSent'),
} as const
