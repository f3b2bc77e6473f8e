import { keptTexts } from '../i18n/texts.ts'
import { t } from '../i18n/translate.ts'
import { setPushTexts } from '../service-worker/push-store.ts'

/** Stores what a start without a network needs of the texts of this page, and those that the service worker itself shows. */
export async function keepTexts(): Promise<void> {
  await keptTexts()
  if (globalThis.Notification?.permission === 'granted')
    await setPushTexts({ unknown: t('pwa.push.unknown'), responseFailed: t('pwa.push.responseFailed') })
}
