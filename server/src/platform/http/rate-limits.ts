import { isIPv6 } from 'node:net'
import type { Operation, RateLimit } from '@hither/contract/operation.ts'
import { authLimits } from '@hither/contract/runtime/auth/auth.ts'
import { emailKeyOf } from '@hither/contract/runtime/identifiers.ts'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { Refusal } from '../errors/refusal.ts'

type Wait = number | null

/** Counts calls. Asynchronous, because the limits of a cluster are counted in Redis. */
export interface RateLimits {
  /**
   * Counts one call for `key`. Returns `null` if it is within the limit, else the seconds until a call is allowed
   * again.
   */
  take(key: string, limit: Pick<RateLimit, 'max' | 'seconds'>): Wait | Promise<Wait>
}

/** Counts synchronously. */
export interface LocalRateLimits extends RateLimits {
  take(key: string, limit: Pick<RateLimit, 'max' | 'seconds'>): Wait
}

/** The maximum number of keys, about 20 MB. Above it, the least recently used keys are removed. */
const keysMax = 100_000

/**
 * Counts in this process. Each key stores one number, by the generic cell rate algorithm: the time at which all calls
 * so far would be due if they were spread evenly. `max` calls may come at once; after that, one every `seconds / max`.
 */
export function createLocalRateLimits(now: () => Date, most = keysMax): LocalRateLimits {
  // `max` would allocate all keys at the start.
  const dueAt = new LRUCache<string, number>({ maxSize: most, sizeCalculation: () => 1 })
  return {
    take(key, { max, seconds }) {
      const at = now().getTime()
      const stepMs = (seconds * 1000) / max
      const known = dueAt.peek(key) ?? 0
      // The stored time is further ahead than any calls can lead to: the clock was set back, and the call must not wait
      // for that long.
      const due = known > at + seconds * 1000 + 1 ? at : Math.max(known, at)
      const waitMs = due + stepMs - (at + seconds * 1000)
      // The tolerance prevents rounding from refusing the last of `max` calls.
      if (waitMs > 0.001) return Math.max(1, Math.ceil(waitMs / 1000))
      // A refused call does not renew its key: an exhausted key was used recently.
      dueAt.set(key, due + stepMs)
      return null
    },
  }
}

export const noRateLimits: LocalRateLimits = { take: () => null }

/** The limit for all calls of a caller together. No app reaches it. */
export const ceiling = { max: 1200, seconds: 60 } as const

/** The limit for calls whose access token is refused. */
export const refusedTokens = { max: 300, seconds: 60 } as const

/** Checked before a body is read or other limits are counted. Throws `rate_limited`. */
export function assertBelowCeiling(ceilings: LocalRateLimits, caller: Pick<Asking, 'address' | 'userId'>): void {
  takeShare(ceilings, '', ceiling, caller)
}

/**
 * Counts a call whose access token is refused. A token that has expired or whose session has ended counts for its owner: a page
 * that somebody left open must not keep others in its network from learning that they need a new token.
 */
export function countRefusedToken(ceilings: LocalRateLimits, caller: Pick<Asking, 'address' | 'userId'>): void {
  takeShare(ceilings, 'refused ', refusedTokens, caller)
}

function takeShare(
  ceilings: LocalRateLimits,
  what: string,
  limit: Pick<RateLimit, 'max' | 'seconds'>,
  { address, userId }: Pick<Asking, 'address' | 'userId'>,
): void {
  const callers =
    userId === undefined
      ? networksOf(address).map(({ network, times }) => ({ key: `${what}address ${network}`, times }))
      : [{ key: `${what}person ${userId}`, times: 1 }]
  for (const { key, times } of callers) {
    const wait = ceilings.take(key, { ...limit, max: limit.max * times })
    if (wait !== null) throw new Refusal('rate_limited', wait)
  }
}

/** Counts a request by its network address. Throws `rate_limited`. */
export type CountRequest = (request: { readonly ip: string }) => void

interface Asking {
  readonly address: string
  readonly userId: string | undefined
  readonly body: unknown
  /** The path parameter `id`, unchecked. */
  readonly id?: string | undefined
}

