import { type Ping } from '@hither/contract/pings.ts'
import { type User } from '@hither/contract/users.ts'
import { type Pin } from '../map/pins.ts'
import { pinsOf } from '../pings/ping-pins.ts'
import { type WaitingPing } from '../pings/waiting.rules.ts'
import { waitingPinsOf } from '../pings/waiting-pins.ts'

export interface OnTheMap {
  pings: readonly Ping[]
  /** Not sent yet. */
  waiting: readonly WaitingPing[]
  viewer: User | null
}

export function homePins({ pings, waiting, viewer, nowMs }: OnTheMap & { nowMs: number }): Pin[] {
  return [...pinsOf(pings, nowMs, viewer?.id), ...(viewer ? waitingPinsOf(waiting, Date.now(), viewer) : [])]
}
