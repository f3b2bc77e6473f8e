import { storeAllTexts } from '../i18n/texts.ts'
import { storePushTexts } from '../notifications/push/push-texts.ts'

/** Stores the texts that a start without a network needs, and those that the service worker itself shows. */
export async function storeOfflineTexts(): Promise<void> {
  await storeAllTexts()
  if (globalThis.Notification?.permission === 'granted') await storePushTexts()
}
