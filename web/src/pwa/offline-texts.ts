import { storeAllTexts } from '../i18n/texts.ts'
import { t } from '../i18n/translate.ts'
import { setPushTexts } from '../service-worker/push-store.ts'

/** Stores the texts that a start without a network needs, and those that the service worker itself shows. */
export async function storeOfflineTexts(): Promise<void> {
  await storeAllTexts()
  if (globalThis.Notification?.permission === 'granted')
    await setPushTexts({ unknown: t('pwa.push.unknown'), responseFailed: t('pwa.push.responseFailed') })
}
