import type { PingId, UserId } from '@hither/contract/ids.ts'
import type {
  AnonymousPing,
  OwnPing,
  Ping,
  PingRow,
  PingStatus,
  PreviewedPing,
  PublicPing,
} from '@hither/contract/pings.ts'
import { avatarColorOf } from '@hither/contract/runtime/users.ts'
import { type Access, access } from '../ping-access/ping-access.visibility.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { isoTime, type Piece, plainTime, sql, statement, type TimeForm } from '../platform/db/statements.ts'
import { type Page as ListPage, pageValues } from '../platform/http/pages.ts'
import { trips } from '../trips/audience/trips.visibility.ts'
import type { LockedPing, LockedUser } from '../users/user-locks.ts'
import { acceptsGuests, canRespond, guests, linkColumns } from './guests/guests.visibility.ts'
import * as shown from './pings.visibility.ts'
import { placeColumns, placeKnownBy, viewerMayKnowPlace, visitorMayKnowPlace } from './place/place.visibility.ts'

// Lists are returned before they run, so that a test can ask the database for the plan of the same statement.

// `offset 0` keeps the planner from repeating the visibility rule at each use of its result.
export const joinSight = sql`
  join users o on o.id = p.user_id
  cross join lateral (
    select a.access, ${viewerMayKnowPlace(sql`a.access`)} as may_know_place
    from (select ${access} as access offset 0) a offset 0) s`

const visibleColumns = visibleColumnsWith(plainTime)

function visibleColumnsWith(time: TimeForm) {
  return sql`s.access, ${shown.pingColumns(sql`s.access <> 'link'`, sql`s.may_know_place`, time)}`
}

const audienceColumns = audienceColumnsWith(shown.recipients)

function audienceColumnsWith<N extends string>(recipients: Piece<N>) {
  return sql`
    ${canRespond} as can_respond, ${recipients} as recipients, ${shown.responses} as responses, ${guests} as guests,
    ${trips} as trips`
}

export const seenColumns = sql`
  ${visibleColumns}, ${audienceColumns}, case when s.access = 'owner' then p.invited_all end as invited_all,
  case when s.access = 'owner' then ${shown.audience} end as audience, ${placeKnownBy} as place_known_by`

const listedColumns = visibleColumnsWith(isoTime)
const jsonRow = <N extends string>(columns: Piece<N>) => sql`(select row_to_json(shown) from (select ${columns}) shown)`

const listed = listedWith(shown.recipients)
const listedWithOwnRecipients = listedWith(sql`'[]'::json`)

/** `recipientsOfOthers` are those in the pings that the viewer is invited to. */
function listedWith<N extends string>(recipientsOfOthers: Piece<N>) {
  return statement`
    select coalesce(json_agg(page.ping), '[]')::text as json
    from (
      select case s.access
        when 'owner' then ${jsonRow(sql`${listedColumns}, ${audienceColumns}, p.invited_all, ${shown.audience} as audience,
          ${placeKnownBy} as place_known_by`)}
        else ${jsonRow(sql`${listedColumns}, ${audienceColumnsWith(recipientsOfOthers)}`)}
      end as ping
      from (
      select id from location_pins where user_id = ${'viewerId'} and expires_at > ${'now'}
      union all
      select ping_id from ping_recipients where recipient_id = ${'viewerId'} and expires_at > ${'now'} and is_friend
    ) candidate
    join location_pins p on p.id = candidate.id
    ${joinSight}
      where s.access in ('owner', 'invitee')
        and (${'before'}::uuid is null or (${shown.status} = 'active', p.created_at, p.id) < (
          select ${shown.status} = 'active', p.created_at, p.id from location_pins p
          where p.id = ${'before'}::uuid and (p.user_id = ${'viewerId'} or exists (
            select 1 from ping_recipients r where r.ping_id = p.id and r.recipient_id = ${'viewerId'}))))
      order by ${shown.status} = 'active' desc, p.created_at desc, p.id desc
      limit ${'limit'}::int
    ) page`
}

