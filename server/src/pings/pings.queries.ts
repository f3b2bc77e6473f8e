import { type PingResponseRow } from '@hither/contract/feeds.ts'
import { type PingId, type RecipientId, type UserId } from '@hither/contract/ids.ts'
import {
  type AnonymousPing,
  type Ping,
  type PingRow,
  type PublicPing,
  type ResponseType,
} from '@hither/contract/pings.ts'
import { type Db } from '../platform/database.ts'
import { type PingDraft } from './pings.rules.ts'

// Fragments. `p` is always the ping, and its owner's name comes with it as `o`.

/** A ping's status is a matter of the clock alone, so that no answer waits for a job. Bounds belong to what begins there. */
function statusAt(db: Db, now: Date) {
  return db`case when p.expires_at <= ${now} then 'expired' when p.activates_at > ${now} then 'pending' else 'active' end`
}

function areFriends(db: Db, other: ReturnType<Db>) {
  return db`exists (
    select 1 from friendships f
    where least(f.requester_id, f.requested_id) = least(p.user_id, ${other})
      and greatest(f.requester_id, f.requested_id) = greatest(p.user_id, ${other}))`
}

/** The one rule of who sees a ping in full: its owner, and whoever was invited and is still a friend. */
function isInAudience(db: Db, viewerId: UserId) {
  return db`(p.user_id = ${viewerId} or (
    exists (select 1 from ping_recipients i where i.ping_id = p.id and i.recipient_id = ${viewerId})
    and ${areFriends(db, db`${viewerId}::uuid`)}))`
}

