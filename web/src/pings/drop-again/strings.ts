import { t } from '../../i18n/translate.ts'

export const dropAgainStrings = {
  dropAgain: t('pings.dropAgain.dropAgain'),
  dropAgainOf: (name: string) => t('pings.dropAgain.dropAgainOf', { name }),
  placeErased: t('pings.dropAgain.placeErased'),
  linkOff: t('pings.dropAgain.linkOff'),
  leftOut: (count: number) => t('pings.dropAgain.leftOut', { count }),
} as const
