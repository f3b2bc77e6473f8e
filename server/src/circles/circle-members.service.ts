import type { CircleId, UserId } from '@hither/contract/ids.ts'
import type { Announce } from '../events/changes.ts'
import { feeds } from '../feeds/feeds.ts'
import type { Tx } from '../platform/db/database.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import type { LockedFriendship } from '../users/locked-rows.ts'
import type { LockedUser } from '../users/user-locks.ts'
import * as queries from './circles.queries.ts'

/** Circles that a ping is sent to. */
interface ChosenCircles {
  readonly circleIds: readonly CircleId[]
  /** The members of all of them, who are friends of the owner. A member of several circles may occur several times. */
  readonly memberIds: readonly UserId[]
  readonly areAllFound: boolean
}

/**
 * Finds circles of the owner with their members in one statement. Neither the circles nor the friendships change meanwhile.
 * `assertFound` refuses ids that the owner has no circle for.
 */
export async function findCircles(tx: Tx, ownerId: LockedUser, circleIds: readonly CircleId[]): Promise<ChosenCircles> {
  // Clients may write an id in upper case; the database stores lower case.
  const chosen = [...new Set(circleIds.map((id) => id.toLowerCase() as CircleId))]
  const found = chosen.length === 0 ? [] : await queries.listMemberIds(tx, ownerId, chosen)
  return {
    circleIds: chosen,
    memberIds: found.flatMap(({ member_ids }) => member_ids),
    areAllFound: found.length === chosen.length,
  }
}

/** Refuses unknown circles and those of other users alike. */
export function assertFound({ areAllFound }: ChosenCircles): void {
  if (!areAllFound) throw new Refusal('circle_not_found')
}

/**
 * Removes two friends from the circles of each other. Returns a function that announces it, to be called after the end of
 * the friendship was announced.
 */
export async function removeFromCircles(
  tx: Tx,
  announce: Announce,
  friendship: LockedFriendship,
  now: Date,
): Promise<() => void> {
  const circles = await queries.deleteMembersOf(tx, friendship.id, now)
  return () => {
    for (const { changed_at: updated_at, ...before } of circles) {
      const row = { ...before, updated_at, member_count: before.member_count - 1 }
      announce.update('circles', row, before, feeds.circles.audience(row))
    }
  }
}
