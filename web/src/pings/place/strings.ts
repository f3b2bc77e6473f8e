import { t } from '../../i18n/translate.ts'

/** Texts about the place of a ping. `owner` is the name of its owner. */
export const placeStrings = {
  within: (distance: string) => t('pings.place.within', { distance }),
  showsWhenGoing: t('pings.place.showsWhenGoing'),
  showsAfterApproval: (owner: string) => t('pings.place.showsAfterApproval', { owner }),
  onlyInvited: (owner: string) => t('pings.place.onlyInvited', { owner }),
  onlyGoing: t('pings.place.onlyGoing'),
  visibleNow: t('pings.place.visibleNow'),
  seenBy: t('pings.place.seenBy'),
  erased: t('pings.place.erased'),
  erasedNear: (town: string) => t('pings.place.erasedNear', { town }),
  mapOf: (place: string) => t('pings.place.mapOf', { place }),
  openOnMap: t('pings.place.openOnMap'),
} as const
