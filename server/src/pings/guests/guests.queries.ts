import type { ExactPlaceFor } from '@hither/contract/areas.ts'
import type { GuestId, PingId, UserId } from '@hither/contract/ids.ts'
import type {
  AnonymousPing,
  Guest,
  GuestPolicy,
  GuestState,
  PingResponse,
  ResponseCounts,
  ResponseType,
} from '@hither/contract/pings.ts'
import { guestLimits } from '@hither/contract/runtime/guests.ts'
import { type Access, access } from '../../ping-access/ping-access.visibility.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { isoTime, type Piece, sql, statement } from '../../platform/db/statements.ts'
import { areBlocked } from '../../relations/relations.visibility.ts'
import * as shown from '../pings.visibility.ts'
import type { PlaceByAnswer, PlacedPing, StoredArea } from '../place/place.rules.ts'
import { isPlaceByAnswer, placeByAnswer } from '../place/place.visibility.ts'
import type { StoredGuest } from './guests.rules.ts'
import { admitted, guestJson, hiddenFrom, isFull, responseCounts } from './guests.visibility.ts'

/** Locks a ping, so that its guests are counted and changed one after another. Its owner is locked before it. */
export async function lockGuests(tx: Tx, pingId: PingId): Promise<void> {
  await tx`select 1 from location_pins where id = ${pingId} for no key update`
}

/** What decides about a guest, and to whom a change is announced. */
export interface GuestContext {
  readonly id: PingId
  /** The owner. */
  readonly user_id: UserId
  readonly is_public: boolean
  readonly exact_place_for: ExactPlaceFor
  readonly is_place_by_answer: boolean
  readonly responses_visible: boolean
  readonly expires_at: string
  readonly guest_policy: GuestPolicy
  readonly revision: number
  readonly guests_push_at: string | null
  readonly is_full: boolean
  readonly invitee_ids: readonly UserId[]
  readonly hidden_from: readonly UserId[]
  readonly guest: StoredGuest | null
}

const storedGuest = sql`case when g.id is not null then ${guestJson} end`

const contextColumns = sql`
  p.id, p.user_id, p.is_public, p.exact_place_for, ${isPlaceByAnswer} as is_place_by_answer, p.responses_visible, p.expires_at, p.guest_policy, p.guests_push_at,
  ${shown.changeColumns},
  ${isFull} as is_full, ${shown.inviteeIds} as invitee_ids, ${storedGuest} as guest`

/** With what a guest without account may see. */
export type TokenContext = GuestContext &
  Omit<AnonymousPing, 'access' | 'avatar_color' | 'can_respond' | 'place_radius_m'> &
  StoredArea &
  PlaceByAnswer & {
    readonly message: string | null
    readonly counts: ResponseCounts
    /** Whether the response became that of an invitee, who still has it. */
    readonly is_claimed: boolean
  }

const byToken = statement`
  select ${contextColumns}, ${hiddenFrom(sql`g.user_id`)} as hidden_from, p.name, p.is_unnamed, o.username, o.display_name, p.latitude,
    p.longitude, p.address, p.area_km, ${placeByAnswer(sql`'link'`)}, p.created_at, p.activates_at, ${shown.status} as status, p.has_image, p.message,
    ${responseCounts} as counts, exists (
      select 1 from ping_responses v where v.ping_id = p.id and v.claimed_token_hash = ${'tokenHash'}) as is_claimed
  from location_pins p
  join users o on o.id = p.user_id
  left join ping_guests g on g.ping_id = p.id and g.token_hash = ${'tokenHash'}
  where p.id = ${'pingId'}`

/** Finds a ping, and the guest of this token whether or not it is removed or claimed. */
export async function findByToken(
  db: Db,
  pingId: PingId,
  tokenHash: Buffer,
  now: Date,
): Promise<TokenContext | undefined> {
  const [row] = await byToken<TokenContext>(db, { pingId, tokenHash, now })
  return row
}

/** With the access of the person and their names. */
export interface PersonContext extends GuestContext, PlacedPing, PlaceByAnswer {
  readonly access: Access | null
  readonly username: string
  readonly display_name: string | null
}

const viewer = sql`${'viewerId'}::uuid`

const byPerson = statement`
  select ${contextColumns}, ${hiddenFrom(viewer)} as hidden_from, ${access} as access, u.username, u.display_name,
    p.latitude, p.longitude, p.address, p.area_km, ${placeByAnswer(sql`'link'`)}
  from location_pins p
  join users u on u.id = ${viewer}
  left join ping_guests g on g.ping_id = p.id and g.user_id = u.id
  where p.id = ${'pingId'}`

/** Finds a ping, and the response of this person as a guest. */
export async function findByPerson(
  tx: Tx,
  pingId: PingId,
  viewerId: UserId,
  now: Date,
): Promise<PersonContext | undefined> {
  const [row] = await byPerson<PersonContext>(tx, { pingId, viewerId, now })
  return row
}

