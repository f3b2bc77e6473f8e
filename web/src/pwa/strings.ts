import { t } from '../i18n/translate.ts'

export const pwaStrings = {
  updateReady: t('pwa.updateReady'),
  update: t('pwa.update'),
  later: t('pwa.later'),
} as const
