import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import type { Arrival } from '../platform/http/routes.ts'
import type { Verdict } from './verdicts.rules.ts'

export interface ArrivedRequest {
  readonly config: Pick<Config, 'publicUrl' | 'trustProxy'>
  /** The origin as this server determined it. */
  readonly requestOrigin: string
  readonly arrival: Arrival
}

/** Compares the public address, which links and mails contain, with the origin of this request. */
export function judgePublicAddress({ config: { publicUrl }, requestOrigin, arrival }: ArrivedRequest): Verdict {
  const said = new URL(publicUrl)
  const reached = URL.canParse(requestOrigin) ? new URL(requestOrigin) : null
  const isOverHttps = reached?.protocol === 'https:' || firstOf(arrival.forwardedProto) === 'https'
  if (said.protocol === 'http:' && isOverHttps)
    return warning(
      `You used https, but PUBLIC_URL is ${publicUrl}, and links in emails point there. Start it with https://.`,
    )
  if (said.protocol === 'http:' && !isThisMachine(said.hostname))
    return failed(
      `${publicUrl} isn't an https address. Without https, browsers don't share locations, receive notifications or install the app. Put a proxy with a certificate in front, and set PUBLIC_URL to its https address.`,
    )
  if (reached?.host !== said.host)
    return warning(
      `This request was sent to ${brief(reached?.host ?? '')}, but PUBLIC_URL is ${publicUrl}, and links in emails and invitations point there. If people use the first, set PUBLIC_URL to it; if they use the second, configure the proxy to pass the header Host.`,
    )
  if (said.protocol === 'https:' && !isOverHttps)
    return warning(
      `Links point to ${publicUrl}, but nothing shows that this request used https. Configure the proxy to send X-Forwarded-Proto.`,
    )
  return { state: 'ok', text: `Links point to ${publicUrl}, and this request was sent there.` }
}

/** Checks which proxies are trusted to name the caller's address, which rate limits use. */
export function judgeProxy({ config: { publicUrl, trustProxy }, arrival }: ArrivedRequest): Verdict {
  const [address, peer] = [brief(plain(arrival.address)), brief(plain(arrival.peer))]
  if (arrival.forwardedFor === null) return judgeWithoutForwarding(publicUrl, trustProxy, arrival, peer)
  if (trustProxy === false)
    return failed(
      `A proxy at ${peer} forwards requests, but TRUST_PROXY is not set: all users have the address ${peer} and share one set of rate limits. Set TRUST_PROXY=${trustOf(peer)}.`,
    )
  if (trustProxy === true)
    return warning(
      `Your address appears as ${address}, but TRUST_PROXY=on trusts every client, so people can choose their address. Name the proxy instead: TRUST_PROXY=${trustOf(peer)}.`,
    )
  const last = arrival.forwardedFor.split(',').at(-1)?.trim() ?? ''
  if (address === peer && plain(last) !== peer)
    return failed(
      `A proxy at ${peer} forwards requests, but TRUST_PROXY does not name it: all users have the address ${peer} and share one set of rate limits. Add ${trustOf(peer)} to it.`,
    )
  return { state: 'ok', text: `The proxy at ${peer} is trusted. Your address appears as ${address}.` }
}

function judgeWithoutForwarding(
  publicUrl: string,
  trustProxy: Config['trustProxy'],
  { hasForwarded }: Arrival,
  peer: string,
): Verdict {
  if (hasForwarded)
    return failed(
      `A proxy at ${peer} sends the header Forwarded, which Hither does not read. Configure it to send X-Forwarded-For, and set TRUST_PROXY=${trustOf(peer)}.`,
    )
  if (trustProxy !== false)
    return warning(
      `TRUST_PROXY is set, but this request has no X-Forwarded-For, so its address is ${peer}. Configure the proxy to send it; without a proxy, unset TRUST_PROXY.`,
    )
  // This server itself does not speak https.
  if (publicUrl.startsWith('https:'))
    return warning(
      `PUBLIC_URL starts with https, so there is a proxy; but it does not send the address of the client, and all users have the address ${peer}. Configure it to send X-Forwarded-For, and set TRUST_PROXY=${trustOf(peer)}.`,
    )
  return { state: 'ok', text: `There is no proxy in between. Your address appears as ${peer}.` }
}

const failed = (text: string): Verdict => ({ state: 'failed', text })
const warning = (text: string): Verdict => ({ state: 'warning', text })

/** Browsers treat this origin like https. */
function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(hostname)
}

function firstOf(list: string | null): string | undefined {
  return list?.split(',')[0]?.trim()
}

/** Returns an IPv4 address in its plain form, also if the socket reports it as IPv6. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

function trustOf(peer: string): string {
  if (/^127\.|^::1$/.test(peer)) return 'loopback'
  return isIP(peer) === 0 ? 'its address' : peer
}

/** Limits the length of a header. */
function brief(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
