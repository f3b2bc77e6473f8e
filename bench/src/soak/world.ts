import type { ConversationId, PingId } from '@hither/contract/ids.ts'
import type { Device } from './device.ts'
import type { Locks } from './locks.ts'
import { areFriends, friendsOf, type Model, type ModelChat } from './model.ts'
import type { Person } from './person.ts'
import type { Report } from './report.ts'

export interface World {
  readonly model: Model
  readonly report: Report
  readonly locks: Locks
  /** The users. The last one is the herald: a friend of everyone, whose renames mark the end of the changes before a check. */
  readonly cast: readonly Person[]
  /** The devices of signed-in users. */
  readonly devices: Map<number, Device>
  readonly pictures: readonly Uint8Array<ArrayBuffer>[]
  openDevice(person: Person): Promise<Device>
}

export const heraldOf = ({ cast }: World) => cast.length - 1

// The keys of the locks that actions take: the relations of a user, a conversation, a ping, the picture of a user.
export const relationsOf = (who: number) => `person ${who}`
export const chatKey = (id: ConversationId) => `chat ${id}`
export const pingKey = (id: PingId) => `ping ${id}`
export const pictureOf = (who: number) => `picture ${who}`

/** The relation keys that decide whether a direct conversation is visible and writable. */
export const peopleOf = ({ pair }: ModelChat) => (pair ?? []).map(relationsOf)

export const random = (below: number) => Math.floor(Math.random() * below)
export const chance = (share: number) => Math.random() < share

export function oneOf<T>(values: readonly T[]): T | undefined {
  return values[random(values.length)]
}

export function someOf<T>(values: readonly T[], count: number): T[] {
  const left = [...values]
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(random(left.length), 1)[0] as T)
}

/** All friends except the herald. */
export function livelyFriends(world: World, who: number): number[] {
  return friendsOf(world.model, who).filter((other) => other !== heraldOf(world))
}

export function strangerTo(world: World, who: number): number | undefined {
  const others = Array.from({ length: heraldOf(world) }, (_, index) => index)
  return oneOf(others.filter((other) => other !== who && !areFriends(world.model, who, other)))
}

export function indexOf({ cast }: World, id: string | null): number {
  return cast.findIndex((person) => person.id === id)
}
