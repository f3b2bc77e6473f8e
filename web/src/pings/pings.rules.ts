import type { UserId } from '@hither/contract/ids.ts'
import type {
  ExtensionMinutes,
  Ping,
  PingResponse,
  PingStatus,
  ResponseType,
  ShownPing,
} from '@hither/contract/pings.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import { t } from '../i18n/translate.ts'
import { distanceM } from '../map/location/distance.ts'
import type { Place } from '../map/map-defaults.ts'

interface Times {
  created_at: string
  activates_at: string | null
  expires_at: string
  canceled_at?: string | null
}

const minuteMs = 60_000
const nearbyMaxM = 100_000

/**
 * Returns the status at `nowMs`, as the server would. The status follows the clock, whether or not a change was
 * announced.
 */
export function statusAt({ activates_at, expires_at, canceled_at }: Times, nowMs: number): PingStatus {
  // A canceled ping ends at once, also if this device's clock is behind the server's.
  if (canceled_at || nowMs >= Date.parse(expires_at)) return 'expired'
  return activates_at !== null && nowMs < Date.parse(activates_at) ? 'pending' : 'active'
}

/**
 * Returns the minutes until the end, rounded up and never more than the whole duration: a new ping of half an hour has
 * 30, also if the clock is a second behind the server's.
 */
export function minutesLeft({ created_at, activates_at, expires_at }: Times, nowMs: number): number {
  const [startMs, endMs] = [Date.parse(activates_at ?? created_at), Date.parse(expires_at)]
  return Math.max(0, Math.ceil(Math.min(endMs - nowMs, endMs - startMs) / minuteMs))
}

/** Falls from 1 at the activation to 0 at the end. */
export function fractionLeft({ created_at, activates_at, expires_at }: Times, nowMs: number): number {
  const startMs = Date.parse(activates_at ?? created_at)
  const lifeMs = Date.parse(expires_at) - startMs
  if (lifeMs <= 0) return 0
  return Math.min(1, Math.max(0, (Date.parse(expires_at) - nowMs) / lifeMs))
}

/** Sorts My Pins: active pings, newest first; then pending ones by activation; then the rest, newest first. */
export function orderMine<P extends Times>(pings: readonly P[], nowMs: number): P[] {
  const rank = { active: 0, pending: 1, expired: 2 }
  return [...pings].sort((a, b) => {
    const [statusA, statusB] = [statusAt(a, nowMs), statusAt(b, nowMs)]
    if (statusA !== statusB) return rank[statusA] - rank[statusB]
    if (statusA === 'pending') return Date.parse(a.activates_at ?? '') - Date.parse(b.activates_at ?? '')
    return Date.parse(b.created_at) - Date.parse(a.created_at)
  })
}

/**
 * Returns Friends Nearby: unexpired pings of others. Active pings come first, the nearest first if the viewer's
 * position is known and otherwise the newest; then scheduled pings by activation.
 */
export function orderNearby<P extends Times & Place & Pick<Ping, 'access'>>(
  pings: readonly P[],
  nowMs: number,
  position: Place | null = null,
): P[] {
  return pings
    .filter((ping) => ping.access !== 'owner' && statusAt(ping, nowMs) !== 'expired')
    .map((ping) => {
      const isPending = statusAt(ping, nowMs) === 'pending'
      const startMs = isPending ? Date.parse(ping.activates_at ?? ping.created_at) : -Date.parse(ping.created_at)
      const awayM = position === null ? 0 : distanceM(position, ping)
      return { ping, keys: isPending ? [1, startMs, awayM] : [0, awayM, startMs] }
    })
    .sort((a, b) => compareKeys(a.keys, b.keys))
    .map(({ ping }) => ping)
}

/** Returns true if the ping is too far from the viewer to be nearby. Without a position, every ping is nearby. */
export function isElsewhere(place: Place, position: Place | null): boolean {
  return position !== null && distanceM(position, place) > nearbyMaxM
}

export type Titled = Pick<ShownPing, 'name' | 'is_unnamed' | 'username' | 'display_name' | 'access'>

/** Returns the name of a ping for its viewer: others see "ann's pin" in place of a default name. */
export function titleOf(ping: Titled): string {
  if (ping.is_unnamed && ping.access !== 'owner') return t('pings.defaultTitle', { username: shownName(ping) })
  return ping.name || shownName(ping)
}

/** Returns the number of invitees and approved guests who are going. */
export function countGoing({ responses, guests }: Pick<Ping, 'responses' | 'guests'>): number {
  const approved = guests.filter(({ state }) => state === 'approved')
  return [...responses, ...approved].filter(({ response_type }) => response_type === 'accepted').length
}

/**
 * Whether a going or maybe response was given before the place or the start of the ping last changed. It keeps its effect until
 * the person responds again.
 */
export function isOutdated(
  { response_type, revision }: Pick<PingResponse, 'response_type' | 'revision'>,
  ping: Pick<ShownPing, 'revision'>,
): boolean {
  return response_type !== 'declined' && revision < ping.revision
}

/**
 * Returns the response if it is outdated, otherwise null. One that waits for the network may be a removal, and one of an earlier
 * version of the app has no revision.
 */
export function outdatedOf(
  response: { response_type: ResponseType | null; revision?: number | undefined } | null | undefined,
  ping: Pick<ShownPing, 'revision'>,
): Pick<PingResponse, 'response_type' | 'revision'> | null {
  const { response_type, revision } = response ?? {}
  if (response_type == null || revision === undefined) return null
  const given = { response_type, revision }
  return isOutdated(given, ping) ? given : null
}

export function countByStatus(pings: readonly Times[], nowMs: number): Record<PingStatus, number> {
  const counts = { active: 0, pending: 0, expired: 0 }
  for (const ping of pings) counts[statusAt(ping, nowMs)]++
  return counts
}

/** Returns true if the ping would still end within the maximum duration. */
export function canExtendBy(minutes: ExtensionMinutes, { created_at, activates_at, expires_at }: Times): boolean {
  const latestMs = Date.parse(activates_at ?? created_at) + pingLimits.lifeMaxMinutes * minuteMs
  return Date.parse(expires_at) + minutes * minuteMs <= latestMs
}

/** The owner sees all responses. Invitees see them if the owner allows it. */
export function canSeeResponses(ping: Pick<Ping, 'access' | 'responses_visible'>): boolean {
  return ping.access === 'owner' || ping.responses_visible
}

export function responseOf(responses: readonly PingResponse[], userId: UserId | undefined): ResponseType | null {
  return responses.find(({ user_id }) => user_id === userId)?.response_type ?? null
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((key, at) => key !== b[at])
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0)
}