/**
 * Lists the pending and active pings that the viewer owns or is invited to by a friend: active first, then newest
 * first. The row has the JSON of `Ping[]`. With `own`, only pings of the viewer have recipients.
 */
export function listPings(
  db: Db,
  viewerId: UserId,
  now: Date,
  recipientsOf: 'all' | 'own' = 'all',
  page: ListPage<PingId> = {},
) {
  const list = recipientsOf === 'own' ? listedWithOwnRecipients : listed
  return list<{ json: string }>(db, { viewerId, now, ...pageValues(page) })
}

// A canceled ping may have a start in the future.
const isPending = sql`(p.activates_at > ${'now'} and p.expires_at > ${'now'})`
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

/** One page. `before` is an expired ping of the owner after which the page begins. `limit: null` means no limit. */
interface Page {
  readonly limit: number | null
  readonly before: PingId | null
}

/** Lists active pings, then pending ones by activation, then expired ones. Within a group the newest comes first. */
export function listOwnPings(db: Db, ownerId: UserId, now: Date, { limit, before }: Page) {
  return own<OwnPing>(db, { viewerId: ownerId, now, limit, before })
}

/** A ping for a signed-in viewer. The recipients and responses of a public link must not be sent. */
export type SeenPing = Ping | (PublicPing & Pick<Ping, 'recipients' | 'responses' | 'guests' | 'trips'>)

const seen = statement`
  select ${seenColumns}, ${linkColumns}
  from location_pins p
  ${joinSight}
  where p.id = ${'pingId'} and s.access is not null`

/** Finds a ping in any status, limited to what this viewer may see. */
export async function findPing(db: Db, viewerId: UserId, pingId: PingId, now: Date): Promise<SeenPing | undefined> {
  const [row] = await seen<SeenPing>(db, { viewerId, pingId, now })
  return row
}

const visible = statement`
  select ${visibleColumns}, p.planned_expires_at
  from location_pins p
  ${joinSight}
  where p.id = ${'pingId'} and s.access is not null`

/** A ping without invitees and responses. `planned_expires_at` is the end that a canceled ping would have had. */
type VisiblePing = PingRow & { readonly access: Access; readonly planned_expires_at: string | null }

/** Like `findPing`, without invitees and responses. */
export async function findVisiblePing(
  db: Db,
  viewerId: UserId,
  pingId: PingId,
  now: Date,
): Promise<VisiblePing | undefined> {
  const [row] = await visible<VisiblePing>(db, { viewerId, pingId, now })
  return row
}

const open = statement`
  select 'visitor' as access, p.id, p.user_id, p.name, p.is_unnamed, o.username, o.display_name, ${placeColumns(visitorMayKnowPlace)}, p.created_at,
    p.activates_at, p.expires_at,
    ${shown.status} as status, p.is_public, p.has_image, p.guest_policy, ${acceptsGuests} as can_respond,
    ${shown.changeColumns}
  from location_pins p join users o on o.id = p.user_id
  where p.id = ${'pingId'} and ${shown.isOpenToVisitors}`

/**
 * Finds a ping for a visitor without an account. Selects only the columns that the public link shows, and the owner's id
 * for the color of the avatar.
 */
export async function findOpenPing(db: Db, pingId: PingId, now: Date): Promise<AnonymousPing | undefined> {
  const [row] = await open<Omit<AnonymousPing, 'avatar_color'> & { user_id: UserId }>(db, { pingId, now })
  if (!row) return undefined
  const { user_id, ...ping } = row
  return { ...ping, avatar_color: avatarColorOf(user_id) }
}

const previewed = statement`
  select p.id, p.name, o.username, o.display_name, p.activates_at, p.expires_at, ${shown.status} as status
  from location_pins p join users o on o.id = p.user_id
  where p.id = ${'pingId'} and ${shown.isOpenToVisitors}`

