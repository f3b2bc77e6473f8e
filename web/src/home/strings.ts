import { t } from '../i18n/translate.ts'
import { locationStrings } from '../map/strings.ts'

export const homeStrings = {
  title: t('home.title'),
  listsLabel: t('home.listsLabel'),
  addPin: t('home.addPin'),
  quickPin: t('home.quickPin'),
  recenter: t('home.recenter'),
  locating: locationStrings.locating,
  sheetHandle: t('home.sheetHandle'),
  shareHere: t('home.shareHere'),
} as const