/** The guest of a token, and what the person who claims it has at the ping already. */
export interface ClaimContext extends GuestContext {
  readonly access: Access | null
  readonly username: string
  readonly display_name: string | null
  readonly blocked_pairs: readonly (readonly [UserId, UserId])[]
  readonly own: StoredGuest | null
  readonly response: Pick<PingResponse, 'response_type' | 'revision' | 'created_at' | 'updated_at'> | null
  /** Whether the response of the person was claimed with this token. */
  readonly is_claimed: boolean
}

const byClaim = statement`
  select ${contextColumns}, ${hiddenFrom(viewer)} as hidden_from, ${access} as access, u.username, u.display_name,
    ${shown.blockedPairs} as blocked_pairs, own.guest as own,
    case when v.user_id is not null then json_build_object(
      'response_type', v.response_type, 'revision', v.revision, 'created_at', ${isoTime(sql`v.created_at`)},
      'updated_at', ${isoTime(sql`v.updated_at`)}) end as response,
    coalesce(v.claimed_token_hash = ${'tokenHash'}, false) as is_claimed
  from location_pins p
  join users u on u.id = ${viewer}
  left join ping_guests g on g.ping_id = p.id and g.token_hash = ${'tokenHash'}
  left join lateral (
    select ${guestJson} as guest from ping_guests g where g.ping_id = p.id and g.user_id = ${viewer}) own on true
  left join ping_responses v on v.ping_id = p.id and v.user_id = u.id
  where p.id = ${'pingId'}`

export async function findClaim(
  tx: Tx,
  claim: { pingId: PingId; viewerId: UserId; tokenHash: Buffer; now: Date },
): Promise<ClaimContext | undefined> {
  const [row] = await byClaim<ClaimContext>(tx, claim)
  return row
}

const byId = statement`
  select ${contextColumns}, ${hiddenFrom(sql`g.user_id`)} as hidden_from
  from location_pins p left join ping_guests g on g.ping_id = p.id and g.id = ${'guestId'}
  where p.id = ${'pingId'}`

export async function findById(tx: Tx, pingId: PingId, guestId: GuestId, now: Date): Promise<GuestContext | undefined> {
  const [row] = await byId<GuestContext>(tx, { pingId, guestId, now })
  return row
}

const pushTimes = <N extends string>(more: Piece<N>) => sql`
  with ping as (
    update location_pins set guests_push_at = coalesce(${'pushAt'}::timestamptz, guests_push_at) ${more}
    where id = ${'pingId'}
  )`

const inserted = statement`
  ${pushTimes(sql`
    , guests_created = least(guests_created + 1, 32767),
    ${admitted(sql`(${'state'}::text = 'approved')::integer`, sql`${'at'}`)}`)}
  insert into ping_guests (
    id, ping_id, user_id, name, response_type, revision, state, token_hash, created_at, updated_at)
  values (${'id'}, ${'pingId'}, ${'userId'}::uuid, ${'name'}::text, ${'type'}, ${'revision'}, ${'state'},
    ${'tokenHash'}::bytea, ${'at'}, ${'at'})`

interface GuestToInsert {
  readonly id: GuestId
  readonly pingId: PingId
  /** Either the account or the name is null. */
  readonly userId: UserId | null
  readonly name: string | null
  readonly type: ResponseType
  readonly revision: number
  readonly state: GuestState
  readonly tokenHash: Buffer | null
  readonly at: Date
  /** When the owner is notified; null for never. */
  readonly pushAt: Date | null
}

/** Inserts and counts a guest. Returned before it runs, so that it can be sent with the commit. */
export function insertGuest(tx: Tx, guest: GuestToInsert) {
  return inserted(tx, { ...guest })
}

const updated = statement`
  ${pushTimes(sql``)}
  update ping_guests
  set name = ${'name'}::text, response_type = ${'type'}, revision = ${'revision'}, updated_at = ${'at'} where id = ${'id'}`

/** Changes the answer of a guest, and the name of one without account. Returned before it runs. */
export function updateAnswer(
  tx: Tx,
  guest: Pick<GuestToInsert, 'id' | 'pingId' | 'name' | 'type' | 'revision' | 'at' | 'pushAt'>,
) {
  return updated(tx, { ...guest })
}

/** Moves the response of a guest without account to an account. The token is stored, so that a repetition is recognized. */
export async function updateOwner(tx: Tx, id: GuestId, userId: UserId): Promise<void> {
  await tx`update ping_guests set user_id = ${userId}, name = null where id = ${id}`
}

/** Stores with the guest of an account the token of the response that the account already had. */
export async function updateToken(tx: Tx, id: GuestId, tokenHash: Buffer): Promise<void> {
  await tx`update ping_guests set token_hash = ${tokenHash} where id = ${id}`
}

/** Inserts a claimed response of an invitee, unless there is one, and stores the claimed token with it. */
export async function upsertClaimed(
  tx: Tx,
  claim: { pingId: PingId; userId: UserId; type: ResponseType; revision: number; tokenHash: Buffer; at: Date },
): Promise<void> {
  await tx`
    insert into ping_responses (ping_id, user_id, response_type, revision, created_at, updated_at, claimed_token_hash)
    values (${claim.pingId}, ${claim.userId}, ${claim.type}, ${claim.revision}, ${claim.at}, ${claim.at},
      ${claim.tokenHash})
    on conflict (ping_id, user_id) do update set claimed_token_hash = excluded.claimed_token_hash`
}

