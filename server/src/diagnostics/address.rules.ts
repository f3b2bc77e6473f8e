import { isIP } from 'node:net'
import { type Config } from '../config.ts'
import { type Arrival } from '../platform/http.ts'
import { type Verdict } from './verdicts.rules.ts'

export interface Way {
  readonly config: Pick<Config, 'publicUrl' | 'trustProxy'>
  /** As this server understood it. */
  readonly reachedAt: string
  readonly arrival: Arrival
}

/** What links, mails and other servers are told, against what this very call came by. */
export function judgePublicAddress({ config: { publicUrl }, reachedAt, arrival }: Way): Verdict {
  const said = new URL(publicUrl)
  const reached = URL.canParse(reachedAt) ? new URL(reachedAt) : null
  const isOverHttps = reached?.protocol === 'https:' || firstOf(arrival.forwardedProto) === 'https'
  if (said.protocol === 'http:' && isOverHttps)
    return warning(
      `You came over https, but PUBLIC_URL is ${publicUrl}, and links in mails lead there. Begin it with https://.`,
    )
  if (said.protocol === 'http:' && !isThisMachine(said.hostname))
    return failed(
      `${publicUrl} is no https address. Without https browsers share no location, take no notifications and install no app. Put a proxy with a certificate in front, and set PUBLIC_URL to its https address.`,
    )
  if (reached?.host !== said.host)
    return warning(
      `This call came to ${brief(reached?.host ?? '')}, but PUBLIC_URL is ${publicUrl}, and links in mails and invitations lead there. If people use the first, set PUBLIC_URL to it; if they use the second, have the proxy pass on the header Host.`,
    )
  if (said.protocol === 'https:' && !isOverHttps)
    return warning(
      `Links lead to ${publicUrl}, but nothing said that this call came over https. Have the proxy send X-Forwarded-Proto.`,
    )
  return { state: 'ok', text: `Links lead to ${publicUrl}, and that is where this call came.` }
}

/** Whose word is taken for who asks: rate limits count by it. */
export function judgeProxy({ config: { publicUrl, trustProxy }, arrival }: Way): Verdict {
  const [address, peer] = [brief(plain(arrival.address)), brief(plain(arrival.peer))]
  if (arrival.forwardedFor === null) return judgeWithoutForwarding(publicUrl, trustProxy, arrival, peer)
  if (trustProxy === false)
    return failed(
      `A proxy at ${peer} passes people on, but TRUST_PROXY is not set: all of them count as ${peer} and share one set of rate limits. Set TRUST_PROXY=${trustOf(peer)}.`,
    )
  if (trustProxy === true)
    return warning(
      `You are taken for ${address}, but TRUST_PROXY=on takes everybody's word for it, so people can choose whom they count as. Name the proxy instead: TRUST_PROXY=${trustOf(peer)}.`,
    )
  const last = arrival.forwardedFor.split(',').at(-1)?.trim() ?? ''
  if (address === peer && plain(last) !== peer)
    return failed(
      `A proxy at ${peer} passes people on, but TRUST_PROXY does not name it: all of them count as ${peer} and share one set of rate limits. Add ${trustOf(peer)} to it.`,
    )
  return { state: 'ok', text: `The proxy at ${peer} is trusted, and you are taken for ${address}.` }
}

function judgeWithoutForwarding(
  publicUrl: string,
  trustProxy: Config['trustProxy'],
  { hasForwarded }: Arrival,
  peer: string,
): Verdict {
  if (hasForwarded)
    return failed(
      `A proxy at ${peer} sends the header Forwarded, which is not read. Have it send X-Forwarded-For, and set TRUST_PROXY=${trustOf(peer)}.`,
    )
  if (trustProxy !== false)
    return warning(
      `TRUST_PROXY is set, but this call came with no X-Forwarded-For, and counts as ${peer}. Have the proxy send it; without a proxy, unset TRUST_PROXY.`,
    )
  // This server speaks no https itself.
  if (publicUrl.startsWith('https:'))
    return warning(
      `PUBLIC_URL begins with https, so there is a proxy; but it does not say for whom it asks, and all its people count as ${peer}. Have it send X-Forwarded-For, and set TRUST_PROXY=${trustOf(peer)}.`,
    )
  return { state: 'ok', text: `There is no proxy in between. You are taken for ${peer}.` }
}

const failed = (text: string): Verdict => ({ state: 'failed', text })
const warning = (text: string): Verdict => ({ state: 'warning', text })

/** Browsers take it for as good as https. */
function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(hostname)
}

function firstOf(list: string | null): string | undefined {
  return list?.split(',')[0]?.trim()
}

/** An IPv4 address as it is, however the socket writes it. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

function trustOf(peer: string): string {
  if (/^127\.|^::1$/.test(peer)) return 'loopback'
  return isIP(peer) === 0 ? 'its address' : peer
}

/** A header may be long. */
function brief(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
