import type { Address } from '../operation.ts'

export const tripLimits = {
  etaMinMinutes: 1,
  etaMaxMinutes: 180,
  /** How long before the start of a ping a trip may be shared. */
  earliestMs: 10_800_000,
  /** A trip ends this long after its arrival time if the person has not arrived by then. */
  overdueMs: 1_800_000,
} as const

export const tripTexts = {
  etaOutOfRange: 'Please choose between 1 and 180 minutes.',
} as const

export const shareTrip = {
  method: 'PUT',
  path: '/pings/:id/trip',
  auth: 'required',
} as const satisfies Address

export const arriveAtPing = {
  method: 'POST',
  path: '/pings/:id/trip/arrived',
  auth: 'required',
} as const satisfies Address

export const stopTrip = {
  method: 'DELETE',
  path: '/pings/:id/trip',
  auth: 'required',
} as const satisfies Address
