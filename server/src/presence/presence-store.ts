import type { UserId } from '@hither/contract/ids.ts'
import type { Presence } from './presence.ts'

/** One online connection of a user, in the form that the clients of their friends receive. */
export interface Meta {
  /** Unique among all connections. */
  readonly phx_ref: string
  readonly user_id: UserId
  readonly online_at: string
}

/** Changes of a connection's presence that this node did not make itself. */
export interface PresenceStoreEvents {
  /** The node of the connection died. `isLast`: the user has no other connection. */
  onLost(meta: Meta, isLast: boolean): void
  /** The store had lost a connection of this node and has it again. `isFirst`: the user had no other. */
  onRestored(meta: Meta, isFirst: boolean): void
}

/** The online connections of all users, on all nodes. */
export interface PresenceStore extends Presence {
  /** Returns whether the user was offline before. */
  enter(meta: Meta): Promise<boolean>
  /** Returns whether the user is offline now. */
  leave(meta: Meta): Promise<boolean>
  /** The connections of the users who are online, in the order in which they started. */
  metasOf(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, readonly Meta[]>>
  /** Must be called once, before the first `enter`. */
  listen(events: PresenceStoreEvents): void
  stop(): void
}

/** The store of a single node. */
export function createLocalPresenceStore(): PresenceStore {
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
