import type { PingId } from '@hither/contract/ids.ts'
import { shareTrip, stopTrip } from '@hither/contract/runtime/trips.ts'
import type { Trip } from '@hither/contract/trips.ts'
import { call } from '../../api/transport.ts'

/** A decision of the viewer: a start or a change with its minutes, or a stop. */
export type TripDecision =
  | { readonly kind: 'share'; readonly pingId: PingId; readonly minutes: number }
  | { readonly kind: 'stop'; readonly pingId: PingId }

/** Resolves to the stored trip; null after a stop. */
export async function sendDecision(decision: TripDecision): Promise<Trip | null> {
  const params = { id: decision.pingId }
  if (decision.kind === 'share') return call(shareTrip, { params, body: { eta_minutes: decision.minutes } })
  await call(stopTrip, { params })
  return null
}
