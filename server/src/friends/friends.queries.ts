import type { FriendRequestRow, FriendshipRow } from '@hither/contract/feeds.ts'
import type { BlockedUser, Friend, ReceivedRequest, SentRequest } from '@hither/contract/friends.ts'
import type { FriendRequestId, FriendshipId, UserId } from '@hither/contract/ids.ts'
import { usernameKeyOf } from '@hither/contract/runtime/identifiers.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import type { PendingQuery, Row } from '../platform/db/sql.ts'
import { sql, statement } from '../platform/db/statements.ts'
import { type Page, pageValues } from '../platform/http/pages.ts'
import { friendsOfUser, hasBlocked } from '../relations/relations.visibility.ts'

// Lists are returned before they run, so that a test can ask the database for the plan of the same statement.

const friends = statement`
  select f.id, f.friend_id as user_id, u.username, u.display_name, u.has_image, f.created_at
  from ${friendsOfUser} f
  join users u on u.id = f.friend_id
  where ${'before'}::uuid is null or u.username_key > (
    select b.username_key from ${friendsOfUser} l join users b on b.id = l.friend_id where b.id = ${'before'}::uuid)
  order by u.username_key
  limit ${'limit'}::int`

export function listFriends(db: Db, viewerId: UserId, page: Page<UserId> = {}) {
  return friends<Omit<Friend, 'is_online'>>(db, { userId: viewerId, ...pageValues(page) })
}

export function listReceivedRequests(db: Db, viewerId: UserId, page: Page<FriendRequestId> = {}) {
  const { limit, before } = pageValues(page)
  return db<ReceivedRequest[]>`
    select r.id, r.from_user_id as requester_id, u.username as requester_username,
      u.display_name as requester_display_name, u.has_image, r.created_at
    from friend_requests r join users u on u.id = r.from_user_id
    where r.to_user_id = ${viewerId} and (${before}::uuid is null or (r.created_at, r.id) < (
      select b.created_at, b.id from friend_requests b where b.id = ${before}::uuid and b.to_user_id = ${viewerId}))
    order by r.created_at desc, r.id desc
    limit ${limit}::int`
}

export function listSentRequests(db: Db, viewerId: UserId, page: Page<FriendRequestId> = {}) {
  const { limit, before } = pageValues(page)
  return db<SentRequest[]>`
    select r.id, r.to_user_id as requested_id, u.username as requested_username,
      u.display_name as requested_display_name, u.has_image, r.created_at
    from friend_requests r join users u on u.id = r.to_user_id
    where r.from_user_id = ${viewerId} and (${before}::uuid is null or (r.created_at, r.id) < (
      select b.created_at, b.id from friend_requests b where b.id = ${before}::uuid and b.from_user_id = ${viewerId}))
    order by r.created_at desc, r.id desc
    limit ${limit}::int`
}

export function listBlocked(db: Db, viewerId: UserId, page: Page<UserId> = {}) {
  const { limit, before } = pageValues(page)
  return db<BlockedUser[]>`
    select u.id as user_id, u.username, u.display_name, b.created_at
    from blocks b join users u on u.id = b.blocked_id
    where b.blocker_id = ${viewerId} and (${before}::uuid is null or (b.created_at, u.id) < (
      select l.created_at, l.blocked_id from blocks l
      where l.blocker_id = ${viewerId} and l.blocked_id = ${before}::uuid))
    order by b.created_at desc, u.id desc
    limit ${limit}::int`
}

/** Lists all users with whom this user has a friendship or a request. */
export async function listRelatedIds(tx: Tx, userId: UserId): Promise<UserId[]> {
  const rows = await relatedIds<{ id: UserId }>(tx, { userId })
  return rows.map((row) => row.id)
}

const relatedIds = statement`
  select friend_id as id from ${friendsOfUser} f
  union select to_user_id from friend_requests where from_user_id = ${'userId'}
  union select from_user_id from friend_requests where to_user_id = ${'userId'}`

/**
 * Finds a user to block by exact name, ignoring case. Finds users whom the viewer has blocked. Does not find users who
 * have blocked the viewer: the refusal then takes as long as for an unknown name.
 */
export async function findBlockableByName(tx: Tx, viewerId: UserId, username: string): Promise<UserId | undefined> {
  const [row] = await blockableByName<{ id: UserId }>(tx, { viewerId, usernameKey: usernameKeyOf(username) })
  return row?.id
}

const blockableByName = statement`
  select u.id from users u
  where u.username_key = ${'usernameKey'} and not ${hasBlocked<'viewerId'>(sql`u.id`, sql`${'viewerId'}`)}`

/** Lists which of the two users has blocked the other. */
export async function listBlockersBetween(tx: Tx, a: UserId, b: UserId): Promise<UserId[]> {
  const rows = await tx<{ blocker_id: UserId }[]>`
    select blocker_id from blocks
    where (blocker_id = ${a} and blocked_id = ${b}) or (blocker_id = ${b} and blocked_id = ${a})`
  return rows.map((row) => row.blocker_id)
}

export async function insertBlock(tx: Tx, block: { blockerId: UserId; blockedId: UserId; now: Date }): Promise<void> {
  await tx`
    insert into blocks (blocker_id, blocked_id, created_at)
    values (${block.blockerId}, ${block.blockedId}, ${block.now})
    on conflict do nothing`
}

