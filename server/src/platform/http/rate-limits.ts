import { isIPv6 } from 'node:net'
import type { Operation, RateLimit } from '@hither/contract/operation.ts'
import { authLimits } from '@hither/contract/runtime/auth/auth.ts'
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

/** Checked before a body is read or other limits are counted. Throws `rate_limited`. */
export function assertBelowCeiling(
  ceilings: LocalRateLimits,
  { address, userId }: Pick<Asking, 'address' | 'userId'>,
): void {
  const wait = ceilings.take(userId === undefined ? `address ${networkOf(address)}` : `person ${userId}`, ceiling)
  if (wait !== null) throw new Refusal('rate_limited', wait)
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
 * Throws `rate_limited` if a limit is exceeded. The limits are counted in order and the first exceeded one stops, so
 * that a caller above one limit cannot fill the memory of the next ones.
 */
export async function assertWithinLimits(
  rateLimits: RateLimits,
  operation: Operation,
  limits: readonly RateLimit[],
  asking: Asking,
): Promise<void> {
  for (const limit of limits) {
    const whose = keyOf(limit.by, asking)
    if (whose === null) continue
    const what = limit.group ?? `${operation.method} ${operation.path}`
    const wait = await rateLimits.take(`${what} ${limit.by} ${whose}`, limit)
    if (wait !== null) throw new Refusal('rate_limited', wait)
  }
}

/** The length of a UUID. A longer path parameter is refused later and not stored here. */
const idLength = 36

function keyOf(by: RateLimit['by'], { address, userId, body, id }: Asking): string | null {
  const email = emailIn(body)
  switch (by) {
    case 'address':
      return networkOf(address)
    case 'person':
      return userId ?? null
    case 'visitor':
      return userId === undefined ? networkOf(address) : null
    case 'email':
      return email
    case 'email_and_address':
      return email === null ? null : `${email} ${networkOf(address)}`
    case 'address_and_id':
      return id === undefined || id.length > idLength ? null : `${id.toLowerCase()} ${networkOf(address)}`
  }
}

/** The body is not validated yet: a text too long for an email address is refused later and not stored here. */
function emailIn(body: unknown): string | null {
  const email = (body as { email?: unknown } | null | undefined)?.email
  return typeof email === 'string' && email.length <= authLimits.emailMax ? emailKeyOf(email) : null
}

/**
 * Returns the same key for all spellings of an email address that find the same account. The database compares `lower(email)`,
 * which depends on its locale: it may turn `İ` into `i`, where JavaScript adds a dot above, and it has one small sigma.
 */
export function emailKeyOf(email: string): string {
  return email.toLowerCase().toUpperCase().replaceAll('\u0307', '')
}

/**
 * Of an IPv6 address, the first 64 bits: the smallest range that one connection gets, whose owner has all addresses in
 * it.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
