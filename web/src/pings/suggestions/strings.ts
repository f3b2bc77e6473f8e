import { t } from '../../i18n/translate.ts'

export const suggestionStrings = {
  title: t('pings.suggestion.title'),
  allFriends: t('pings.suggestion.allFriends'),
  and: (circles: string, people: string) => t('pings.suggestion.and', { circles, people }),
  edit: (name: string, audience: string, duration: string) => t('pings.suggestion.edit', { name, audience, duration }),
  drop: (name: string, audience: string, duration: string) => t('pings.suggestion.drop', { name, audience, duration }),
  dropNow: t('pings.suggestion.dropNow'),
} as const
