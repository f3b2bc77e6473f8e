import { type FriendRequestRow, type FriendshipRow } from '@hither/contract/feeds.ts'
import { type BlockedUser, type Friend, type ReceivedRequest, type SentRequest } from '@hither/contract/friends.ts'
import { type FriendRequestId, type FriendshipId, type UserId } from '@hither/contract/ids.ts'
import { type Db } from '../platform/database.ts'
import { type PendingQuery, type Row } from '../platform/sql.ts'
import { statement } from '../platform/statements.ts'

// The lists are returned before they run, so that a test can ask the database how it would run the very same statement.

const friendIds = statement`
  select coalesce(json_agg(friend_id), '[]') as ids
  from (
    select requested_id as friend_id from friendships where requester_id = ${'userId'}
    union all
    select requester_id from friendships where requested_id = ${'userId'}
  ) f`

/** All in one row. */
export function listFriendIds(db: Db, userId: UserId) {
  return friendIds<{ ids: UserId[] }>(db, { userId })
}

// One order of names on every database, whatever its collation.
const friends = statement`
  select f.id, f.friend_id as user_id, u.username, u.has_image, f.created_at
  from (
    select id, requested_id as friend_id, created_at from friendships where requester_id = ${'viewerId'}
    union all
    select id, requester_id, created_at from friendships where requested_id = ${'viewerId'}
  ) f
  join users u on u.id = f.friend_id
  order by lower(u.username) collate "C"`

export function listFriends(db: Db, viewerId: UserId) {
  return friends<Omit<Friend, 'is_online'>>(db, { viewerId })
}

export function listReceivedRequests(db: Db, viewerId: UserId) {
  return db<ReceivedRequest[]>`
    select r.id, r.from_user_id as requester_id, u.username as requester_username, u.has_image, r.created_at
    from friend_requests r join users u on u.id = r.from_user_id
    where r.to_user_id = ${viewerId}
    order by r.created_at desc, r.id desc`
}

export function listSentRequests(db: Db, viewerId: UserId) {
  return db<SentRequest[]>`
    select r.id, r.to_user_id as requested_id, u.username as requested_username, u.has_image, r.created_at
    from friend_requests r join users u on u.id = r.to_user_id
    where r.from_user_id = ${viewerId}
    order by r.created_at desc, r.id desc`
}

export function listBlocked(db: Db, viewerId: UserId) {
  return db<BlockedUser[]>`
    select u.id as user_id, u.username, b.created_at
    from blocks b join users u on u.id = b.blocked_id
    where b.blocker_id = ${viewerId}
    order by b.created_at desc, u.id desc`
}

/**
 * Holds both people until the transaction ends, so that whatever else concerns the two waits. In the order of their ids, or
 * two calls could wait for one another; not `for update`, which would also stop every row that only refers to them.
 * Answers how many of the two exist.
 */
export async function lockPair(db: Db, a: UserId, b: UserId): Promise<number> {
  const rows = await db`select id from users where id in (${a}, ${b}) order by id for no key update`
  return rows.length
}

/** Everyone a friendship or a request ties this person to. */
export async function listRelatedIds(db: Db, userId: UserId): Promise<UserId[]> {
  const rows = await db<{ id: UserId }[]>`
    select requested_id as id from friendships where requester_id = ${userId}
    union select requester_id from friendships where requested_id = ${userId}
    union select to_user_id from friend_requests where from_user_id = ${userId}
    union select from_user_id from friend_requests where to_user_id = ${userId}`
  return rows.map((row) => row.id)
}

/** As `lockPair`, of any number. */
export async function lockPeople(db: Db, userIds: readonly UserId[]): Promise<void> {
  await db`select id from users where id = any(${userIds}::uuid[]) order by id for no key update`
}

/**
 * By exact name without case. One whom the viewer has blocked is found; one who has blocked the viewer is not, here
 * already, so that the refusal takes no longer than for a name nobody has.
 */
export async function findBlockableByName(db: Db, viewerId: UserId, username: string): Promise<UserId | undefined> {
  const [row] = await db<{ id: UserId }[]>`
    select u.id from users u
    where lower(u.username) = lower(${username})
      and not exists (select 1 from blocks b where b.blocker_id = u.id and b.blocked_id = ${viewerId})`
  return row?.id
}

/** Which of the two has blocked the other. */
export async function listBlockersBetween(db: Db, a: UserId, b: UserId): Promise<UserId[]> {
  const rows = await db<{ blocker_id: UserId }[]>`
    select blocker_id from blocks
    where (blocker_id = ${a} and blocked_id = ${b}) or (blocker_id = ${b} and blocked_id = ${a})`
  return rows.map((row) => row.blocker_id)
}

export async function insertBlock(db: Db, block: { blockerId: UserId; blockedId: UserId; now: Date }): Promise<void> {
  await db`
    insert into blocks (blocker_id, blocked_id, created_at)
    values (${block.blockerId}, ${block.blockedId}, ${block.now})
    on conflict do nothing`
}

