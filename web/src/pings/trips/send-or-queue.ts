import type { UserId } from '@hither/contract/ids.ts'
import type { Trip } from '@hither/contract/trips.ts'
import type { QueryClient } from '@tanstack/react-query'
import { isTransient } from '../../api/api-error.ts'
import { newId } from '../../device/ids.ts'
import { unsentShare, withUnsent } from '../../trips/unsent-trips.rules.ts'
import { sendWithOutbox } from '../outbox/send-with-outbox.ts'
import { sendDecision, type TripDecision } from './send-decision.ts'
import { startTripWork } from './trip-work.ts'
import { tripsLock, unsentTrips } from './unsent-trips.ts'

/** Who decides, and the trip as it was. */
export interface Decider {
  readonly queryClient: QueryClient
  readonly viewerId: UserId
  readonly before: Trip | null
}

/**
 * Sends a decision of the viewer. Resolves to the trip that the server stored, and to null if there is none: after a stop, and
 * without a network, where the decision waits in the outbox. Throws the server's refusal.
 */
export async function sendOrQueue(
  decision: TripDecision,
  { queryClient, viewerId, before }: Decider,
): Promise<Trip | null> {
  const { pingId } = decision
  const unsent = decision.kind === 'share' ? unsentShare(decision, Date.now()) : ({ kind: 'stop' } as const)
  const item = { ...unsent, client_id: newId(), ping_id: pingId, before }
  startTripWork(queryClient, viewerId)
  return sendWithOutbox({
    item,
    owner: viewerId,
    queue: unsentTrips,
    lock: tripsLock(viewerId),
    put: (items) => withUnsent(items, item),
    send: () => sendDecision(viewerId, decision),
    // Others see the trip until the stop has arrived.
    ...(decision.kind === 'stop' && { isKept: isTransient }),
  })
}
