import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { OwnPing, PingStatus } from '@hither/contract/pings.ts'
import type { Tx } from '../../platform/db/database.ts'
import { isoTime, sql, statement } from '../../platform/db/statements.ts'
import type { SeenGuest } from '../guests/guest-announcements.ts'
import { announcedGuests } from '../guests/guests.visibility.ts'
import { joinSight, type SeenPing, seenColumns } from '../pings.queries.ts'
import * as shown from '../pings.visibility.ts'
import type { HiddenPlace, StoredArea } from '../place/place.rules.ts'
import { areaColumns, hiddenPlaceIds } from '../place/place.visibility.ts'

/** A person who is going or maybe, with the time of their last notification about a change of the ping. */
export interface Attendee {
  readonly user_id: UserId
  readonly change_pushed_at: string | null
}

interface ChangeContext extends StoredArea, HiddenPlace {
  readonly moves: number
  readonly announced_status: PingStatus
  readonly blocked_pairs: readonly (readonly [UserId, UserId])[]
  readonly seen_guests: readonly SeenGuest[]
  readonly attendees: readonly Attendee[]
}

/** A ping as its owner sees it, with its area and whom a change concerns. */
export type ChangeablePing = OwnPing & ChangeContext

/**
 * Everybody who is going or maybe and has an account: guests without one receive no pushes. Whether the ping is public for
 * the others is read when a push is sent.
 */
export const attendees = sql`(
  select coalesce(json_agg(json_build_object('user_id', a.user_id, 'change_pushed_at', a.pushed_at)), '[]')
  from (
    select v.user_id, ${isoTime(sql`v.change_pushed_at`)} as pushed_at from ping_responses v
    where v.ping_id = p.id and v.response_type <> 'declined' and v.is_friend
    union all
    select g.user_id, ${isoTime(sql`g.change_pushed_at`)} from ping_guests g
    where p.guests_created > 0 and g.ping_id = p.id and g.user_id is not null and g.state = 'approved'
      and g.response_type <> 'declined'
  ) a)`

const changeable = statement`
  select ${seenColumns}, ${areaColumns}, ${hiddenPlaceIds} as hidden_place_ids, p.moves, p.announced_status,
    ${shown.blockedPairs} as blocked_pairs,
    ${announcedGuests} as seen_guests, ${attendees} as attendees
  from location_pins p
  ${joinSight}
  where p.id = ${'pingId'} and s.access is not null`

/** Finds a ping that the caller wants to change. Whether the caller is the owner must be checked. */
export async function findChangeable(
  tx: Tx,
  viewerId: UserId,
  pingId: PingId,
  now: Date,
): Promise<(SeenPing & ChangeContext) | undefined> {
  const [row] = await changeable<SeenPing & ChangeContext>(tx, { viewerId, pingId, now })
  return row
}
