import type { PingId, UserId } from '@hither/contract/ids.ts'
import { createPersistentQueue } from '../../outbox/persistent-queue.ts'
import { sessionState } from '../../session/session.ts'
import type { TravelMode } from '../estimates.rules.ts'
import { readStoredEstimate, type StoredEstimate } from '../stored-estimate.rules.ts'

/**
 * At most one item. It is stored with what waits to be sent, so that it is erased with the session as well, and so that all tabs
 * share it.
 */
const stored = createPersistentQueue<StoredEstimate>('estimate')

/**
 * Lets this device estimate the arrival of a trip of the viewer from now on, instead of an earlier trip. `startedAt` is the
 * `started_at` of the trip as the server returned it.
 */
export async function startEstimate(estimate: { pingId: PingId; startedAt: string; mode: TravelMode }): Promise<void> {
  const { pingId, startedAt, mode } = estimate
  const viewerId = sessionState().user?.id
  if (viewerId === undefined) return
  await stored.edit(viewerId, () => [{ ping_id: pingId, started_at: startedAt, mode }])
}

/** The trip that this device estimates, also after a reload. */
export function currentEstimate(): StoredEstimate | null {
  return readStoredEstimate(stored.items()[0])
}

/** Ends this estimate. A later one stays. */
export function endEstimate(viewerId: UserId, { started_at }: StoredEstimate): Promise<void> {
  return stored.edit(viewerId, (items) => items.filter((item) => item.started_at !== started_at))
}

/** Ends the estimate of the trip to this ping, if it is the current one. */
export async function endEstimateOf(viewerId: UserId, pingId: PingId): Promise<void> {
  const estimate = currentEstimate()
  if (estimate?.ping_id === pingId) await endEstimate(viewerId, estimate)
}

/** Calls back when an estimate was started or ended, also in another tab, or was read from the device. */
export const subscribeToEstimate: (listener: () => void) => () => void = stored.subscribe
