import type { UserId } from '@hither/contract/ids.ts'
import type { ResponseType } from '@hither/contract/pings.ts'
import { tripLimits } from '@hither/contract/runtime/trips.ts'
import type { Trip } from '@hither/contract/trips.ts'
import type { Access } from '../ping-access/ping-access.visibility.ts'
import { fieldError, InvalidInput, Refusal } from '../platform/errors/refusal.ts'

const minuteMs = 60_000

/** Refuses minutes out of the range. */
export function assertEta(minutes: number): void {
  if (minutes < tripLimits.etaMinMinutes || minutes > tripLimits.etaMaxMinutes)
    throw new InvalidInput(fieldError('body', 'eta_minutes')('eta_out_of_range'))
}

/** The time after these minutes, rounded to the nearest full minute. 30 seconds round up. */
export function arrivalTime(now: Date, minutes: number): Date {
  return new Date((Math.round(now.getTime() / minuteMs) + minutes) * minuteMs)
}

interface SharedPing {
  readonly access: Access | null
  readonly response_type: ResponseType | null
  readonly created_at: string
  readonly activates_at: string | null
  readonly expires_at: string
  readonly is_end_announced: boolean
}

/**
 * Refuses everybody but the owner and the invitees who are going, and times other than from three hours before the start of
 * the ping to its end.
 */
export function assertCanShare<P extends SharedPing>(ping: P | undefined, now: Date): asserts ping is P {
  if (!ping?.access) throw new Refusal('ping_not_found')
  const isGoing = ping.access === 'invitee' && ping.response_type === 'accepted'
  if (ping.access !== 'owner' && !isGoing) throw new Refusal('trip_not_going')
  if (ping.is_end_announced || Date.parse(ping.expires_at) <= now.getTime()) throw new Refusal('trip_ping_expired')
  const startMs = Date.parse(ping.activates_at ?? ping.created_at)
  if (startMs - now.getTime() > tripLimits.earliestMs) throw new Refusal('trip_too_early')
}

/** Whether a trip has ended by itself, because its arrival time has long passed, whether or not it has been deleted. */
export function isOverdue({ state, arrives_at }: Pick<Trip, 'state' | 'arrives_at'>, now: Date): boolean {
  return state === 'en_route' && Date.parse(arrives_at) + tripLimits.overdueMs <= now.getTime()
}

/** Refuses an automatic update of another trip than the current one, and of one that has arrived. */
export function assertCurrentStart(trip: Trip | null, startedAt: string): void {
  if (trip?.state !== 'en_route' || Date.parse(trip.started_at) !== Date.parse(startedAt))
    throw new Refusal('trip_ended')
}

/** What a call makes of the current trip of a person; `null`: there is none. */
export function tripAfter(
  current: Trip | null,
  traveler: Pick<Trip, 'ping_id' | 'user_id' | 'username'>,
  change: Pick<Trip, 'state'> & { readonly arrivesAt: Date },
  now: Date,
): Trip {
  return {
    ping_id: traveler.ping_id,
    user_id: traveler.user_id,
    username: traveler.username,
    state: change.state,
    arrives_at: change.arrivesAt.toISOString(),
    started_at: current?.state === 'en_route' ? current.started_at : startTime(current, now).toISOString(),
    updated_at: now.toISOString(),
  }
}

/** The start of a new trip, which differs from that of the one that it replaces. */
function startTime(replaced: Trip | null, now: Date): Date {
  return new Date(Math.max(now.getTime(), replaced ? Date.parse(replaced.started_at) + 1 : 0))
}

interface NotifiedPing {
  readonly user_id: UserId
  readonly is_trip_notified: boolean
  readonly is_arrival_notified: boolean
}

/**
 * Whether the owner is notified of this change: of the first trip and the first arrival of a person, but not of new minutes
 * and not of the owner's own trip.
 */
export function isNotified(ping: NotifiedPing, before: Trip | null, after: Trip): boolean {
  if (after.user_id === ping.user_id || before?.state === after.state) return false
  return after.state === 'en_route' ? !ping.is_trip_notified : !ping.is_arrival_notified
}
