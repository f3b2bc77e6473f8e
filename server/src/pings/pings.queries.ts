import { type PingId, type RecipientId, type UserId } from '@hither/contract/ids.ts'
import {
  type AnonymousPing,
  type Ping,
  type PingResponse,
  type PingRow,
  type PingStatus,
  type PreviewedPing,
  pingLimits,
} from '@hither/contract/pings.ts'
import { type Db } from '../platform/database.ts'
import { type NewPing, type Sight } from './pings.rules.ts'
import * as shown from './pings.sight.ts'

// The lists are returned before they run, so that a test can ask the database how it would run the very same statement.

/** A ping as one signed-in viewer sees it. */
export type SeenPing = Ping & { sight: Sight }

/** Pending and active, own or invited to by a friend; active first, then newest first. */
export function listPings(db: Db, viewerId: UserId, now: Date) {
  return db<SeenPing[]>`
    ${selectSeen(db, viewerId, now)}
    from (
      select id from location_pins where user_id = ${viewerId} and expires_at > ${now}
      union all
      select ping_id from ping_recipients where recipient_id = ${viewerId} and expires_at > ${now}
    ) candidate
    join location_pins p on p.id = candidate.id
    ${joinSight(db, viewerId)}
    where s.sight in ('owner', 'invitee')
    order by ${shown.status(db, now)} = 'active' desc, p.created_at desc, p.id desc`
}

/** Active, then pending by activation, then the expired ones; otherwise newest first. */
export function listOwnPings(db: Db, ownerId: UserId, now: Date) {
  const isPending = db`p.activates_at > ${now}`
  return db<SeenPing[]>`
    ${selectSeen(db, ownerId, now)}
    from location_pins p
    ${joinSight(db, ownerId)}
    where p.user_id = ${ownerId}
    order by p.expires_at <= ${now}, ${isPending} is true, case when ${isPending} then p.activates_at end,
      p.created_at desc, p.id desc`
}

/** Whatever its status, as far as this viewer sees it. */
export async function findPing(db: Db, viewerId: UserId, pingId: PingId, now: Date): Promise<SeenPing | undefined> {
  const [row] = await db<SeenPing[]>`
    ${selectSeen(db, viewerId, now)}
    from location_pins p
    ${joinSight(db, viewerId)}
    where p.id = ${pingId} and s.sight is not null`
  return row
}

/** The same without its people, where they do not matter. */
export async function findVisiblePing(
  db: Db,
  viewerId: UserId,
  pingId: PingId,
  now: Date,
): Promise<(PingRow & { sight: Sight }) | undefined> {
  const [row] = await db<(PingRow & { sight: Sight })[]>`
    select ${shown.pingColumns(db, now, db`s.sight <> 'stranger'`)}, s.sight
    from location_pins p
    ${joinSight(db, viewerId)}
    where p.id = ${pingId} and s.sight is not null`
  return row
}

function selectSeen(db: Db, viewerId: UserId, now: Date) {
  return db`
    select ${shown.pingColumns(db, now, db`s.sight <> 'stranger'`)}, s.sight, ${shown.recipients(db, viewerId)} as recipients,
      ${shown.responses(db, viewerId)} as responses`
}

// `offset 0` keeps the planner from writing the rule out at each place that asks for its outcome.
function joinSight(db: Db, viewerId: UserId) {
  return db`
    join users o on o.id = p.user_id
    cross join lateral (select ${shown.sight(db, viewerId)} as sight offset 0) s`
}

/** For a visitor without an account: these columns and no others. */
export async function findOpenPing(db: Db, pingId: PingId, now: Date): Promise<AnonymousPing | undefined> {
  const [row] = await db<AnonymousPing[]>`
    select p.id, p.name, o.username, p.latitude, p.longitude, p.address, p.created_at, p.activates_at, p.expires_at,
      ${shown.status(db, now)} as status, p.is_public, p.has_image
    from location_pins p join users o on o.id = p.user_id
    where p.id = ${pingId} and ${shown.isOpenToVisitors(db, now)}`
  return row
}