function isoTime(db: Db, column: ReturnType<Db>) {
  return db`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** What differs from nobody to nobody: the columns of the feed `location_pins`. */
function rowColumns(db: Db, now: Date) {
  return db`
    p.id, p.user_id, o.username, o.has_image as user_has_image, p.name, p.latitude, p.longitude, p.created_at,
    p.expires_at, p.activates_at, p.message, p.has_image, ${statusAt(db, now)} as status, p.address, p.is_public,
    p.responses_visible, null::uuid as conversation_id`
}

/** Those of the audience and no others: who is no friend any more is not shown to the rest. */
function recipientsFor(db: Db, viewerId: UserId) {
  return db`(
    select coalesce(json_agg(
      case when ${viewerId} in (p.user_id, r.recipient_id)
        then json_build_object('id', r.id, 'recipient_id', r.recipient_id, 'recipient_username', u.username, 'has_seen', r.has_seen)
        else json_build_object('id', r.id, 'recipient_id', r.recipient_id, 'recipient_username', u.username)
      end order by lower(u.username)), '[]'::json)
    from ping_recipients r join users u on u.id = r.recipient_id
    where r.ping_id = p.id and ${areFriends(db, db`r.recipient_id`)})`
}

function responsesFor(db: Db, viewerId: UserId) {
  return db`(
    select coalesce(json_agg(json_build_object(
      'ping_id', s.ping_id, 'user_id', s.user_id, 'username', u.username, 'response_type', s.response_type,
      'created_at', ${isoTime(db, db`s.created_at`)}, 'updated_at', ${isoTime(db, db`s.updated_at`)}
    ) order by s.created_at, s.user_id), '[]'::json)
    from ping_responses s join users u on u.id = s.user_id
    where s.ping_id = p.id and ${areFriends(db, db`s.user_id`)}
      and (p.responses_visible or ${viewerId} in (p.user_id, s.user_id)))`
}

function pingFor(db: Db, viewerId: UserId, now: Date) {
  return db`
    select ${rowColumns(db, now)}, ${recipientsFor(db, viewerId)} as recipients, ${responsesFor(db, viewerId)} as responses
    from location_pins p join users o on o.id = p.user_id`
}

// Reads. Lists are returned before they run, so that a test can ask the database how it would run the very same statement.

/** Unexpired, own and invited to; active before pending, then newest first. */
export function listPings(db: Db, viewerId: UserId, now: Date) {
  return db<Ping[]>`
    ${pingFor(db, viewerId, now)}
    where p.id in (
      select id from location_pins where user_id = ${viewerId} and expires_at > ${now}
      union all
      select ping_id from ping_recipients where recipient_id = ${viewerId} and expires_at > ${now})
      and ${isInAudience(db, viewerId)}
    order by coalesce(p.activates_at > ${now}, false), p.created_at desc, p.id desc`
}

/** Active, then pending by activation, then expired; newest first in the first and the last. */
export function listOwnPings(db: Db, ownerId: UserId, now: Date) {
  return db<Ping[]>`
    ${pingFor(db, ownerId, now)}
    where p.user_id = ${ownerId}
    order by
      case when p.expires_at <= ${now} then 2 when p.activates_at > ${now} then 1 else 0 end,
      case when p.expires_at > ${now} and p.activates_at > ${now} then p.activates_at end,
      p.created_at desc, p.id desc`
}

export async function findPing(db: Db, viewerId: UserId, pingId: PingId, now: Date): Promise<Ping | undefined> {
  const [row] = await db<Ping[]>`${pingFor(db, viewerId, now)} where p.id = ${pingId} and ${isInAudience(db, viewerId)}`
  return row
}

/** A public ping as a signed-in stranger may see it; not between people of whom one has blocked the other. */
export async function findPublicPing(
  db: Db,
  viewerId: UserId,
  pingId: PingId,
  now: Date,
): Promise<PublicPing | undefined> {
  const [row] = await db<PublicPing[]>`
    select ${rowColumns(db, now)}
    from location_pins p join users o on o.id = p.user_id
    where p.id = ${pingId} and p.is_public and not exists (
      select 1 from blocks b
      where (b.blocker_id = p.user_id and b.blocked_id = ${viewerId})
         or (b.blocker_id = ${viewerId} and b.blocked_id = p.user_id))`
  return row
}

/** A public ping as anyone with the link may see it: these columns and no others. */
export async function findAnonymousPing(db: Db, pingId: PingId, now: Date): Promise<AnonymousPing | undefined> {
  const [row] = await db<AnonymousPing[]>`
    select p.id, p.name, o.username, p.latitude, p.longitude, p.address, p.created_at, p.activates_at, p.expires_at,
      ${statusAt(db, now)} as status, p.is_public, p.has_image
    from location_pins p join users o on o.id = p.user_id
    where p.id = ${pingId} and p.is_public and p.expires_at > ${now}`
  return row
}

/** What the feed says of a ping; for announcing, never for answering. */
export async function findPingRow(db: Db, pingId: PingId, now: Date): Promise<PingRow | undefined> {
  const [row] = await db<PingRow[]>`
    select ${rowColumns(db, now)} from location_pins p join users o on o.id = p.user_id where p.id = ${pingId}`
  return row
}

/** The owner first, then those invited who are still friends. */
export async function listAudience(db: Db, pingId: PingId): Promise<UserId[]> {
  const rows = await db<{ user_id: UserId }[]>`
    select user_id from location_pins where id = ${pingId}
    union all
    select r.recipient_id from location_pins p join ping_recipients r on r.ping_id = p.id
    where p.id = ${pingId} and ${areFriends(db, db`r.recipient_id`)}`
  return rows.map((row) => row.user_id)
}

/** Of all kept pings between two people: those by `ownerId` that `inviteeId` was sent. */
export async function listPingIdsBetween(db: Db, ownerId: UserId, inviteeId: UserId): Promise<PingId[]> {
  const rows = await db<{ id: PingId }[]>`
    select p.id from location_pins p join ping_recipients r on r.ping_id = p.id
    where p.user_id = ${ownerId} and r.recipient_id = ${inviteeId}`
  return rows.map((row) => row.id)
}

/** Everyone's answers, for announcing. */
export async function listResponseRows(db: Db, pingId: PingId): Promise<PingResponseRow[]> {
  return db<PingResponseRow[]>`
    select s.ping_id, s.user_id, u.username, s.response_type, s.created_at, s.updated_at
    from location_pins p
    join ping_responses s on s.ping_id = p.id
    join users u on u.id = s.user_id
    where p.id = ${pingId} and ${areFriends(db, db`s.user_id`)}`
}

export async function findResponseRow(db: Db, pingId: PingId, userId: UserId): Promise<PingResponseRow | undefined> {
  const [row] = await db<PingResponseRow[]>`
    select s.ping_id, s.user_id, u.username, s.response_type, s.created_at, s.updated_at
    from ping_responses s join users u on u.id = s.user_id
    where s.ping_id = ${pingId} and s.user_id = ${userId}`
  return row
}

export async function findNewestActive(db: Db, ownerId: UserId, now: Date): Promise<PingId | undefined> {
  const [row] = await db<{ id: PingId }[]>`
    select id from location_pins
    where user_id = ${ownerId} and expires_at > ${now} and (activates_at is null or activates_at <= ${now})
    order by created_at desc, id desc limit 1`
  return row?.id
}

// Writes.

/** Serialises an owner's creations, so that two at once cannot both pass the limit. */
export async function lockOwner(db: Db, ownerId: UserId): Promise<boolean> {
  const rows = await db`select id from users where id = ${ownerId} for no key update`
  return rows.length === 1
}

/** Holds the ping until the transaction ends: an answer and a deletion come one after the other. */
export async function lockPing(db: Db, pingId: PingId): Promise<void> {
  await db`select id from location_pins where id = ${pingId} for update`
}

export async function countUnexpired(db: Db, ownerId: UserId, now: Date): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from location_pins where user_id = ${ownerId} and expires_at > ${now}`
  return row.count
}

