import type { Ping } from '@hither/contract/pings.ts'
import type { User } from '@hither/contract/users.ts'
import type { Pin } from '../map/pins/pins.ts'
import type { WaitingPing } from '../pings/outbox/outbox.rules.ts'
import { waitingPinsOf } from '../pings/outbox/waiting-pins.ts'
import { pinsOf } from '../pings/ping-pins.ts'

export interface OnTheMap {
  pings: readonly Ping[]
  /** Pings that are not sent yet. */
  waiting: readonly WaitingPing[]
  viewer: User | null
}

export function homePins({ pings, waiting, viewer, nowMs }: OnTheMap & { nowMs: number }): Pin[] {
  return [...pinsOf(pings, nowMs), ...(viewer ? waitingPinsOf(waiting, Date.now(), viewer) : [])]
}
