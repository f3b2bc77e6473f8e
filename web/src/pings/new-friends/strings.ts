import { t } from '../../i18n/translate.ts'

export const newFriendStrings = {
  question: (name: string, count: number) => t('pings.newFriend.question', { name, count }),
  show: t('pings.newFriend.show'),
  notNow: t('pings.newFriend.notNow'),
} as const
