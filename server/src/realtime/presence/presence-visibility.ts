import type { UserId } from '@hither/contract/ids.ts'
import type { Meta } from '../../presence/presence-store.ts'
import type { Payload } from '../protocol/protocol.ts'

/** The users whose presence one user may see: themselves and their friends. */
export interface PresenceVisibility {
  /** The users who may see the presence of this user. */
  audience(): UserId[]
  /** Returns the presence state in the form of `presence_state`. */
  state(): Payload
  /** Defers all further changes until the next `reload`. */
  beginReload(): void
  /** Replaces the friends and all presences, and reports the differences. Then applies the deferred changes. */
  reload(friends: readonly UserId[], metas: ReadonlyMap<UserId, readonly Meta[]>): void
  /**
   * Applies changes of this user or of friends, and ignores those of other users. A known presence is not reported
   * again.
   */
  deliver(joins: readonly Meta[], leaves: readonly Meta[]): void
  addFriend(friendId: UserId, metas: readonly Meta[]): void
  removeFriend(friendId: UserId): void
}

export function createPresenceVisibility(
  userId: UserId,
  onDifference: (joins: readonly Meta[], leaves: readonly Meta[]) => void,
): PresenceVisibility {
  let friends: ReadonlySet<UserId> = new Set()
  /** By `phx_ref`, in the order in which the connections started. */
  const seen = new Map<UserId, Map<string, Meta>>()
  let deferred: { joins: readonly Meta[]; leaves: readonly Meta[] }[] | null = null

  const visibility: PresenceVisibility = {
    audience: () => [userId, ...friends],
    state: () =>
      Object.fromEntries(
        [userId, ...friends].flatMap((id) => {
          const metas = seen.get(id)
          return metas ? [[id, { metas: [...metas.values()] }]] : []
        }),
      ),
    beginReload() {
      deferred ??= []
    },
    reload(nowFriends, metas) {
      const before = [...seen.values()].flatMap((known) => [...known.values()])
      const lost = before.filter(({ user_id }) => !nowFriends.includes(user_id) && user_id !== userId)
      friends = new Set(nowFriends)
      const there = new Set([...metas.values()].flatMap((known) => known.map(({ phx_ref }) => phx_ref)))
      change([...metas.values()].flat(), [...lost, ...before.filter(({ phx_ref }) => !there.has(phx_ref))])
      const meanwhile = deferred ?? []
      deferred = null
      for (const { joins, leaves } of meanwhile) visibility.deliver(joins, leaves)
    },
    deliver(joins, leaves) {
      if (deferred) deferred.push({ joins, leaves })
      else change(joins.filter(isSeen), leaves)
    },
    addFriend(friendId, metas) {
      friends = new Set([...friends, friendId])
      change(metas, [])
    },
    removeFriend(friendId) {
      friends = new Set([...friends].filter((id) => id !== friendId))
      change([], [...(seen.get(friendId)?.values() ?? [])])
    },
  }
  return visibility

  function isSeen({ user_id }: Meta): boolean {
    return user_id === userId || friends.has(user_id)
  }

  function change(joins: readonly Meta[], leaves: readonly Meta[]): void {
    const joined = joins.filter(({ user_id, phx_ref }) => !seen.get(user_id)?.has(phx_ref))
    for (const meta of joined) {
      const metas = seen.get(meta.user_id) ?? new Map<string, Meta>()
      seen.set(meta.user_id, metas.set(meta.phx_ref, meta))
    }
    const left = leaves.filter(({ user_id, phx_ref }) => {
      const metas = seen.get(user_id)
      if (!metas?.delete(phx_ref)) return false
      if (metas.size === 0) seen.delete(user_id)
      return true
    })
    if (joined.length > 0 || left.length > 0) onDifference(joined, left)
  }
}
