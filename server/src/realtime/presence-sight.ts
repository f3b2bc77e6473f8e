import { type UserId } from '@hither/contract/ids.ts'
import { type Meta } from '../platform/attendance.ts'
import { type Payload } from './protocol.ts'

/** Whom one person sees online: themselves and their friends. */
export interface Sight {
  /** To whom it matters how they are online. */
  audience(): UserId[]
  /** As `presence_state` has it. */
  state(): Payload
  /** What is said of people from here on is held until they have been looked for. */
  beginLook(): void
  /** Everything anew: who the friends are, and how they and the person are online. Differences are told. */
  look(friends: readonly UserId[], metas: ReadonlyMap<UserId, readonly Meta[]>): void
  /** Of the person or a friend; of anyone else nothing is taken. What is known already is not told again. */
  hear(joins: readonly Meta[], leaves: readonly Meta[]): void
  gain(friendId: UserId, metas: readonly Meta[]): void
  lose(friendId: UserId): void
}

export function createSight(
  userId: UserId,
  onDifference: (joins: readonly Meta[], leaves: readonly Meta[]) => void,
): Sight {
  let friends: ReadonlySet<UserId> = new Set()
  /** By reference, in the order in which they came. */
  const seen = new Map<UserId, Map<string, Meta>>()
  let held: { joins: readonly Meta[]; leaves: readonly Meta[] }[] | null = null

  const sight: Sight = {
    audience: () => [userId, ...friends],
    state: () =>
      Object.fromEntries(
        [userId, ...friends].flatMap((id) => {
          const metas = seen.get(id)
          return metas ? [[id, { metas: [...metas.values()] }]] : []
        }),
      ),
    beginLook() {
      held ??= []
    },
    look(nowFriends, metas) {
      const before = [...seen.values()].flatMap((known) => [...known.values()])
      const lost = before.filter(({ user_id }) => !nowFriends.includes(user_id) && user_id !== userId)
      friends = new Set(nowFriends)
      const there = new Set([...metas.values()].flatMap((known) => known.map(({ phx_ref }) => phx_ref)))
      change([...metas.values()].flat(), [...lost, ...before.filter(({ phx_ref }) => !there.has(phx_ref))])
      const meanwhile = held ?? []
      held = null
      for (const { joins, leaves } of meanwhile) sight.hear(joins, leaves)
    },
    hear(joins, leaves) {
      if (held) held.push({ joins, leaves })
      else change(joins.filter(isSeen), leaves)
    },
    gain(friendId, metas) {
      friends = new Set([...friends, friendId])
      change(metas, [])
    },
    lose(friendId) {
      friends = new Set([...friends].filter((id) => id !== friendId))
      change([], [...(seen.get(friendId)?.values() ?? [])])
    },
  }
  return sight

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
