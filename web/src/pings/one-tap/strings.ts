import { t } from '../../i18n/translate.ts'

export const oneTapStrings = {
  name: t('pings.oneTap.name'),
  dropping: (name: string, audience: string) => t('pings.oneTap.dropping', { name, audience }),
  everyFriend: t('pings.oneTap.everyFriend'),
  undo: t('pings.oneTap.undo'),
  undone: t('pings.oneTap.undone'),
} as const
