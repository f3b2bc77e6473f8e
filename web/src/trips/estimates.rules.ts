import { tripLimits } from '@hither/contract/runtime/trips.ts'
import { distanceM } from '../map/location/distance.ts'
import type { Place } from '../map/map-defaults.ts'

// How the device estimates an arrival. Positions never leave it: only the minutes do.

const travelModes = ['walk', 'bike', 'drive'] as const
export type TravelMode = (typeof travelModes)[number]

export function isTravelMode(value: unknown): value is TravelMode {
  return travelModes.some((mode) => mode === value)
}

/** In meters per minute. */
const speeds: Readonly<Record<TravelMode, number>> = { walk: 80, bike: 230, drive: 500 }
/** Streets are about a quarter longer than the great circle. */
const detour = 1.25
/** A position with a larger error is not used for an estimate. */
const accuracyMaxM = 500
/** A person within this distance has arrived, if the position is precise enough. */
const arrivedWithinM = 75
const arrivedAccuracyMaxM = 100

const minuteMs = 60_000
/** An update is sent if the arrival differs by at least this time from the last one that was sent. */
const updateFromMs = 2 * minuteMs
/** The shortest time between two updates. */
const updatePauseMs = minuteMs

/** A position of the device. `accuracyM` is the radius of its error. */
export interface Position extends Place {
  readonly accuracyM: number
}

/** The minutes of a first estimate, or why there is none. */
type Estimate = { readonly minutes: number } | { readonly problem: 'imprecise' | 'too far' }

export function estimate(position: Position, pin: Place, mode: TravelMode): Estimate {
  if (position.accuracyM > accuracyMaxM) return { problem: 'imprecise' }
  const minutes = minutesTo(distanceM(position, pin), mode)
  return minutes > tripLimits.etaMaxMinutes ? { problem: 'too far' } : { minutes }
}

function minutesTo(meters: number, mode: TravelMode): number {
  return Math.max(tripLimits.etaMinMinutes, Math.ceil((meters * detour) / speeds[mode]))
}

/** What was sent last: when, and the arrival that it stated, in Unix milliseconds. */
interface SentEstimate {
  readonly atMs: number
  readonly arrivesMs: number
}

/** What a new position makes the device send: nothing, the arrival, or new minutes. */
type AutomaticUpdate = { readonly kind: 'arrived' } | { readonly kind: 'minutes'; readonly minutes: number } | null

export function nextUpdate(
  position: Position,
  pin: Place,
  mode: TravelMode,
  sent: SentEstimate,
  nowMs: number,
): AutomaticUpdate {
  if (hasArrived(position, pin)) return { kind: 'arrived' }
  const found = estimate(position, pin, mode)
  if ('problem' in found || nowMs - sent.atMs < updatePauseMs) return null
  const differenceMs = Math.abs(nowMs + found.minutes * minuteMs - sent.arrivesMs)
  return differenceMs >= updateFromMs ? { kind: 'minutes', minutes: found.minutes } : null
}

function hasArrived(position: Position, pin: Place): boolean {
  return position.accuracyM <= arrivedAccuracyMaxM && distanceM(position, pin) <= arrivedWithinM
}