/** Someone whom the viewer has blocked. */
export async function findBlockedByName(db: Db, viewerId: UserId, username: string): Promise<UserId | undefined> {
  const [row] = await db<{ id: UserId }[]>`
    select u.id from users u join blocks b on b.blocked_id = u.id
    where lower(u.username) = lower(${username}) and b.blocker_id = ${viewerId}`
  return row?.id
}

/** Whether there was one. */
export async function deleteBlock(db: Db, blockerId: UserId, blockedId: UserId): Promise<boolean> {
  const { count } = await db`delete from blocks where blocker_id = ${blockerId} and blocked_id = ${blockedId}`
  return count > 0
}

// Requests and friendships come as the live feeds carry them.

/** One that the viewer sent or received. */
export async function findRequest(
  db: Db,
  viewerId: UserId,
  requestId: FriendRequestId,
): Promise<FriendRequestRow | undefined> {
  const [row] = await db<FriendRequestRow[]>`
    ${requestRows(db, db`friend_requests`)}
    where r.id = ${requestId} and ${viewerId} in (r.from_user_id, r.to_user_id)`
  return row
}

export async function findRequestBetween(db: Db, a: UserId, b: UserId): Promise<FriendRequestRow | undefined> {
  const [row] = await db<FriendRequestRow[]>`
    ${requestRows(db, db`friend_requests`)}
    where least(r.from_user_id, r.to_user_id) = least(${a}::uuid, ${b}::uuid)
      and greatest(r.from_user_id, r.to_user_id) = greatest(${a}::uuid, ${b}::uuid)`
  return row
}

export function listRequests(db: Db, userId: UserId) {
  return db<FriendRequestRow[]>`
    ${requestRows(db, db`friend_requests`)}
    where r.from_user_id = ${userId} or r.to_user_id = ${userId} order by r.id`
}

export async function insertRequest(
  db: Db,
  request: { id: FriendRequestId; fromId: UserId; toId: UserId; now: Date },
): Promise<FriendRequestRow> {
  const [row] = await db<[FriendRequestRow]>`
    with inserted as (
      insert into friend_requests (id, from_user_id, to_user_id, created_at)
      values (${request.id}, ${request.fromId}, ${request.toId}, ${request.now})
      returning id, from_user_id, to_user_id, created_at
    )
    ${requestRows(db, db`inserted`)}`
  return row
}

export async function deleteRequest(db: Db, requestId: FriendRequestId): Promise<void> {
  await db`delete from friend_requests where id = ${requestId}`
}

function requestRows(db: Db, source: PendingQuery<Row[]>) {
  return db`
    select r.id, r.from_user_id, r.to_user_id, a.username as from_username, b.username as to_username,
      a.has_image as from_has_image, b.has_image as to_has_image, 'pending' as status, r.created_at
    from ${source} r join users a on a.id = r.from_user_id join users b on b.id = r.to_user_id`
}

/** One that the viewer is part of. */
export async function findFriendship(
  db: Db,
  viewerId: UserId,
  friendshipId: FriendshipId,
): Promise<FriendshipRow | undefined> {
  const [row] = await db<FriendshipRow[]>`
    ${friendshipRows(db, db`friendships`)}
    where f.id = ${friendshipId} and ${viewerId} in (f.requester_id, f.requested_id)`
  return row
}

export async function findFriendshipBetween(db: Db, a: UserId, b: UserId): Promise<FriendshipRow | undefined> {
  const [row] = await db<FriendshipRow[]>`
    ${friendshipRows(db, db`friendships`)}
    where least(f.requester_id, f.requested_id) = least(${a}::uuid, ${b}::uuid)
      and greatest(f.requester_id, f.requested_id) = greatest(${a}::uuid, ${b}::uuid)`
  return row
}

export function listFriendships(db: Db, userId: UserId) {
  return db<FriendshipRow[]>`
    ${friendshipRows(db, db`friendships`)}
    where f.requester_id = ${userId} or f.requested_id = ${userId} order by f.id`
}

export async function insertFriendship(
  db: Db,
  friendship: { id: FriendshipId; requesterId: UserId; requestedId: UserId; now: Date },
): Promise<FriendshipRow> {
  const [row] = await db<[FriendshipRow]>`
    with inserted as (
      insert into friendships (id, requester_id, requested_id, created_at)
      values (${friendship.id}, ${friendship.requesterId}, ${friendship.requestedId}, ${friendship.now})
      returning id, requester_id, requested_id, created_at
    )
    ${friendshipRows(db, db`inserted`)}`
  return row
}

export async function deleteFriendship(db: Db, friendshipId: FriendshipId): Promise<void> {
  await db`delete from friendships where id = ${friendshipId}`
}

function friendshipRows(db: Db, source: PendingQuery<Row[]>) {
  return db`
    select f.id, f.requester_id, f.requested_id, a.username as requester_username, b.username as requested_username,
      a.has_image as requester_has_image, b.has_image as requested_has_image, f.created_at
    from ${source} f join users a on a.id = f.requester_id join users b on b.id = f.requested_id`
}

export async function deleteBlocksBy(db: Db, blockerId: UserId): Promise<void> {
  await db`delete from blocks where blocker_id = ${blockerId}`
}
