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
import { newId } from '../platform/ids.ts'
import { sql, statement } from '../platform/statements.ts'
import { type NewPing, type Sight } from './pings.rules.ts'
import * as shown from './pings.sight.ts'

// The lists are returned before they run, so that a test can ask the database how it would run the very same statement.

// `offset 0` keeps the planner from writing the rule out at each place that asks for its outcome.
const joinSight = sql`
  join users o on o.id = p.user_id
  cross join lateral (select ${shown.sight} as sight offset 0) s`

const seenColumns = sql`
  ${shown.pingColumns(sql`s.sight <> 'stranger'`)}, ${shown.recipients} as recipients, ${shown.responses} as responses`

const listed = statement`
  select ${seenColumns}
  from (
    select id from location_pins where user_id = ${'viewerId'} and expires_at > ${'now'}
    union all
    select ping_id from ping_recipients where recipient_id = ${'viewerId'} and expires_at > ${'now'}
  ) candidate
  join location_pins p on p.id = candidate.id
  ${joinSight}
  where s.sight in ('owner', 'invitee')
  order by ${shown.status} = 'active' desc, p.created_at desc, p.id desc`

/** Pending and active, own or invited to by a friend; active first, then newest first. */
export function listPings(db: Db, viewerId: UserId, now: Date) {
  return listed<Ping>(db, { viewerId, now })
}

const isPending = sql`p.activates_at > ${'now'}`
const own = statement`
  select ${seenColumns}
  from location_pins p
  ${joinSight}
  where p.user_id = ${'viewerId'}
    and (${'before'}::uuid is null or (
      p.expires_at <= ${'now'} and (p.created_at, p.id) < (
        select b.created_at, b.id from location_pins b where b.id = ${'before'}::uuid and b.user_id = ${'viewerId'})))
  order by p.expires_at <= ${'now'}, ${isPending} is true, case when ${isPending} then p.activates_at end,
    p.created_at desc, p.id desc
  limit ${'limit'}::int`

/** One page: `before` is an expired ping of the owner, after which the page begins. A `limit` of `null` is none. */
export interface Page {
  readonly limit: number | null
  readonly before: PingId | null
}

/** Active, then pending by activation, then the expired ones; otherwise newest first. */
export function listOwnPings(db: Db, ownerId: UserId, now: Date, { limit, before }: Page) {
  return own<Ping>(db, { viewerId: ownerId, now, limit, before })
}

/** A ping as one signed-in viewer sees it. */
export type SeenPing = Ping & { sight: Sight }

const seen = statement`
  select ${seenColumns}, s.sight
  from location_pins p
  ${joinSight}
  where p.id = ${'pingId'} and s.sight is not null`

/** Whatever its status, as far as this viewer sees it. */
export async function findPing(db: Db, viewerId: UserId, pingId: PingId, now: Date): Promise<SeenPing | undefined> {
  const [row] = await seen<SeenPing>(db, { viewerId, pingId, now })
  return row
}

const visible = statement`
  select ${shown.pingColumns(sql`s.sight <> 'stranger'`)}, s.sight
  from location_pins p
  ${joinSight}
  where p.id = ${'pingId'} and s.sight is not null`

/** The same without its people, where they do not matter. */
export async function findVisiblePing(
  db: Db,
  viewerId: UserId,
  pingId: PingId,
  now: Date,
): Promise<(PingRow & { sight: Sight }) | undefined> {
  const [row] = await visible<PingRow & { sight: Sight }>(db, { viewerId, pingId, now })
  return row
}

const open = statement`
  select p.id, p.name, o.username, p.latitude, p.longitude, p.address, p.created_at, p.activates_at, p.expires_at,
    ${shown.status} as status, p.is_public, p.has_image
  from location_pins p join users o on o.id = p.user_id
  where p.id = ${'pingId'} and ${shown.isOpenToVisitors}`

