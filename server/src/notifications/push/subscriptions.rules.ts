import { ECDH } from 'node:crypto'
import { isIP } from 'node:net'
import type { PushSubscription } from '@hither/contract/notifications.ts'
import { fieldError, InvalidInput } from '../../platform/errors/refusal.ts'
import { isPublicAddress } from './public-addresses.ts'
import type { Target } from './subscriptions.queries.ts'

/**
 * Validates a subscription. Origins in `pushHosts` are always allowed. Otherwise any https host is allowed that is not
 * literally private: a list of known push services would exclude browsers with their own. The addresses of the host are
 * checked when a push is sent.
 */
export function readSubscription({ endpoint, keys }: PushSubscription, pushHosts: readonly string[]): Target {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null
  if (!url || !(pushHosts.includes(url.origin) || isOutside(url)))
    throw new InvalidInput(fieldError('body', 'endpoint')('push_endpoint_invalid'))
  if (!isPoint(keys.p256dh)) throw new InvalidInput(fieldError('body', 'keys', 'p256dh')('push_keys_invalid'))
  return { endpoint: url.href, p256dh: unpadded(keys.p256dh), auth: unpadded(keys.auth) }
}

/** Only the default https port is allowed, so that the server cannot be used to scan ports. */
function isOutside({ protocol, username, password, port, hostname }: URL): boolean {
  if (protocol !== 'https:' || username !== '' || password !== '' || port !== '') return false
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) === 0 ? /\.[a-z][a-z0-9-]*\.?$/i.test(hostname) : isPublicAddress(address)
}

/** Checks that the key is a point on the curve; otherwise nothing could be encrypted for it. */
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
