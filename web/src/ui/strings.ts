import { t } from '../i18n/translate.ts'

export const uiStrings = {
  retry: t('ui.retry'),
  cancel: t('ui.cancel'),
  close: t('ui.close'),
  showAll: t('ui.showAll'),
  loading: t('ui.loading'),
} as const

export const timeStrings = {
  midnight: t('ui.time.midnight'),
  hours: (count: number) => t('ui.time.hours', { count }),
  minutes: (count: number) => t('ui.time.minutes', { count }),
  spokenHours: (count: number) => t('ui.time.spokenHours', { count }),
  spokenMinutes: (count: number) => t('ui.time.spokenMinutes', { count }),
  remaining: (hours: number, minutes: number) =>
    hours > 0 ? t('ui.time.remainingHours', { hours, minutes }) : t('ui.time.remaining', { minutes }),
} as const