/** For a visitor without an account: these columns and no others. */
export async function findOpenPing(db: Db, pingId: PingId, now: Date): Promise<AnonymousPing | undefined> {
  const [row] = await open<AnonymousPing>(db, { pingId, now })
  return row
}

const previewed = statement`
  select p.id, p.name, o.username, p.activates_at, p.expires_at, ${shown.status} as status
  from location_pins p join users o on o.id = p.user_id
  where p.id = ${'pingId'} and ${shown.isOpenToVisitors}`

/** For a link preview: these columns and no others. */
export async function findPreviewed(db: Db, pingId: PingId, now: Date): Promise<PreviewedPing | undefined> {
  const [row] = await previewed<PreviewedPing>(db, { pingId, now })
  return row
}

/** Holds a person until the transaction ends: what changes who sees their pings waits. Whether they exist. */
export async function lockOwner(db: Db, ownerId: UserId): Promise<boolean> {
  const rows = await ownerLock(db, { ownerId })
  return rows.length > 0
}

const ownerLock = statement`select id from users where id = ${'ownerId'} for no key update`

/**
 * Locks the owners of these pings, and with them the audience, until the transaction ends. With a responder, also the blocks
 * of this user. Several transactions may hold it at once.
 */
export async function lockAudience(
  db: Db,
  pingIds: readonly PingId[],
  responderId: UserId | null = null,
): Promise<void> {
  // In the order in which friendships lock people, or two could wait for one another.
  await audienceLock(db, { pingIds, responderId })
}

const audienceLock = statement`
  select id from users
  where id in (select user_id from location_pins where id = any(${'pingIds'}::uuid[]))
    or id = ${'responderId'}::uuid
  order by id for share`

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

const standing = statement`
  select (
      select count(*)::int from location_pins where user_id = ${'ownerId'} and expires_at > ${'now'}
    ) as unexpired, (
      select ping_id from ping_creations where user_id = ${'ownerId'} and client_id = ${'clientId'}
    ) as made_id`

/**
 * How many pings of the owner have not expired, and what they have made under this `client_id`, whether or not it is still
 * there. Needs the owner locked.
 */
export async function getStanding(
  db: Db,
  ownerId: UserId,
  clientId: string | null,
  now: Date,
): Promise<{ unexpired: number; made_id: PingId | null }> {
  const [row] = await standing<{ unexpired: number; made_id: PingId | null }>(db, { ownerId, clientId, now })
  return row as NonNullable<typeof row>
}

const insert = statement`
  with forgotten as (
    delete from ping_creations where user_id = ${'ownerId'} and created_at < ${'forgottenAt'}
  ), creation as (
    insert into ping_creations (user_id, client_id, ping_id, created_at)
    select ${'ownerId'}::uuid, ${'clientId'}::uuid, ${'id'}::uuid, ${'createdAt'}
    where ${'clientId'}::uuid is not null
  ), ping as (
    insert into location_pins (
      id, user_id, name, message, address, latitude, longitude, is_public, responses_visible,
      created_at, activates_at, expires_at, announced_status
    ) values (
      ${'id'}, ${'ownerId'}, ${'name'}, ${'message'}, ${'address'}, ${'latitude'}, ${'longitude'},
      ${'isPublic'}, ${'responsesVisible'}, ${'createdAt'}, ${'activatesAt'}::timestamptz, ${'expiresAt'},
      ${'announcedStatus'})
    returning id, expires_at
  )
  insert into ping_recipients (id, ping_id, recipient_id, expires_at)
  select r.id, p.id, r.recipient_id, p.expires_at
  from ping p, unnest(${'recipientRowIds'}::uuid[], ${'recipientIds'}::uuid[]) as r (id, recipient_id)`

/**
 * With those invited. Remembers the `client_id`, and forgets the owner's oldest on the way: nobody repeats a request for so
 * long.
 */
