import { tripLimits } from '@hither/contract/runtime/trips.ts'
import type { Trip } from '@hither/contract/trips.ts'

/** Whether a trip has ended by itself, because its arrival time has long passed, whether or not it has been deleted. */
export function isOverdue({ state, arrives_at }: Pick<Trip, 'state' | 'arrives_at'>, now: Date): boolean {
  return state === 'en_route' && Date.parse(arrives_at) + tripLimits.overdueMs <= now.getTime()
}
