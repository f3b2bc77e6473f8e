import { textAddresses } from '../i18n/texts.ts'
import { t } from '../i18n/translate.ts'
import { textCache } from '../service-worker/messages.ts'
import { setPushTexts } from '../service-worker/push-store.ts'

/**
 * Stores the texts of this page for a start without a network, because they were requested before the service worker could keep
 * them, and those that the service worker itself shows.
 */
export async function keepTexts(): Promise<void> {
  const cache = await caches.open(textCache)
  const addresses = Object.values(textAddresses())
  const missing = await Promise.all(addresses.map(async (address) => ((await cache.match(address)) ? [] : [address])))
  await cache.addAll(missing.flat())
  if (globalThis.Notification?.permission === 'granted')
    await setPushTexts({ unknown: t('pwa.push.unknown'), responseFailed: t('pwa.push.responseFailed') })
}
