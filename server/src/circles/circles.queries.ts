import type { Circle, CirclesExport } from '@hither/contract/circles.ts'
import type { CircleRow } from '@hither/contract/feeds.ts'
import type { CircleId, FriendshipId, UserId } from '@hither/contract/ids.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { sql, statement } from '../platform/db/statements.ts'
import { type Page, pageValues } from '../platform/http/pages.ts'
import { friendsOfUser } from '../relations/relations.visibility.ts'
import type { CircleFields } from './circles.rules.ts'

// Every read has the id of the owner in its `where`: nobody else ever receives anything of a circle. Lists are returned
// before they run, so that a test can ask the database for the plan of the same statement.

const columns = sql`
  c.id, c.name, c.emoji, (
    select coalesce(json_agg(m.user_id order by u.username_key, m.user_id), '[]')
    from circle_members m
    cross join lateral (select username_key from users where id = m.user_id offset 0) u
    where m.circle_id = c.id) as member_ids, c.created_at, c.updated_at`

const listed = statement`
  select ${columns} from circles c
  where c.user_id = ${'ownerId'} and (${'before'}::uuid is null or (lower(c.name), c.id) > (
    select lower(b.name), b.id from circles b where b.id = ${'before'}::uuid and b.user_id = ${'ownerId'}))
  order by lower(c.name), c.id
  limit ${'limit'}::int`

/** Lists the circles of a user by name, with their members by username. */
export function listCircles(db: Db, ownerId: UserId, page: Page<CircleId> = {}) {
  return listed<Circle>(db, { ownerId, ...pageValues(page) })
}

const one = statement`
  select ${columns} from circles c where c.id = ${'circleId'} and c.user_id = ${'ownerId'}`

export async function findCircle(db: Db, ownerId: UserId, circleId: CircleId): Promise<Circle | undefined> {
  const [circle] = await one<Circle>(db, { ownerId, circleId })
  return circle
}

const memberIds = statement`
  select c.id, (
    select coalesce(json_agg(m.user_id), '[]') from circle_members m where m.circle_id = c.id) as member_ids
  from circles c
  where c.user_id = ${'ownerId'} and c.id = any(${'circleIds'}::uuid[])`

/** Lists those of the circles that the user has, with their members. */
export function listMemberIds(db: Db, ownerId: UserId, circleIds: readonly CircleId[]) {
  return memberIds<Pick<Circle, 'id' | 'member_ids'>>(db, { ownerId, circleIds })
}

const creationState = statement`
  select count(*)::integer as circles, coalesce(bool_or(lower(name) = lower(${'name'})), false) as is_name_taken
  from circles where user_id = ${'ownerId'}`

/** Returns how many circles the user has, and whether one of them has this name. */
export async function getCreationState(
  tx: Tx,
  ownerId: UserId,
  name: string,
): Promise<{ circles: number; is_name_taken: boolean }> {
  const [row] = await creationState<{ circles: number; is_name_taken: boolean }>(tx, { ownerId, name })
  return row as NonNullable<typeof row>
}

const nameTaken = statement`
  select 1 from circles where user_id = ${'ownerId'} and lower(name) = lower(${'name'}) and id <> ${'circleId'}`

/** Whether another circle of the user has this name. */
export async function isNameTaken(tx: Tx, ownerId: UserId, name: string, circleId: CircleId): Promise<boolean> {
  return (await nameTaken(tx, { ownerId, name, circleId })).length > 0
}

const insert = statement`
  with circle as (
    insert into circles (id, user_id, name, emoji, created_at, updated_at)
    values (${'circleId'}, ${'userId'}, ${'name'}, ${'emoji'}::text, ${'now'}::timestamptz, ${'now'})
    returning id, created_at
  )
  insert into circle_members (circle_id, user_id, added_at, friendship_id)
  select c.id, f.friend_id, c.created_at, f.id
  from circle c, ${friendsOfUser} f where f.friend_id = any(${'memberIds'}::uuid[])`

/** Inserts a circle. The members must be friends of its owner. */
export async function insertCircle(
  tx: Tx,
  circle: CircleFields & { circleId: CircleId; userId: UserId; now: Date },
): Promise<void> {
  await insert(tx, { ...circle, memberIds: circle.member_ids })
}

const update = statement`
  with circle as (
    update circles set name = ${'name'}, emoji = ${'emoji'}::text, updated_at = ${'now'}::timestamptz
    where id = ${'circleId'} and user_id = ${'userId'}
    returning id, updated_at
  ), removed as (
    delete from circle_members m using circle c where m.circle_id = c.id and m.user_id <> all(${'memberIds'}::uuid[])
  )
  insert into circle_members (circle_id, user_id, added_at, friendship_id)
  select c.id, f.friend_id, c.updated_at, f.id
  from circle c, ${friendsOfUser} f where f.friend_id = any(${'memberIds'}::uuid[])
  on conflict (circle_id, user_id) do nothing`

/** Stores the fields of a circle. Members who stay keep the time at which they were added. */
export async function updateCircle(
  tx: Tx,
  circle: CircleFields & { circleId: CircleId; userId: UserId; now: Date },
): Promise<void> {
  await update(tx, { ...circle, memberIds: circle.member_ids })
}

// A statement reads its tables as they were before it, so the count includes a member who is removed by it.
const memberCount = sql`(select count(*)::integer from circle_members m where m.circle_id = c.id)`

const erase = statement`
  delete from circles c where c.id = ${'circleId'} and c.user_id = ${'ownerId'}
  returning c.id, c.user_id, c.name, c.emoji, ${memberCount} as member_count, c.updated_at`

/** Deletes a circle and returns it; undefined if the user has no such circle. */
export async function deleteCircle(tx: Tx, ownerId: UserId, circleId: CircleId): Promise<CircleRow | undefined> {
  const [row] = await erase<CircleRow>(tx, { ownerId, circleId })
  return row
}

const removeByFriendship = statement`
  with removed as (
    delete from circle_members where friendship_id = ${'friendshipId'} returning circle_id
  ), before as (
    select c.id, c.user_id, c.name, c.emoji, ${memberCount} as member_count, c.updated_at
    from circles c join removed r on r.circle_id = c.id
  ), after as (
    update circles c set updated_at = greatest(${'now'}::timestamptz, c.updated_at + interval '1 millisecond')
    from removed r where c.id = r.circle_id
    returning c.id, c.updated_at
  )
  select b.id, b.user_id, b.name, b.emoji, b.member_count, b.updated_at, a.updated_at as changed_at
  from before b join after a on a.id = b.id
  order by b.id`

/** Removes the two friends from the circles of each other. Returns the circles before that, with the time of the change. */
export function deleteMembersOf(tx: Tx, friendshipId: FriendshipId, now: Date) {
  return removeByFriendship<CircleRow & { changed_at: string }>(tx, { friendshipId, now })
}

const exported = statement`
  select c.name, c.emoji, (
    select coalesce(json_agg(u.username order by u.username_key), '[]')
    from circle_members m join users u on u.id = m.user_id where m.circle_id = c.id) as members, c.created_at
  from circles c where c.user_id = ${'ownerId'} order by lower(c.name), c.id`

/** Lists the circles of a user for the export of their data. */
export function listExported(db: Db, ownerId: UserId) {
  return exported<CirclesExport[number]>(db, { ownerId })
}

export async function deleteAllCircles(tx: Tx, ownerId: UserId): Promise<void> {
  await tx`delete from circles where user_id = ${ownerId}`
}
