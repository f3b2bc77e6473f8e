import { t } from '../i18n/translate.ts'

export const questionStrings = {
  title: t('sign-out.question.title'),
  unsentText: (count: number) => t('sign-out.question.unsentText', { count }),
  savedPlacesText: (count: number) => t('sign-out.question.savedPlacesText', { count }),
  signOut: t('sign-out.question.signOut'),
} as const