export async function insertPing(db: Db, ping: PingDraft & { id: PingId; ownerId: UserId; now: Date }): Promise<void> {
  await db`
    insert into location_pins (id, user_id, name, message, address, latitude, longitude, is_public, responses_visible,
      created_at, activates_at, expires_at, announced_status)
    values (${ping.id}, ${ping.ownerId}, ${ping.name}, ${ping.message}, ${ping.address}, ${ping.latitude},
      ${ping.longitude}, ${ping.isPublic}, ${ping.responsesVisible}, ${ping.now}, ${ping.activatesAt},
      ${ping.expiresAt}, ${ping.activatesAt === null ? 'active' : 'pending'})`
}

export async function insertRecipients(
  db: Db,
  pingId: PingId,
  expiresAt: Date,
  recipients: readonly { id: RecipientId; recipientId: UserId }[],
): Promise<void> {
  await db`
    insert into ping_recipients (id, ping_id, recipient_id, expires_at)
    select unnest(${recipients.map(({ id }) => id)}::uuid[]), ${pingId},
      unnest(${recipients.map(({ recipientId }) => recipientId)}::uuid[]), ${expiresAt}`
}

export async function deletePing(db: Db, pingId: PingId): Promise<void> {
  await db`delete from location_pins where id = ${pingId}`
}

export async function updateHasImage(db: Db, pingId: PingId, hasImage: boolean): Promise<void> {
  await db`update location_pins set has_image = ${hasImage} where id = ${pingId}`
}

export async function updateSeen(db: Db, pingId: PingId, recipientId: UserId): Promise<void> {
  await db`
    update ping_recipients set has_seen = true
    where ping_id = ${pingId} and recipient_id = ${recipientId} and not has_seen`
}

export async function upsertResponse(
  db: Db,
  response: { pingId: PingId; userId: UserId; type: ResponseType; now: Date },
): Promise<void> {
  await db`
    insert into ping_responses (ping_id, user_id, response_type, created_at, updated_at)
    values (${response.pingId}, ${response.userId}, ${response.type}, ${response.now}, ${response.now})
    on conflict (ping_id, user_id) do update set response_type = excluded.response_type, updated_at = excluded.updated_at`
}

export async function deleteResponse(db: Db, pingId: PingId, userId: UserId): Promise<void> {
  await db`delete from ping_responses where ping_id = ${pingId} and user_id = ${userId}`
}

// What time does.

/**
 * Takes pings whose status has moved on since it was told, for this transaction alone: a second node passes over those
 * that this one holds. Answers what was told last.
 */
export async function claimDue(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ id: PingId; announced_status: 'pending' | 'active' }[]> {
  return db`
    with due as (
      (select id from location_pins where announced_status = 'pending' and activates_at <= ${now} limit ${limit})
      union
      (select id from location_pins where announced_status <> 'expired' and expires_at <= ${now} limit ${limit})
    ), held as (
      select id, announced_status from location_pins
      where id in (select id from due) and (
        (announced_status = 'pending' and activates_at <= ${now}) or (announced_status <> 'expired' and expires_at <= ${now}))
      limit ${limit} for update skip locked
    )
    update location_pins p set announced_status = case when p.expires_at <= ${now} then 'expired' else 'active' end
    from held where p.id = held.id
    returning p.id, held.announced_status`
}

/** When the next ping changes its status; `null` where none will. */
export async function findNextDue(db: Db): Promise<string | null> {
  const [row] = await db<[{ due_at: string | null }]>`
    select least(
      (select min(activates_at) from location_pins where announced_status = 'pending'),
      (select min(expires_at) from location_pins where announced_status <> 'expired')) as due_at`
  return row.due_at
}
