import { t } from '../../i18n/translate.ts'

export const placeViewStrings = {
  activate: t('map.placeView.activate'),
  show: t('map.placeView.show'),
  failed: t('map.placeView.failed'),
} as const