/** For a link preview: these columns and no others. */
export async function findPreviewed(db: Db, pingId: PingId, now: Date): Promise<PreviewedPing | undefined> {
  const [row] = await db<PreviewedPing[]>`
    select p.id, p.name, o.username, p.activates_at, p.expires_at, ${shown.status(db, now)} as status
    from location_pins p join users o on o.id = p.user_id
    where p.id = ${pingId} and ${shown.isOpenToVisitors(db, now)}`
  return row
}

/** Holds a person until the transaction ends: what changes who sees their pings waits. Whether they exist. */
export async function lockOwner(db: Db, ownerId: UserId): Promise<boolean> {
  const rows = await db`select id from users where id = ${ownerId} for no key update`
  return rows.length > 0
}

/** Keeps the audience of these pings as it is until the transaction ends; others may do the same beside it. */
export async function lockAudience(db: Db, pingIds: readonly PingId[]): Promise<void> {
  // In the order in which friendships lock people, or two could wait for one another.
  await db`
    select id from users
    where id in (select user_id from location_pins where id = any(${pingIds}::uuid[]))
    order by id for share`
}

/** Expired ones too. */
export async function listOwnIds(db: Db, ownerId: UserId): Promise<PingId[]> {
  const rows = await db<{ id: PingId }[]>`select id from location_pins where user_id = ${ownerId} order by id`
  return rows.map(({ id }) => id)
}

export async function listUnexpiredIds(db: Db, ownerId: UserId, now: Date): Promise<PingId[]> {
  const rows = await db<{ id: PingId }[]>`
    select id from location_pins where user_id = ${ownerId} and expires_at > ${now} order by id`
  return rows.map(({ id }) => id)
}

