import { t } from '../i18n/translate.ts'

export const eventStrings = {
  leaveTitle: t('notifications.event.leaveTitle'),
  leaveText: t('notifications.event.leaveText'),
  leave: t('notifications.event.leave'),
  answered: t('notifications.event.answered'),
  responseFailed: t('pings.respondFailed'),
} as const
