import { t } from '../i18n/translate.ts'

export const shellStrings = {
  brand: t('shell.brand'),
  home: t('shell.home'),
  chat: t('shell.chat'),
  friends: t('shell.friends'),
  profile: t('shell.profile'),
  admin: t('shell.admin'),
  logout: t('shell.logout'),
  accountMenu: t('shell.accountMenu'),
  navigation: t('shell.navigation'),
  skip: t('shell.skip'),
  offline: (time: string) => t('shell.offline', { time }),
  waiting: (count: number) => t('shell.waiting', { count }),
  routerError: t('shell.routerError'),
  notFound: t('shell.notFound'),
  boundaryTitle: t('shell.boundaryTitle'),
  boundaryText: t('shell.boundaryText'),
  details: t('shell.details'),
  reload: t('shell.reload'),
  goHome: t('shell.goHome'),
} as const
