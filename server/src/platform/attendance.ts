import { type UserId } from '@hither/contract/ids.ts'
import { type Presence } from './presence.ts'

/** One way in which a person is online, as their friends' clients are told of it. */
export interface Meta {
  /** Names it among all. */
  readonly phx_ref: string
  readonly user_id: UserId
  readonly online_at: string
}

/** Something about a way of being online that this node did not do itself. */
export interface AttendanceEvents {
  /** It ended with the node that it was at. `isLast`: the person has no other. */
  onLost(meta: Meta, isLast: boolean): void
  /** One of this node's had been forgotten, and is there again. `isFirst`: the person had no other. */
  onRestored(meta: Meta, isFirst: boolean): void
}

/** In which ways people are online, at all nodes. */
export interface Attendance extends Presence {
  /** Answers whether the person was not online before. */
  enter(meta: Meta): Promise<boolean>
  /** Answers whether the person is not online any more. */
  leave(meta: Meta): Promise<boolean>
  /** Of those who are online, in the order in which they came. */
  metasOf(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, readonly Meta[]>>
  /** To be called once, before anyone enters. */
  listen(events: AttendanceEvents): void
  stop(): void
}

/** Of a node that is alone. */
export function createLocalAttendance(): Attendance {
  const people = new Map<UserId, Map<string, Meta>>()
  return {
    async enter(meta) {
      const metas = people.get(meta.user_id) ?? new Map<string, Meta>()
      people.set(meta.user_id, metas.set(meta.phx_ref, meta))
      return metas.size === 1
    },
    async leave(meta) {
      const metas = people.get(meta.user_id)
      if (!metas?.delete(meta.phx_ref) || metas.size > 0) return false
      return people.delete(meta.user_id)
    },
    async metasOf(userIds) {
      return new Map(userIds.flatMap((id) => (people.has(id) ? [[id, [...(people.get(id)?.values() ?? [])]]] : [])))
    },
    isOnline: async (userId) => people.has(userId),
    onlineAmong: async (userIds) => new Set(userIds.filter((id) => people.has(id))),
    listen: () => {},
    stop: () => {},
  }
}