export async function countUnexpired(db: Db, ownerId: UserId, now: Date): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from location_pins where user_id = ${ownerId} and expires_at > ${now}`
  return row.count
}

export async function insertPing(
  db: Db,
  ping: NewPing & { id: PingId; ownerId: UserId; announcedStatus: PingStatus },
): Promise<void> {
  await db`
    insert into location_pins (
      id, user_id, name, message, address, latitude, longitude, is_public, responses_visible,
      created_at, activates_at, expires_at, announced_status
    ) values (
      ${ping.id}, ${ping.ownerId}, ${ping.name}, ${ping.message}, ${ping.address}, ${ping.latitude}, ${ping.longitude},
      ${ping.isPublic}, ${ping.responsesVisible}, ${ping.createdAt}, ${ping.activatesAt}, ${ping.expiresAt},
      ${ping.announcedStatus})`
}

/** What the owner has made under this `client_id`, whether or not it is still there. Needs the owner locked. */
export async function findCreated(db: Db, ownerId: UserId, clientId: string): Promise<PingId | undefined> {
  const [row] = await db<{ ping_id: PingId }[]>`
    select ping_id from ping_creations where user_id = ${ownerId} and client_id = ${clientId}`
  return row?.ping_id
}

/** Forgets the owner's oldest on the way: nobody repeats a request for so long. */
export async function insertCreation(
  db: Db,
  { ownerId, clientId, pingId, now }: { ownerId: UserId; clientId: string; pingId: PingId; now: Date },
): Promise<void> {
  const forgottenAt = new Date(now.getTime() - pingLimits.clientIdKeptMs)
  await db`delete from ping_creations where user_id = ${ownerId} and created_at < ${forgottenAt}`
  await db`
    insert into ping_creations (user_id, client_id, ping_id, created_at)
    values (${ownerId}, ${clientId}, ${pingId}, ${now})`
}

export async function insertRecipients(
  db: Db,
  pingId: PingId,
  people: { id: RecipientId; recipientId: UserId }[],
): Promise<void> {
  await db`
    insert into ping_recipients (id, ping_id, recipient_id, expires_at)
    select r.id, p.id, r.recipient_id, p.expires_at
    from location_pins p, unnest(
      ${people.map(({ id }) => id)}::uuid[], ${people.map(({ recipientId }) => recipientId)}::uuid[]
    ) as r (id, recipient_id)
    where p.id = ${pingId}`
}

export async function updateSeen(db: Db, viewerId: UserId, pingId: PingId): Promise<void> {
  await db`
    update ping_recipients set has_seen = true
    where ping_id = ${pingId} and recipient_id = ${viewerId} and not has_seen`
}

/**
 * Moves a ping's end, and marks as told what it is by that. Answers what was told of it before. Needs its owner locked,
 * which keeps the announcing job from it.
 */
export async function updateEnd(
  db: Db,
  pingId: PingId,
  end: { expiresAt: Date; announcedStatus: PingStatus },
): Promise<PingStatus | undefined> {
  const [row] = await db<{ told_status: PingStatus }[]>`
    with before as (select id, announced_status as told_status from location_pins where id = ${pingId}),
    recipients as (update ping_recipients set expires_at = ${end.expiresAt} where ping_id = ${pingId})
    update location_pins p set expires_at = ${end.expiresAt}, announced_status = ${end.announcedStatus}
    from before where p.id = before.id
    returning before.told_status`
  return row?.told_status
}

export async function findNewestActive(db: Db, ownerId: UserId, now: Date): Promise<PingId | undefined> {
  const [row] = await db<{ id: PingId }[]>`
    select p.id from location_pins p
    where p.user_id = ${ownerId} and p.expires_at > ${now} and ${shown.status(db, now)} = 'active'
    order by p.created_at desc, p.id desc limit 1`
  return row?.id
}

/** Everything that hangs on it goes with it. Whether it was still there. */
export async function deletePing(db: Db, pingId: PingId): Promise<boolean> {
  const { count } = await db`delete from location_pins where id = ${pingId}`
  return count > 0
}

/** A ping with everyone who is told of it, as the feeds need it. */
export type AnnouncedPing = PingRow & { invitee_ids: UserId[]; responses: PingResponse[] }

export async function findAnnounced(db: Db, pingId: PingId, now: Date): Promise<AnnouncedPing | undefined> {
  const [row] = await db<AnnouncedPing[]>`
    select ${shown.pingColumns(db, now)}, ${shown.inviteeIds(db)} as invitee_ids, ${shown.allResponses(db)} as responses
    from location_pins p join users o on o.id = p.user_id
    where p.id = ${pingId}`
  return row
}

/** Who is told of a ping's responses. Needs the ping to exist. */
export async function getAudience(
  db: Db,
  pingId: PingId,
): Promise<Pick<AnnouncedPing, 'user_id' | 'responses_visible' | 'invitee_ids'>> {
  const [row] = await db<[Pick<AnnouncedPing, 'user_id' | 'responses_visible' | 'invitee_ids'>]>`
    select p.user_id, p.responses_visible, ${shown.inviteeIds(db)} as invitee_ids
    from location_pins p
    where p.id = ${pingId}`
  return row
}

/** What one of the two sent to the other and that has not expired by `unexpiredAt`; all that is kept where that is null. */
export function listBetween(db: Db, pair: readonly [UserId, UserId], now: Date, unexpiredAt: Date | null) {
  const [a, b] = pair
  return db<(AnnouncedPing & { recipient_id: UserId })[]>`
    select ${shown.pingColumns(db, now)}, r.recipient_id, ${shown.inviteeIds(db)} as invitee_ids,
      ${shown.allResponses(db)} as responses
    from location_pins p
    join users o on o.id = p.user_id
    join ping_recipients r on r.ping_id = p.id
    where ((p.user_id = ${a} and r.recipient_id = ${b}) or (p.user_id = ${b} and r.recipient_id = ${a}))
      and p.expires_at > coalesce(${unexpiredAt}::timestamptz, '-infinity')
    order by p.id`
}

export async function updateHasImage(db: Db, pingId: PingId, hasImage: boolean): Promise<void> {
  await db`update location_pins set has_image = ${hasImage} where id = ${pingId}`
}
