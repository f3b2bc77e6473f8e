import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

const header = 'x-forwarded-for'

/**
 * Leaves plain addresses in `X-Forwarded-For`, so that the trusted proxies in it are recognized and one caller has one
 * address, whatever port a proxy adds. It ends at an entry that is no address: those to its left were reported by an
 * unknown sender. Without an address, the caller is the connected peer.
 */
export function readForwardedFor({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const text = headers[header]
  if (text === undefined) return
  const entries = text
    .toString()
    .split(',')
    .filter((entry) => entry.trim() !== '')
    .map(addressIn)
  const addresses = entries.slice(entries.lastIndexOf(null) + 1)
  headers[header] = addresses.join(', ')
}

/**
 * Returns the address of one entry without port, brackets, quotes and zone, also from the form of the header
 * `Forwarded`: `for="[2001:db8::1%eth0]:4711";proto=https`. Returns null for anything else.
 */
export function addressIn(entry: string): string | null {
  const [, named] = /(?:^|;)\s*for\s*=([^;]*)/i.exec(entry) ?? []
  const node = (named ?? entry)
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim()
  for (const text of [node, node.replace(/:\d*$/, '')]) {
    const address = text.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
    if (isIP(address) !== 0) return address
  }
  return null
}
