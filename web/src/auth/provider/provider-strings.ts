import { t } from '../../i18n/translate.ts'

export const providerStrings = {
  signingIn: t('auth.provider.signingIn'),
  linking: t('auth.provider.linking'),
  failedHeading: t('auth.provider.failedHeading'),
  linkFailedHeading: t('auth.provider.linkFailedHeading'),
  signedIn: t('auth.provider.signedIn'),
  linked: t('auth.provider.linked'),
  failed: t('auth.provider.failed'),
  tryAgain: t('auth.provider.tryAgain'),
  goToSignIn: t('auth.provider.goToSignIn'),
  goToProfile: t('auth.provider.goToProfile'),
} as const
