import { textAddresses } from '../i18n/texts.ts'
import { textCache } from '../service-worker/messages.ts'

/** Stores the texts of this page for a start without a network. They were requested before the service worker could keep them. */
export async function keepTexts(): Promise<void> {
  const cache = await caches.open(textCache)
  const addresses = Object.values(textAddresses())
  const missing = await Promise.all(addresses.map(async (address) => ((await cache.match(address)) ? [] : [address])))
  await cache.addAll(missing.flat())
}
