import { t } from '../i18n/translate.ts'

/** Texts of what Home shows to newcomers and in its dialogs. */
export const homeDialogStrings = {
  sheetStops: { peek: t('home.sheetStops.peek'), half: t('home.sheetStops.half'), full: t('home.sheetStops.full') },
  stepsLabel: t('home.stepsLabel'),
  steps: {
    friend: { label: t('home.steps.friend.label'), text: t('home.steps.friend.text') },
    pin: { label: t('home.steps.pin.label'), text: t('home.steps.pin.text') },
    notify: { label: t('home.steps.notify.label'), text: t('home.steps.notify.text') },
  },
  stepDone: t('home.stepDone'),
  locationTitle: t('home.locationTitle'),
  locationText: [t('home.locationText.0'), t('home.locationText.1')],
  place: t('home.place'),
  pinHere: t('home.pinHere'),
  gotIt: t('home.gotIt'),
  dontShowAgain: t('home.dontShowAgain'),
} as const
