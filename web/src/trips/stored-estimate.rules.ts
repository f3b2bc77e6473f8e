import type { PingId } from '@hither/contract/ids.ts'
import type { Trip } from '@hither/contract/trips.ts'
import { isTravelMode, type TravelMode } from './estimates.rules.ts'

/** What the device stores of the trip that it estimates, to continue after a reload. It contains no position. */
export interface StoredEstimate {
  readonly ping_id: PingId
  readonly started_at: string
  readonly mode: TravelMode
}

/** Returns only the named fields of a stored value; null if it is none, for example of another version of the app. */
export function readStoredEstimate(value: unknown): StoredEstimate | null {
  if (typeof value !== 'object' || value === null) return null
  const { ping_id, started_at, mode } = value as Partial<Record<keyof StoredEstimate, unknown>>
  if (typeof ping_id !== 'string' || typeof started_at !== 'string' || !isTravelMode(mode)) return null
  return { ping_id: ping_id as PingId, started_at, mode }
}

/** Whether the device goes on estimating: the trip is still on the way and was not started again on another device. */
export function isContinued({ ping_id, started_at }: StoredEstimate, trip: Trip | undefined): boolean {
  return trip?.state === 'en_route' && trip.ping_id === ping_id && trip.started_at === started_at
}
