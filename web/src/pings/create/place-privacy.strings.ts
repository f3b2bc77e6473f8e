import { t } from '../../i18n/translate.ts'

/** Texts for the choice of who sees the exact place of a ping. `place` is the nearest town, or "Somewhere in this area". */
export const placePrivacyStrings = {
  title: t('pings.placePrivacy.title'),
  choices: {
    invited: t('pings.placePrivacy.choices.invited'),
    going: t('pings.placePrivacy.choices.going'),
    everyone: t('pings.placePrivacy.choices.everyone'),
  },
  size: t('pings.placePrivacy.size'),
  linkSees: (place: string) => t('pings.placePrivacy.linkSees', { place }),
  friendsSee: (place: string) => t('pings.placePrivacy.friendsSee', { place }),
  remembered: t('pings.placePrivacy.remembered'),
  openToAnyone: t('pings.placePrivacy.openToAnyone'),
  publicName: t('pings.placePrivacy.publicName'),
} as const