interface LimitsByMoment {
  /** Checked before the body is read, so that a refused caller costs no more than the head of the request. */
  readonly ofHead: readonly RateLimit[]
  /** Checked before validation: attempts on an email address count, however the rest of the body looks. */
  readonly ofBody: readonly RateLimit[]
  /** Checked after validation: an invalid input of a signed-in person is answered first and uses up nothing. */
  readonly ofPerson: readonly RateLimit[]
}

/** When each limit of an operation is checked. Uploads have large bodies, so that all their limits come first. */
export function splitLimits({ rateLimits = [], upload }: Operation): LimitsByMoment {
  const isOfBody = ({ by }: RateLimit) => by === 'email' || by === 'email_and_address'
  const isOfPerson = ({ by }: RateLimit) => by === 'person' && !upload
  return {
    ofHead: rateLimits.filter((limit) => !isOfBody(limit) && !isOfPerson(limit)),
    ofBody: rateLimits.filter(isOfBody),
    ofPerson: rateLimits.filter(isOfPerson),
  }
}

/**
 * Throws the refusal of a limit that is exceeded. The limits are counted in order and the first exceeded one stops, so
 * that a caller above one limit cannot fill the memory of the next ones.
 */
export async function assertWithinLimits(
  rateLimits: RateLimits,
  operation: Operation,
  limits: readonly RateLimit[],
  asking: Asking,
): Promise<void> {
  for (const limit of limits) {
    const what = limit.group ?? operation.address
    for (const { key, times } of keysOf(limit.by, asking)) {
      const wait = await rateLimits.take(`${what} ${limit.by} ${key}`, { ...limit, max: limit.max * times })
      if (wait !== null) throw new Refusal(limit.refusal ?? 'rate_limited', wait)
    }
  }
}

/** The length of a UUID. A longer path parameter is refused later and not stored here. */
const idLength = 36

/** A key under which a call is counted, and by how much its limit is larger than that of one caller. */
interface CountedKey {
  readonly key: string
  readonly times: number
}

function keysOf(by: RateLimit['by'], { address, userId, body, id }: Asking): CountedKey[] {
  const email = emailIn(body)
  const ofNetworks = (start = '') => networksOf(address).map(({ network, times }) => ({ key: start + network, times }))
  switch (by) {
    case 'address':
      return ofNetworks()
    case 'person':
      return userId === undefined ? [] : [{ key: userId, times: 1 }]
    case 'visitor':
      return userId === undefined ? ofNetworks() : []
    case 'email':
      return email === null ? [] : [{ key: email, times: 1 }]
    case 'email_and_address':
      return email === null ? [] : ofNetworks(`${email} `)
    case 'address_and_id':
      return id === undefined || id.length > idLength ? [] : ofNetworks(`${id.toLowerCase()} `)
  }
}

/** The body is not validated yet: a text too long for an email address is refused later and not stored here. */
function emailIn(body: unknown): string | null {
  const email = (body as { email?: unknown } | null | undefined)?.email
  return typeof email === 'string' && email.length <= authLimits.emailMax ? emailKeyOf(email) : null
}

/** How many connections may call from an IPv6 network of this size as often as one may: a provider gives whole ones to one customer. */
const ipv6Networks = [
  { bits: 64, times: 1 },
  { bits: 56, times: 4 },
  { bits: 48, times: 16 },
] as const

/**
 * The networks for which a call from an address is counted, the smallest first. An IPv4 address is one; of an IPv6 address,
 * the smallest is the range that one connection gets, whose owner has all addresses in it.
 */
export function networksOf(address: string): { network: string; times: number }[] {
  if (!isIPv6(address)) return [{ network: address, times: 1 }]
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return [{ network: parsed.toString(), times: 1 }]
  return ipv6Networks.map(({ bits, times }) => {
    const parts = parsed.parts.slice(0, 4)
    parts[3] = (parts[3] ?? 0) & (0xffff << (64 - bits))
    return { network: `${parts.map((part) => part.toString(16)).join(':')}::/${bits}`, times }
  })
}
