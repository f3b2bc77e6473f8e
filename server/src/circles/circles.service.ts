import type { ChangeCircle, Circle, CirclesExport, NewCircle } from '@hither/contract/circles.ts'
import type { CircleRow } from '@hither/contract/feeds.ts'
import type { CircleId, UserId } from '@hither/contract/ids.ts'
import type { Changes } from '../events/changes.ts'
import { feeds } from '../feeds/feeds.ts'
import type { Db, Pool, Tx } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { inOrder } from '../platform/db/in-order.ts'
import type { Queried } from '../platform/db/json-parts.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import type { Page } from '../platform/http/pages.ts'
import { listFriendIds } from '../relations/relations.service.ts'
import { lockUserAndRead } from '../users/user-locks.ts'
import * as queries from './circles.queries.ts'
import * as rules from './circles.rules.ts'

export interface CirclesDeps {
  readonly pool: Pool
  readonly changes: Changes
  readonly now: () => Date
}

/** Lists the circles of the caller by name. */
export async function listCircles({ pool }: CirclesDeps, ownerId: UserId, page: Page<CircleId>): Promise<Circle[]> {
  return queries.listCircles(pool, ownerId, page)
}

/** Creates a circle of friends of the caller. The members are not notified. */
export async function createCircle(
  { pool, changes, now }: CirclesDeps,
  ownerId: UserId,
  { emoji = null, ...input }: NewCircle,
): Promise<Circle> {
  const fields = rules.readFields({ ...input, emoji })
  return changes.commit(pool, async (tx, announce) => {
    // The lock serializes the circles and the pings of an owner, and keeps their friendships unchanged.
    const [owner, [state, friendIds]] = await lockUserAndRead(tx, ownerId, () =>
      inOrder([queries.getCreationState(tx, ownerId, fields.name), listFriendIds(tx, ownerId)]),
    )
    if (owner === null) throw new Refusal('authentication_required')
    rules.assertCanCreate(state)
    rules.assertMembers(fields.member_ids, friendIds)
    const circleId = newId<CircleId>()
    const [, circle] = await inOrder([
      queries.insertCircle(tx, { ...fields, circleId, userId: ownerId, now: now() }),
      getCircle(tx, ownerId, circleId),
    ])
    const row = rowOf(circle, ownerId)
    announce.insert('circles', row, feeds.circles.audience(row))
    return circle
  })
}

/** Changes the given fields of a circle of the caller. A change of nothing announces nothing. */
export async function changeCircle(
  { pool, changes, now }: CirclesDeps,
  ownerId: UserId,
  circleId: CircleId,
  { expected_updated_at: expected, ...input }: ChangeCircle,
): Promise<Circle> {
  const change = rules.readFields(input)
  return changes.commit(pool, async (tx, announce) => {
    const [, [before, friendIds, isNameTaken]] = await lockUserAndRead(tx, ownerId, () =>
      inOrder([
        getCircle(tx, ownerId, circleId),
        listFriendIds(tx, ownerId),
        change.name === undefined ? false : queries.isNameTaken(tx, ownerId, change.name, circleId),
      ]),
    )
    rules.assertExpected(before, expected)
    if (isNameTaken) throw new Refusal('circle_exists')
    if (change.member_ids) rules.assertMembers(change.member_ids, friendIds)
    const fields = rules.changedCircle(before, change)
    if (!fields) return before
    const [, after] = await inOrder([
      queries.updateCircle(tx, { ...fields, circleId, userId: ownerId, now: rules.changeTime(before, now()) }),
      getCircle(tx, ownerId, circleId),
    ])
    const row = rowOf(after, ownerId)
    announce.update('circles', row, rowOf(before, ownerId), feeds.circles.audience(row))
    return after
  })
}

/** Deletes a circle of the caller. Pings that were sent to it do not change. Does nothing if the caller has no such circle. */
export async function deleteCircle({ pool, changes }: CirclesDeps, ownerId: UserId, circleId: CircleId): Promise<void> {
  await changes.commit(pool, async (tx, announce) => {
    const [, row] = await lockUserAndRead(tx, ownerId, () => queries.deleteCircle(tx, ownerId, circleId))
    if (row) announce.delete('circles', row, feeds.circles.audience(row))
  })
}

/** Returns the circles of a user for the export of their data. */
export function exportCircles(db: Db, ownerId: UserId): Queried<CirclesExport> {
  return queries.listExported(db, ownerId)
}

/** Deletes all circles of an account that stays. Nothing is announced, because its sessions end. */
export async function eraseCircles(tx: Tx, ownerId: UserId): Promise<void> {
  await queries.deleteAllCircles(tx, ownerId)
}

/** Throws the same refusal for a missing circle and for one of another user. */
async function getCircle(tx: Tx, ownerId: UserId, circleId: CircleId): Promise<Circle> {
  const circle = await queries.findCircle(tx, ownerId, circleId)
  if (!circle) throw new Refusal('circle_not_found')
  return circle
}

function rowOf({ id, name, emoji, member_ids, updated_at }: Circle, ownerId: UserId): CircleRow {
  return { id, user_id: ownerId, name, emoji, member_count: member_ids.length, updated_at }
}
