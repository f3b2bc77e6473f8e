import { t } from '../i18n/translate.ts'

export const platformStrings = {
  serverHeading: t('platform.serverHeading'),
  serverLine: t('platform.serverLine'),
  serverLabel: t('platform.serverLabel'),
  serverExample: t('platform.serverExample'),
  continue: t('platform.continue'),
  badAddress: t('platform.badAddress'),
  noServer: t('platform.noServer'),
  currentServer: t('platform.currentServer'),
  changeServer: t('platform.changeServer'),
} as const
