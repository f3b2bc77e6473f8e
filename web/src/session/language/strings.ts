import { t } from '../../i18n/translate.ts'

export const languageStrings = {
  title: t('profile.language.title'),
  automatic: (language: string) => t('profile.language.automatic', { language }),
  beta: t('profile.language.beta'),
  close: t('profile.language.close'),
  offline: t('profile.language.offline'),
  changed: (language: string) => t('profile.language.changed', { language }),
} as const
