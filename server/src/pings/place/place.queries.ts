import type { GuestId, PingId, UserId } from '@hither/contract/ids.ts'
import type { PingRow } from '@hither/contract/pings.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { sql, statement } from '../../platform/db/statements.ts'
import { pingColumns } from '../pings.visibility.ts'
import type { PlaceByAnswer, StoredArea, TakenBack } from './place.rules.ts'
import { hiddenPlaceIds, knownName, placeByAnswer } from './place.visibility.ts'

const hidden = statement`select ${hiddenPlaceIds} as ids from location_pins p where p.id = ${'pingId'}`

/** Lists the owner and the invitees who may not know the exact place of a ping. */
export async function listHiddenPlaceIds(tx: Tx, pingId: PingId, now: Date): Promise<UserId[]> {
  const [row] = await hidden<{ ids: UserId[] }>(tx, { pingId, now })
  return row?.ids ?? []
}

const forInvitee = statement`
  select ${pingColumns()}, ${placeByAnswer(sql`'invitee'`)}
  from location_pins p join users o on o.id = p.user_id
  where p.id = ${'pingId'}`

/** Finds a ping with its exact place, its area, and what an invitee may know after each answer. */
export async function findForInvitee(
  tx: Tx,
  pingId: PingId,
  now: Date,
): Promise<(PingRow & StoredArea & PlaceByAnswer) | undefined> {
  const [row] = await forInvitee<PingRow & StoredArea & PlaceByAnswer>(tx, { pingId, now })
  return row
}

const moved = statement`
  with moved as (
    delete from ping_place_known_by where ping_id = ${'pingId'} and guest_id = ${'guestId'} returning *
  )
  insert into ping_place_known_by (ping_id, user_id, name, first_at, last_at)
  select m.ping_id, u.id, coalesce(u.display_name, u.username), m.first_at, m.last_at
  from moved m join users u on u.id = ${'userId'}
  on conflict (ping_id, coalesce(user_id, guest_id)) do update
    set first_at = least(ping_place_known_by.first_at, excluded.first_at),
      last_at = greatest(ping_place_known_by.last_at, excluded.last_at)`

/** A guest without account turns out to be this user: what the guest was shown, the user was. */
export async function moveKnownPlace(tx: Tx, pingId: PingId, guestId: GuestId, userId: UserId): Promise<void> {
  await moved(tx, { pingId, guestId, userId })
}

// An answer that the owner has removed is not taken back: a removed guest keeps a row, and a removed invitee has no invitation.
const takenBack = statement`
  select k.user_id, ${knownName(sql`p.user_id`)} as name, k.last_at as at
  from ping_place_known_by k join location_pins p on p.id = k.ping_id left join users u on u.id = k.user_id
  where k.ping_id = ${'pingId'} and k.last_at >= ${'since'}::timestamptz and num_nonnulls(k.user_id, k.guest_id) = 1
    and (${'inviteeId'}::uuid is not null) = exists (
      select 1 from ping_recipients r where r.ping_id = k.ping_id and r.recipient_id = k.user_id)
    and (${'inviteeId'}::uuid is null or k.user_id = ${'inviteeId'})
    and not exists (
      select 1 from ping_guests g where g.ping_id = k.ping_id and (g.id = k.guest_id or g.user_id = k.user_id))
    and not exists (select 1 from blocks b where b.blocker_id = p.user_id and b.blocked_id = k.user_id)
  order by k.last_at, k.id`

/**
 * Lists the people whose answers since then gave them the exact place and are gone: the guests, or this invitee, whose answer
 * the caller knows to be gone. Without those whom the owner has blocked.
 */
export async function listTakenBack(
  db: Db,
  pingId: PingId,
  since: string,
  inviteeId: UserId | null,
): Promise<TakenBack[]> {
  return takenBack<TakenBack>(db, { pingId, since, inviteeId })
}
