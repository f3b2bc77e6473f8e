import { t } from '../../i18n/translate.ts'

/** Texts for people whose response is older than the last change of the ping's place or start. */
export const stillGoingStrings = {
  changedTime: (owner: string, time: string) => t('pings.stillGoing.changedTime', { owner, time }),
  changedPlace: (owner: string) => t('pings.stillGoing.changedPlace', { owner }),
  changedBoth: (owner: string) => t('pings.stillGoing.changedBoth', { owner }),
  stillGoing: t('pings.stillGoing.stillGoing'),
  areYouGoing: t('pings.stillGoing.areYouGoing'),
  yes: t('pings.stillGoing.yes'),
} as const
