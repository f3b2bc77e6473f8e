import type { PingId, RecipientId, UserId } from '@hither/contract/ids.ts'
import type { OwnPing, PingStatus } from '@hither/contract/pings.ts'
import type { Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/ids.ts'
import { sql, statement } from '../../platform/db/statements.ts'
import type { AudienceChoice } from '../creation.queries.ts'
import { admitted } from '../guests/guests.visibility.ts'
import type { StoredArea } from '../place/place.rules.ts'

const edited = statement`
  with recipients as (
    update ping_recipients set expires_at = ${'expiresAt'}
    where ping_id = ${'pingId'} and expires_at <> ${'expiresAt'}
  ), approved as (
    update ping_guests set state = 'approved'
    where ping_id = ${'pingId'} and state = 'waiting' and ${'guestPolicy'}::text = 'open'
  )
  update location_pins set
    ${admitted(
      sql`case when ${'guestPolicy'}::text = 'open' then (
        select count(*)::integer from ping_guests where ping_id = ${'pingId'} and state = 'waiting') else 0 end`,
      sql`${'updatedAt'}`,
    )},
    name = ${'name'}, is_unnamed = ${'isUnnamed'}, message = ${'message'}::text, latitude = ${'latitude'}, longitude = ${'longitude'},
    address = ${'address'}::text, activates_at = ${'activatesAt'}::timestamptz, expires_at = ${'expiresAt'},
    is_public = ${'isPublic'}, responses_visible = ${'responsesVisible'}, guest_policy = ${'guestPolicy'},
    exact_place_for = ${'exactPlaceFor'}, area_km = ${'areaKm'}, area_latitude = ${'areaLatitude'}::double precision,
    area_longitude = ${'areaLongitude'}::double precision, area_address = ${'areaAddress'}::text,
    announced_status = ${'announcedStatus'}, updated_at = ${'updatedAt'}, revision = ${'revision'},
    place_revision = ${'placeRevision'}, time_revision = ${'timeRevision'}, moves = ${'moves'},
    reminded_at = case when ${'hasNewStart'}::boolean then ${'remindedAt'}::timestamptz else reminded_at end
  where id = ${'pingId'}`

/** Stores the fields of a ping, gives its invitations its end, and approves all guests if anyone may respond. */
export async function updatePing(
  tx: Tx,
  pingId: PingId,
  ping: OwnPing & StoredArea,
  extra: { announcedStatus: PingStatus; moves: number; hasNewStart: boolean; remindedAt: Date | null },
): Promise<void> {
  await edited(tx, {
    ...extra,
    pingId,
    name: ping.name,
    isUnnamed: ping.is_unnamed,
    message: ping.message,
    latitude: ping.latitude,
    longitude: ping.longitude,
    address: ping.address,
    activatesAt: ping.activates_at,
    expiresAt: ping.expires_at,
    isPublic: ping.is_public,
    responsesVisible: ping.responses_visible,
    guestPolicy: ping.guest_policy,
    exactPlaceFor: ping.exact_place_for,
    areaKm: ping.area_km,
    areaLatitude: ping.area_latitude,
    areaLongitude: ping.area_longitude,
    areaAddress: ping.area_address,
    updatedAt: ping.updated_at,
    revision: ping.revision,
    placeRevision: ping.place_revision,
    timeRevision: ping.time_revision,
  })
}

const canceled = statement`
  with recipients as (update ping_recipients set expires_at = ${'at'} where ping_id = ${'pingId'})
  update location_pins set
    canceled_at = ${'at'}, cancel_message = ${'message'}::text, planned_expires_at = expires_at, expires_at = ${'at'},
    announced_status = 'expired', updated_at = ${'updatedAt'}
  where id = ${'pingId'}`

/** Ends a ping that was canceled at this time. */
export async function updateCanceled(
  tx: Tx,
  cancellation: { pingId: PingId; at: Date; message: string | null; updatedAt: string },
): Promise<void> {
  await canceled(tx, cancellation)
}

const addressedCircles = sql`
  circles as (
    insert into ping_circles (ping_id, circle_id)
    select ${'pingId'}::uuid, c.id from unnest(${'circleIds'}::uuid[]) as c (id)
    on conflict do nothing
  )`

const named = sql`
  update ping_recipients set is_individual = true
  where ping_id = ${'pingId'} and recipient_id = any(${'individualIds'}::uuid[]) and not is_individual`

const addressed = statement`with ${addressedCircles} ${named}`

/** Stores whom the owner has addressed, without a change of the ping: everybody of them is invited. */
export async function updateAddressed(tx: Tx, pingId: PingId, choice: AudienceChoice): Promise<void> {
  await addressed(tx, { ...choice, pingId })
}

// A friend who responded with the link keeps the response, and a person who was removed may respond again.
const invited = statement`
  with ping as (
    update location_pins set updated_at = ${'updatedAt'} where id = ${'pingId'} returning id, expires_at
  ), moved as (
    delete from ping_guests where ping_id = ${'pingId'} and user_id = any(${'recipientIds'}::uuid[]) returning *
  ), responses as (
    insert into ping_responses (ping_id, user_id, response_type, revision, created_at, updated_at, claimed_token_hash)
    select ping_id, user_id, response_type, revision, created_at, updated_at, token_hash from moved where state <> 'removed'
    on conflict (ping_id, user_id) do nothing
  ), ${addressedCircles}, named as (${named})
  insert into ping_recipients (id, ping_id, recipient_id, expires_at, is_individual)
  select r.id, p.id, r.recipient_id, p.expires_at, r.recipient_id = any(${'individualIds'}::uuid[])
  from ping p, unnest(${'recipientRowIds'}::uuid[], ${'recipientIds'}::uuid[]) as r (id, recipient_id)`

/**
 * Invites people to a ping. The response of a guest among them becomes that of an invitee. Stores whom the owner has
 * addressed, also among those who are invited already.
 */
export async function insertInvitees(
  tx: Tx,
  pingId: PingId,
  recipientIds: readonly UserId[],
  choice: AudienceChoice,
  updatedAt: Date,
): Promise<void> {
  const recipientRowIds = recipientIds.map(() => newId<RecipientId>())
  await invited(tx, { ...choice, pingId, recipientIds, recipientRowIds, updatedAt })
}

// The row of a removed guest keeps the person from responding with the public link. It does not say what they had answered.
const uninvited = statement`
  with invitation as (
    delete from ping_recipients where ping_id = ${'pingId'} and recipient_id = ${'userId'} returning recipient_id
  ), response as (
    delete from ping_responses where ping_id = ${'pingId'} and user_id = ${'userId'}
  ), removed as (
    insert into ping_guests (id, ping_id, user_id, response_type, state, created_at, updated_at)
    select ${'guestId'}::uuid, ${'pingId'}::uuid, recipient_id, 'declined', 'removed', ${'updatedAt'}::timestamptz,
      ${'updatedAt'}::timestamptz
    from invitation
    on conflict (ping_id, user_id) do update set state = 'removed'
  )
  update location_pins set updated_at = ${'updatedAt'}
  where id = ${'pingId'} and exists (select 1 from invitation)`

/**
 * Deletes the invitation of a person with their response. Returns whether the person was invited, also if they are no
 * longer a friend of the owner.
 */
export async function deleteInvitee(
  tx: Tx,
  removal: { pingId: PingId; userId: UserId; guestId: string; updatedAt: Date },
): Promise<boolean> {
  const { count } = await uninvited(tx, removal)
  return count > 0
}
