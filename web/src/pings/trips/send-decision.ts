import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { Trip } from '@hither/contract/trips.ts'
import { call } from '../../api/transport.ts'
import type { TravelMode } from '../../trips/estimates.rules.ts'
import { endEstimateOf, startEstimate } from '../../trips/estimation/estimation.ts'

/** A decision of the viewer: a start or a change with its minutes, or a stop. With a `mode`, this device estimates the trip. */
export type TripDecision =
  | {
      readonly kind: 'share'
      readonly pingId: PingId
      readonly minutes: number
      readonly mode?: TravelMode | undefined
    }
  | { readonly kind: 'stop'; readonly pingId: PingId }

/** Resolves to the stored trip; null after a stop. */
export async function sendDecision(viewerId: UserId, decision: TripDecision): Promise<Trip | null> {
  const params = { id: decision.pingId }
  if (decision.kind === 'stop') {
    await call('DELETE /pings/:id/trip', { params })
    return null
  }
  const trip = await call('PUT /pings/:id/trip', { params, body: { eta_minutes: decision.minutes } })
  const { pingId, mode } = decision
  if (mode !== undefined) await startEstimate({ pingId, startedAt: trip.started_at, mode })
  // Chosen minutes stay. The estimate of an earlier decision may have started meanwhile.
  else await endEstimateOf(viewerId, pingId)
  return trip
}
