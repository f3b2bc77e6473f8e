import { type UserId } from '@hither/contract/ids.ts'
import { type Change } from './bus.ts'

/** Which subscription of which client. */
export interface Seat {
  readonly userId: UserId
  /** As the client names itself. */
  readonly clientId: string
  readonly topic: string
}

export interface Place {
  /** Of what the subscription asks for: another one is not continued by it. */
  readonly signature: string
  /** All before it, and itself, has reached the client. */
  readonly position: string
  /** Whether anything was told to it yet. */
  readonly hasTold: boolean
  /** Whether the notice that something before it was lost may not have reached the client. */
  readonly isOwed: boolean
}

/** `change` is `null` where nothing before it may be told any more. */
export interface LogEntry {
  readonly position: string
  readonly change: Change | null
}

/** What the nodes remember together of the last minutes, so that a client may come back to another node than it was at. */
export interface SharedLog {
  /** Of the last change heard for someone who is watched here; a `committedAt`. */
  positionOf(userId: UserId): string | null
  /**
   * What was announced for this person, from the change on whose `committedAt` `position` begins with, this one included as
   * far as it is still kept. `null` where anything of it is not known any more.
   */
  since(userId: UserId, position: string): Promise<readonly LogEntry[] | null>
  /** Each replaces what was kept of its seat, and lasts as long as a client is waited for. */
  keepPlaces(places: readonly (Seat & Place)[]): Promise<void>
  placeOf(seat: Seat): Promise<Place | null>
  forgetPlace(seat: Seat): Promise<void>
}
