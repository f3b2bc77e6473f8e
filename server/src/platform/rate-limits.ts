import { isIPv6 } from 'node:net'
import { authLimits } from '@hither/contract/auth.ts'
import { type Operation, type RateLimit } from '@hither/contract/operation.ts'
import { Refusal } from './refusal.ts'

type Wait = number | null

/** Counts calls. Who counts for several nodes may need to ask another machine, hence the promise. */
export interface RateLimits {
  /** Counts one call against `key`: `null` where there is room for it, else the seconds until there is. */
  take(key: string, limit: Pick<RateLimit, 'max' | 'seconds'>): Wait | Promise<Wait>
}

/** Answers at once. */
export interface LocalRateLimits extends RateLimits {
  take(key: string, limit: Pick<RateLimit, 'max' | 'seconds'>): Wait
}

/** So many keys at most, about 20 MB: beyond them the ones longest unused are forgotten. */
const keysMax = 100_000

/**
 * In this process. Each key holds one number, by the generic cell rate algorithm (as in ATM traffic management): the time at
 * which all calls so far would be due were they spread evenly. `max` may come at once; after that one every `seconds / max`.
 */
export function createLocalRateLimits(now: () => Date, most = keysMax): LocalRateLimits {
  const dueAt = new Map<string, number>()
  return {
    take(key, { max, seconds }) {
      const at = now().getTime()
      const stepMs = (seconds * 1000) / max
      const known = dueAt.get(key) ?? 0
      // Further ahead than calls can come to: the clock was set back, and nobody is to wait for as long as that was.
      const due = known > at + seconds * 1000 + 1 ? at : Math.max(known, at)
      const waitMs = due + stepMs - (at + seconds * 1000)
      // Rounding must not refuse the last of `max`.
      if (waitMs > 0.001) return Math.max(1, Math.ceil(waitMs / 1000))
      // Written anew at the end of the map's order: its front is what was longest not used.
      dueAt.delete(key)
      dueAt.set(key, due + stepMs)
      forget(dueAt, most)
      return null
    },
  }
}

/** Only what was longest unused goes, and only for want of room: a key that is used up was used lately. */
function forget(dueAt: Map<string, number>, most: number): void {
  for (const key of dueAt.keys()) {
    if (dueAt.size <= most) return
    dueAt.delete(key)
  }
}

export const noRateLimits: LocalRateLimits = { take: () => null }

/** What anyone may call altogether, whatever it is: no app comes near it. */
export const ceiling = { max: 1200, seconds: 60 } as const

/** Asked before a body is read or held against anything. Refuses with `rate_limited`. */
export function assertBelowCeiling(ceilings: LocalRateLimits, { address, userId }: Omit<Asking, 'body'>): void {
  const wait = ceilings.take(userId === undefined ? `address ${networkOf(address)}` : `person ${userId}`, ceiling)
  if (wait !== null) throw new Refusal('rate_limited', wait)
}

/** Counts a request by its network address. Throws `rate_limited`. */
export type CountRequest = (request: { readonly ip: string }) => void

interface Asking {
  readonly address: string
  readonly userId: string | undefined
  readonly body: unknown
}

/** The limits that are known from the head of a request, and those that need its body. */
export function splitLimits(operation: Operation): { ofHead: readonly RateLimit[]; ofBody: readonly RateLimit[] } {
  const needsBody = ({ by }: RateLimit) => by === 'email' || by === 'email_and_address'
  const limits = operation.rateLimits ?? []
  return { ofHead: limits.filter((limit) => !needsBody(limit)), ofBody: limits.filter(needsBody) }
}

/**
 * Refuses with `rate_limited` what is too much. The limits are asked in their order and the first that is used up ends it, so
 * that whoever is over one cannot fill the memory of those after it.
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
    const wait = await rateLimits.take(`${operation.method} ${operation.path} ${limit.by} ${whose}`, limit)
    if (wait !== null) throw new Refusal('rate_limited', wait)
  }
}

function keyOf(by: RateLimit['by'], { address, userId, body }: Asking): string | null {
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
  }
}

/** The body is not validated yet: what is too long for an address is refused later, and not stored here. */
function emailIn(body: unknown): string | null {
  const email = (body as { email?: unknown } | null | undefined)?.email
  return typeof email === 'string' && email.length <= authLimits.emailMax ? email.toLowerCase() : null
}

/** Of IPv6 the first 64 bits, which is the least that one line gets: its owner has all addresses below. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  const plain = address.split('%', 1)[0] ?? ''
  if (!isIPv6(plain)) return address
  const [head = '', tail] = plain.toLowerCase().split('::', 2)
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${groups.join(':')}::/64`
}