/** Finds a ping for a link preview. Selects only the columns that the preview shows. */
export async function findPreviewed(db: Db, pingId: PingId, now: Date): Promise<PreviewedPing | undefined> {
  const [row] = await previewed<PreviewedPing>(db, { pingId, now })
  return row
}

/** Lists the ids of all pings of the owner, including expired ones. */
export async function listOwnIds(tx: Tx, ownerId: LockedUser): Promise<LockedPing[]> {
  const rows = await tx<{ id: LockedPing }[]>`select id from location_pins where user_id = ${ownerId} order by id`
  return rows.map(({ id }) => id)
}

export async function listUnexpiredIds(tx: Tx, ownerId: LockedUser, now: Date): Promise<LockedPing[]> {
  const rows = await tx<{ id: LockedPing }[]>`
    select id from location_pins where user_id = ${ownerId} and expires_at > ${now} order by id`
  return rows.map(({ id }) => id)
}

export async function updateSeen(tx: Tx, viewerId: UserId, pingId: PingId): Promise<void> {
  await tx`
    update ping_recipients set has_seen = true
    where ping_id = ${pingId} and recipient_id = ${viewerId} and not has_seen`
}

/**
 * Changes the end of a ping and marks the resulting status as announced. Returns the status that was announced before. The lock
 * keeps the announcing job out.
 */
export async function updateEnd(
  tx: Tx,
  pingId: LockedPing,
  end: { expiresAt: Date; announcedStatus: PingStatus; updatedAt: Date },
): Promise<PingStatus | undefined> {
  const [row] = await tx<{ previous_announced_status: PingStatus }[]>`
    with before as (select id, announced_status as previous_announced_status from location_pins where id = ${pingId}),
    recipients as (update ping_recipients set expires_at = ${end.expiresAt} where ping_id = ${pingId})
    update location_pins p set expires_at = ${end.expiresAt}, announced_status = ${end.announcedStatus},
      updated_at = ${end.updatedAt}
    from before where p.id = before.id
    returning before.previous_announced_status`
  return row?.previous_announced_status
}

export async function findNewestActive(tx: Tx, ownerId: LockedUser, now: Date): Promise<LockedPing | undefined> {
  const [row] = await newestActive<{ id: LockedPing }>(tx, { ownerId, now })
  return row?.id
}

const newestActive = statement`
  select p.id from location_pins p
  where p.user_id = ${'ownerId'} and p.expires_at > ${'now'} and ${shown.status} = 'active'
  order by p.created_at desc, p.id desc limit 1`

/** Deletes a ping and everything that refers to it. Returns whether it existed. */
export async function deletePing(tx: Tx, pingId: PingId): Promise<boolean> {
  const { count } = await tx`delete from location_pins where id = ${pingId}`
  return count > 0
}

/**
 * Stores whether the ping has a picture, and that it has changed unless it has none before and after. Returns the columns
 * before the change; undefined for a deleted ping.
 */
export async function updateHasImage(
  tx: Tx,
  pingId: PingId,
  hasImage: boolean,
  now: Date,
): Promise<Pick<PingRow, 'has_image' | 'updated_at'> | undefined> {
  const [row] = await tx<Pick<PingRow, 'has_image' | 'updated_at'>[]>`
    with before as (select id, has_image, updated_at from location_pins where id = ${pingId} for update)
    update location_pins p set has_image = ${hasImage},
      updated_at = case when before.has_image or ${hasImage}
        then greatest(${now}::timestamptz, before.updated_at + interval '1 millisecond') else before.updated_at end
    from before where p.id = before.id
    returning before.has_image, before.updated_at`
  return row
}

/** Returns the language that a user chose; null for automatic. */
export async function findLanguage(db: Db, userId: UserId): Promise<string | null> {
  const [row] = await db<[{ locale: string | null }?]>`select locale from users where id = ${userId}`
  return row?.locale ?? null
}
