import { type Static, Type } from 'typebox'
import { PingId, UserId } from './ids.ts'
import type { Operation } from './operation.ts'
import { InstantInput, NoContent, oneOf, Timestamp } from './values.ts'

export const TripState = oneOf(['en_route', 'arrived'])
export type TripState = Static<typeof TripState>

/** The shared arrival time of one person for one ping. A row of the feed `ping_trips`. */
export const Trip = Type.Object({
  ping_id: PingId,
  user_id: UserId,
  username: Type.String(),
  state: TripState,
  arrives_at: Type.Unsafe<Timestamp>({ ...Timestamp, description: 'Rounded to the nearest full minute' }),
  started_at: Type.Unsafe<Timestamp>({
    ...Timestamp,
    description: 'When the trip was started; a trip that is started again has another time',
  }),
  updated_at: Timestamp,
})
export type Trip = Static<typeof Trip>

/** A rule of the server checks the range, because its error has its own text. */
const EtaMinutes = Type.Integer({ description: 'Minutes until the arrival, 1 to 180' })

/**
 * The start of the trip that an automatic update belongs to. It applies only if the trip is still on the way and has this
 * start. Without it, the call is a decision of the person and may start a trip.
 */
const ExpectedStart = Type.Optional(InstantInput)

const PingParam = Type.Object({ id: PingId })
const hour = 3600

const refusals = ['ping_not_found', 'trip_not_going', 'trip_ping_expired', 'trip_too_early', 'trip_ended'] as const

export const shareTrip = {
  address: 'PUT /pings/:id/trip',
  auth: 'required',
  tag: 'trips',
  summary: 'Share when the caller arrives at a ping to which they are going, or change the time',
  params: PingParam,
  body: Type.Object({ eta_minutes: EtaMinutes, started_at: ExpectedStart }),
  replies: { 200: Trip },
  refusals,
  rateLimits: [{ by: 'person', max: 120, seconds: hour }],
} as const satisfies Operation

export const arriveAtPing = {
  address: 'POST /pings/:id/trip/arrived',
  auth: 'required',
  tag: 'trips',
  summary: 'Share that the caller has arrived at a ping, also without an earlier trip; the body may be absent',
  params: PingParam,
  body: Type.Object({ started_at: ExpectedStart }),
  isBodyOptional: true,
  replies: { 200: Trip },
  refusals,
  rateLimits: [{ by: 'person', max: 60, seconds: hour }],
} as const satisfies Operation

export const stopTrip = {
  address: 'DELETE /pings/:id/trip',
  auth: 'required',
  tag: 'trips',
  summary: 'Stop sharing when the caller arrives at a ping; idempotent, also for pings that the caller does not see',
  params: PingParam,
  replies: { 204: NoContent },
} as const satisfies Operation
