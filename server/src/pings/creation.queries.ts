import type { CircleId, PingId, RecipientId, UserId } from '@hither/contract/ids.ts'
import type { OwnPing, PingStatus } from '@hither/contract/pings.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import type { Tx } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { sql, statement } from '../platform/db/statements.ts'
import { joinSight, seenColumns } from './pings.queries.ts'
import type { NewPing } from './pings.rules.ts'
import type { HiddenPlace, StoredArea } from './place/place.rules.ts'
import { areaColumns, hiddenPlaceIds } from './place/place.visibility.ts'

const standing = statement`
  select (
      select count(*)::int from location_pins where user_id = ${'ownerId'} and expires_at > ${'now'}
    ) as unexpired, (
      select ping_id from ping_creations where user_id = ${'ownerId'} and client_id = ${'clientId'}
    ) as made_id`

/**
 * Returns the number of unexpired pings of the owner, and the ping that the owner has created under this `client_id`,
 * even if it is deleted.
 */
export async function getCreationState(
  tx: Tx,
  ownerId: UserId,
  clientId: string | null,
  now: Date,
): Promise<{ unexpired: number; made_id: PingId | null }> {
  const [row] = await standing<{ unexpired: number; made_id: PingId | null }>(tx, { ownerId, clientId, now })
  return row as NonNullable<typeof row>
}

const insertedPing = sql`
  with forgotten as (
    delete from ping_creations where user_id = ${'ownerId'} and created_at < ${'forgottenAt'}
  ), creation as (
    insert into ping_creations (user_id, client_id, ping_id, created_at)
    select ${'ownerId'}::uuid, ${'clientId'}::uuid, ${'id'}::uuid, ${'createdAt'}
    where ${'clientId'}::uuid is not null
  ), ping as (
    insert into location_pins (
      id, user_id, name, message, address, latitude, longitude, exact_place_for, area_km, area_latitude, area_longitude,
      area_address, is_public, responses_visible, guest_policy, created_at, updated_at, activates_at, expires_at,
      announced_status, invited_all, reminded_at, is_unnamed
    ) values (
      ${'id'}, ${'ownerId'}, ${'name'}, ${'message'}, ${'address'}, ${'latitude'}, ${'longitude'},
      ${'exactPlaceFor'}, ${'areaKm'}, ${'area_latitude'}, ${'area_longitude'}, ${'area_address'},
      ${'isPublic'}, ${'responsesVisible'}, ${'guestPolicy'}, ${'createdAt'}, ${'createdAt'}, ${'activatesAt'}::timestamptz,
      ${'expiresAt'}, ${'announcedStatus'}, ${'invitedAll'}, ${'remindedAt'}::timestamptz, ${'isUnnamed'})
    returning id, expires_at
  )`

const insert = statement`${insertedPing}
  insert into ping_recipients (id, ping_id, recipient_id, expires_at, is_individual)
  select r.id, p.id, r.recipient_id, p.expires_at, not ${'invitedAll'}
  from ping p, unnest(${'recipientRowIds'}::uuid[], ${'recipientIds'}::uuid[]) as r (id, recipient_id)`

const insertForCircles = statement`${insertedPing}, circles as (
    insert into ping_circles (ping_id, circle_id) select p.id, c.id from ping p, unnest(${'circleIds'}::uuid[]) as c (id)
  )
  insert into ping_recipients (id, ping_id, recipient_id, expires_at, is_individual)
  select r.id, p.id, r.recipient_id, p.expires_at, r.recipient_id = any(${'individualIds'}::uuid[])
  from ping p, unnest(${'recipientRowIds'}::uuid[], ${'recipientIds'}::uuid[]) as r (id, recipient_id)`

/** The circles that a ping is sent to, and who is named individually. */
export interface AudienceChoice {
  readonly circleIds: readonly CircleId[]
  readonly individualIds: readonly UserId[]
}

/**
 * Inserts a ping with its invitees and stores the `client_id`. `circles` is null for a ping without circles. Also deletes the
 * oldest creation records of the owner, which no client retries any more.
 */
export async function insertPing(
  tx: Tx,
  ping: NewPing & {
    id: PingId
    ownerId: UserId
    clientId: string | null
    announcedStatus: PingStatus
    recipientIds: readonly UserId[]
  },
  circles: AudienceChoice | null,
): Promise<void> {
  const forgottenAt = new Date(ping.createdAt.getTime() - pingLimits.clientIdRetentionMs)
  const recipientRowIds = ping.recipientIds.map(() => newId<RecipientId>())
  const values = { ...ping, forgottenAt, recipientRowIds }
  await (circles === null ? insert(tx, values) : insertForCircles(tx, { ...values, ...circles }))
}

const created = statement`
  select ${seenColumns}, ${areaColumns}, ${hiddenPlaceIds} as hidden_place_ids
  from location_pins p
  ${joinSight}
  where p.id = ${'pingId'} and p.user_id = ${'viewerId'}`

/** Finds a ping that this transaction has inserted, as its owner sees it and as it is announced. */
export async function findCreated(
  tx: Tx,
  ownerId: UserId,
  pingId: PingId,
  now: Date,
): Promise<OwnPing & StoredArea & HiddenPlace> {
  const [row] = await created<OwnPing & StoredArea & HiddenPlace>(tx, { viewerId: ownerId, pingId, now })
  return row as NonNullable<typeof row>
}