/** Finds a user whom the viewer has blocked, by name. */
export async function findBlockedByName(tx: Tx, viewerId: UserId, username: string): Promise<UserId | undefined> {
  const [row] = await tx<{ id: UserId }[]>`
    select u.id from users u join blocks b on b.blocked_id = u.id
    where u.username_key = ${usernameKeyOf(username)} and b.blocker_id = ${viewerId}`
  return row?.id
}

/** Deletes a block. Returns whether it existed. */
export async function deleteBlock(tx: Tx, blockerId: UserId, blockedId: UserId): Promise<boolean> {
  const { count } = await tx`delete from blocks where blocker_id = ${blockerId} and blocked_id = ${blockedId}`
  return count > 0
}

// Requests and friendships are returned as rows of the live feeds.

/** Finds a request that the viewer sent or received. */
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

export async function findRequestBetween(tx: Tx, a: UserId, b: UserId): Promise<FriendRequestRow | undefined> {
  const [row] = await tx<FriendRequestRow[]>`
    ${requestRows(tx, tx`friend_requests`)}
    where least(r.from_user_id, r.to_user_id) = least(${a}::uuid, ${b}::uuid)
      and greatest(r.from_user_id, r.to_user_id) = greatest(${a}::uuid, ${b}::uuid)`
  return row
}

export function listRequests(tx: Tx, userId: UserId) {
  return tx<FriendRequestRow[]>`
    ${requestRows(tx, tx`friend_requests`)}
    where r.from_user_id = ${userId} or r.to_user_id = ${userId} order by r.id`
}

export async function insertRequest(
  tx: Tx,
  request: { id: FriendRequestId; fromId: UserId; toId: UserId; now: Date },
): Promise<FriendRequestRow> {
  const [row] = await tx<[FriendRequestRow]>`
    with inserted as (
      insert into friend_requests (id, from_user_id, to_user_id, created_at)
      values (${request.id}, ${request.fromId}, ${request.toId}, ${request.now})
      returning id, from_user_id, to_user_id, created_at
    )
    ${requestRows(tx, tx`inserted`)}`
  return row
}

/** Deletes a request. Returns the row as it was. */
export async function takeRequest(tx: Tx, requestId: FriendRequestId): Promise<FriendRequestRow | undefined> {
  const [row] = await tx<FriendRequestRow[]>`
    with deleted as (delete from friend_requests where id = ${requestId} returning id, from_user_id, to_user_id, created_at)
    ${requestRows(tx, tx`deleted`)}`
  return row
}

export async function deleteRequest(tx: Tx, requestId: FriendRequestId): Promise<void> {
  await tx`delete from friend_requests where id = ${requestId}`
}

function requestRows(db: Db, source: PendingQuery<Row[]>) {
  return db`
    select r.id, r.from_user_id, r.to_user_id, a.username as from_username, b.username as to_username,
      a.display_name as from_display_name, b.display_name as to_display_name,
      a.has_image as from_has_image, b.has_image as to_has_image, 'pending' as status, r.created_at
    from ${source} r join users a on a.id = r.from_user_id join users b on b.id = r.to_user_id`
}

/** Finds a friendship of the viewer. */
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

export async function findFriendshipBetween(tx: Tx, a: UserId, b: UserId): Promise<FriendshipRow | undefined> {
  const [row] = await tx<FriendshipRow[]>`
    ${friendshipRows(tx, tx`friendships`)}
    where least(f.requester_id, f.requested_id) = least(${a}::uuid, ${b}::uuid)
      and greatest(f.requester_id, f.requested_id) = greatest(${a}::uuid, ${b}::uuid)`
  return row
}

export function listFriendships(tx: Tx, userId: UserId) {
  return tx<FriendshipRow[]>`
    ${friendshipRows(tx, tx`friendships`)}
    where f.requester_id = ${userId} or f.requested_id = ${userId} order by f.id`
}

export async function insertFriendship(
  tx: Tx,
  friendship: { id: FriendshipId; requesterId: UserId; requestedId: UserId; now: Date },
): Promise<FriendshipRow> {
  const [row] = await tx<[FriendshipRow]>`
    with inserted as (
      insert into friendships (id, requester_id, requested_id, created_at)
      values (${friendship.id}, ${friendship.requesterId}, ${friendship.requestedId}, ${friendship.now})
      returning id, requester_id, requested_id, created_at
    )
    ${friendshipRows(tx, tx`inserted`)}`
  return row
}

export async function deleteFriendship(tx: Tx, friendshipId: FriendshipId): Promise<void> {
  await tx`delete from friendships where id = ${friendshipId}`
}

function friendshipRows(db: Db, source: PendingQuery<Row[]>) {
  return db`
    select f.id, f.requester_id, f.requested_id, a.username as requester_username, b.username as requested_username,
      a.display_name as requester_display_name, b.display_name as requested_display_name,
      a.has_image as requester_has_image, b.has_image as requested_has_image, f.created_at
    from ${source} f join users a on a.id = f.requester_id join users b on b.id = f.requested_id`
}

export async function deleteBlocksBy(tx: Tx, blockerId: UserId): Promise<void> {
  await tx`delete from blocks where blocker_id = ${blockerId}`
}