export async function insertPing(
  db: Db,
  ping: NewPing & {
    id: PingId
    ownerId: UserId
    clientId: string | null
    announcedStatus: PingStatus
    recipientIds: readonly UserId[]
  },
): Promise<void> {
  const forgottenAt = new Date(ping.createdAt.getTime() - pingLimits.clientIdKeptMs)
  const recipientRowIds = ping.recipientIds.map(() => newId<RecipientId>())
  await insert(db, { ...ping, forgottenAt, recipientRowIds })
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
  const [row] = await newestActive<{ id: PingId }>(db, { ownerId, now })
  return row?.id
}

const newestActive = statement`
  select p.id from location_pins p
  where p.user_id = ${'ownerId'} and p.expires_at > ${'now'} and ${shown.status} = 'active'
  order by p.created_at desc, p.id desc limit 1`

/** Everything that hangs on it goes with it. Whether it was still there. */
export async function deletePing(db: Db, pingId: PingId): Promise<boolean> {
  const { count } = await db`delete from location_pins where id = ${pingId}`
  return count > 0
}

/** A ping with everyone who is told of it, as the feeds need it. */
export type AnnouncedPing = PingRow & {
  invitee_ids: UserId[]
  blocked_pairs: [UserId, UserId][]
  responses: PingResponse[]
}

export async function findAnnounced(db: Db, pingId: PingId, now: Date): Promise<AnnouncedPing | undefined> {
  const [row] = await announced<AnnouncedPing>(db, { pingId, now })
  return row
}

const announcedColumns = sql`
  ${shown.pingColumns()}, ${shown.inviteeIds} as invitee_ids, ${shown.blockedPairs} as blocked_pairs,
  ${shown.allResponses} as responses`

const announced = statement`
  select ${announcedColumns}
  from location_pins p join users o on o.id = p.user_id
  where p.id = ${'pingId'}`

const between = statement`
  select ${announcedColumns}, r.recipient_id
  from location_pins p
  join users o on o.id = p.user_id
  join ping_recipients r on r.ping_id = p.id
  where ((p.user_id = ${'a'} and r.recipient_id = ${'b'}) or (p.user_id = ${'b'} and r.recipient_id = ${'a'}))
    and p.expires_at > coalesce(${'unexpiredAt'}::timestamptz, '-infinity')
  order by p.id`

/** What one of the two sent to the other and that has not expired by `unexpiredAt`; all that is kept where that is null. */
export function listBetween(db: Db, [a, b]: readonly [UserId, UserId], now: Date, unexpiredAt: Date | null) {
  return between<AnnouncedPing & { recipient_id: UserId }>(db, { a, b, now, unexpiredAt })
}

/** The owners of pings to which both of the two are invited. */
export async function listOwnersOfShared(db: Db, a: UserId, b: UserId): Promise<UserId[]> {
  const rows = await db<{ user_id: UserId }[]>`
    select distinct p.user_id from location_pins p
    join ping_recipients r on r.ping_id = p.id and r.recipient_id = ${a}
    join ping_recipients q on q.ping_id = p.id and q.recipient_id = ${b}`
  return rows.map(({ user_id }) => user_id)
}

const shared = statement`
  select ${announcedColumns}
  from location_pins p
  join users o on o.id = p.user_id
  join ping_recipients r on r.ping_id = p.id and r.recipient_id = ${'a'}
  join ping_recipients q on q.ping_id = p.id and q.recipient_id = ${'b'}
  where p.responses_visible
  order by p.id`

/** The pings of others to which both of the two are invited and whose responses the invitees see. */
export function listShared(db: Db, [a, b]: readonly [UserId, UserId], now: Date) {
  return shared<AnnouncedPing>(db, { a, b, now })
}

export async function updateHasImage(db: Db, pingId: PingId, hasImage: boolean): Promise<void> {
  await db`update location_pins set has_image = ${hasImage} where id = ${pingId}`
}
