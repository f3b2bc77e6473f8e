import { ECDH } from 'node:crypto'
import { isIP } from 'node:net'
import { notificationTexts, type PushSubscription } from '@hither/contract/notifications.ts'
import { fault, InvalidInput } from '../platform/refusal.ts'
import { isPublicAddress } from './public-addresses.ts'
import { type Target } from './subscriptions.queries.ts'

/**
 * `pushHosts` are origins that may be named whatever they are. Otherwise any https host that does not look like one of a
 * private network may be: a list of known push services would shut out browsers with one of their own. Where its name leads
 * is looked at when something goes there.
 */
export function readSubscription({ endpoint, keys }: PushSubscription, pushHosts: readonly string[]): Target {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null
  if (!url || !(pushHosts.includes(url.origin) || isOutside(url)))
    throw new InvalidInput(fault('body', 'endpoint')(notificationTexts.endpointInvalid))
  if (!isPoint(keys.p256dh)) throw new InvalidInput(fault('body', 'keys', 'p256dh')(notificationTexts.keysInvalid))
  return { endpoint: url.href, p256dh: unpadded(keys.p256dh), auth: unpadded(keys.auth) }
}

/** On no other port than that of https: nobody should have ports of others tried from here. */
function isOutside({ protocol, username, password, port, hostname }: URL): boolean {
  if (protocol !== 'https:' || username !== '' || password !== '' || port !== '') return false
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) === 0 ? /\.[a-z][a-z0-9-]*\.?$/i.test(hostname) : isPublicAddress(address)
}

/** Whether it is a point of the curve; else nothing could be encrypted for it. */
function isPoint(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url', 'base64url', 'uncompressed')
    return p256dh.startsWith('B')
  } catch {
    return false
  }
}

function unpadded(base64url: string): string {
  return base64url.replace(/=+$/, '')
}