const approved = statement`
  with guest as (
    update ping_guests set state = 'approved' where id = ${'id'} and state = 'waiting' returning ping_id
  )
  update location_pins set ${admitted(sql`1`, sql`${'at'}`)} where id = (select ping_id from guest)`

export async function updateApproved(tx: Tx, id: GuestId, at: Date): Promise<void> {
  await approved(tx, { id, at })
}

/** Removes a guest. The row stays without name, so that the token or account cannot respond again. */
export async function updateRemoved(tx: Tx, id: GuestId): Promise<void> {
  await tx`update ping_guests set state = 'removed', name = null where id = ${id}`
}

export async function deleteGuest(tx: Tx, id: GuestId): Promise<void> {
  await tx`delete from ping_guests where id = ${id}`
}

/** Deletes the guests of a ping, and the names of those who were given its exact place. */
export async function deleteGuestsOf(tx: Tx, pingId: PingId): Promise<void> {
  await tx`
    with known as (delete from ping_place_known_by where ping_id = ${pingId} and guest_id is not null)
    delete from ping_guests where ping_id = ${pingId}`
}

/** Deletes the response of a guest who became an invitee. It becomes their response, unless there is one or it was removed. */
export async function moveToResponse(tx: Tx, pingId: PingId, userId: UserId): Promise<void> {
  await tx`
    with moved as (delete from ping_guests where ping_id = ${pingId} and user_id = ${userId} returning *)
    insert into ping_responses (ping_id, user_id, response_type, revision, created_at, updated_at, claimed_token_hash)
    select ping_id, user_id, response_type, revision, created_at, updated_at, token_hash from moved where state <> 'removed'
    on conflict (ping_id, user_id) do nothing`
}

/** Lists the pings of each of two users at which the other is a guest. With `invited`, only those to which they are invited. */
export async function listPingsBetween(
  tx: Tx,
  a: UserId,
  b: UserId,
  { invited }: { invited: boolean },
): Promise<{ id: PingId; guest_user_id: UserId }[]> {
  return tx<{ id: PingId; guest_user_id: UserId }[]>`
    select p.id, g.user_id as guest_user_id from ping_guests g join location_pins p on p.id = g.ping_id
    where ((g.user_id = ${a} and p.user_id = ${b}) or (g.user_id = ${b} and p.user_id = ${a}))
      and (not ${invited}::boolean
        or exists (select 1 from ping_recipients r where r.ping_id = p.id and r.recipient_id = g.user_id))
    order by p.id`
}

/** Lists the pings at which a user is a guest, with their owners. */
export async function listPingsOfGuest(tx: Tx, userId: UserId): Promise<{ id: PingId; user_id: UserId }[]> {
  return tx<{ id: PingId; user_id: UserId }[]>`
    select p.id, p.user_id from ping_guests g join location_pins p on p.id = g.ping_id
    where g.user_id = ${userId} order by p.id`
}

export async function deleteGuestRowsOf(tx: Tx, userId: UserId): Promise<void> {
  await tx`delete from ping_guests where user_id = ${userId}`
}

/** Lists the pings whose guests are no longer stored. */
export async function listOutdated(tx: Tx, now: Date, limit: number): Promise<PingId[]> {
  const endedBefore = new Date(now.getTime() - guestLimits.retentionMs)
  const rows = await tx<{ id: PingId }[]>`
    select distinct p.id
    from (
      select ping_id from ping_guests union all select ping_id from ping_place_known_by where guest_id is not null
    ) g join location_pins p on p.id = g.ping_id
    where p.expires_at <= ${endedBefore} order by p.id limit ${limit}`
  return rows.map(({ id }) => id)
}

const reportable = statement`
  select ${guestJson} as guest, p.name as ping_name
  from ping_guests g join location_pins p on p.id = g.ping_id
  where g.id = ${'guestId'} and g.state <> 'removed' and p.user_id = ${viewer}
    and not ${areBlocked<'viewerId'>(sql`g.user_id`, viewer)}`

/** Finds a guest of a ping of this owner. */
export async function findOwnGuest(
  db: Db,
  viewerId: UserId,
  guestId: GuestId,
): Promise<{ guest: Guest; ping_name: string } | undefined> {
  const [row] = await reportable<{ guest: Guest; ping_name: string }>(db, { viewerId, guestId })
  return row
}

/** Lists the guests who have answered since then and of whom the owner is notified. */
export async function listAnswered(db: Db, pingId: PingId, since: string): Promise<Guest[]> {
  const rows = await answered<{ guest: Guest }>(db, { pingId, since })
  return rows.map(({ guest }) => guest)
}

const answered = statement`
  select ${guestJson} as guest from ping_guests g
  where g.ping_id = ${'pingId'} and g.updated_at >= ${'since'}::timestamptz
    and (g.state = 'approved' or (g.state = 'waiting' and g.response_type <> 'declined'))
  order by g.updated_at, g.id`
