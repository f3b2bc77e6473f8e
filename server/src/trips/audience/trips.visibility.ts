import { tripLimits } from '@hither/contract/runtime/trips.ts'
import { isoTime, literal, sql } from '../../platform/db/statements.ts'
import { blockedEitherWay, isBlockedByOrBlocks } from '../../relations/relations.visibility.ts'

// Who sees the trips to a ping, as SQL fragments. They refer to `t`, a row of `ping_trips`; to `tu`, its traveler; to `p`,
// the ping; and to `s`, the access of the viewer.

// Looks the traveler up by id. `offset 0` keeps it a lookup per row: the planner may expect many trips.
export const traveler = sql`lateral (select id, username from users where id = t.user_id offset 0)`

/** A trip as JSON. */
export const tripJson = sql`json_build_object(
  'ping_id', t.ping_id, 'user_id', t.user_id, 'username', tu.username, 'state', t.state,
  'arrives_at', ${isoTime(sql`t.arrives_at`)}, 'started_at', ${isoTime(sql`t.started_at`)},
  'updated_at', ${isoTime(sql`t.updated_at`)})`

const overdue = literal(`${tripLimits.overdueMs} milliseconds`)

/** Is true if the trip is en route and its arrival time has long passed. `isOverdue` is the same rule. */
const isTripOverdue = sql`(t.state = 'en_route' and t.arrives_at <= ${'now'}::timestamptz - ${overdue}::interval)`

/** Is true unless the trip has ended by itself, whether or not it has been deleted. */
export const isTripCurrent = sql`(p.expires_at > ${'now'} and not ${isTripOverdue})`

const isViewerGoing = sql`exists (
  select 1 from ping_responses w
  where w.ping_id = p.id and w.user_id = ${'viewerId'} and w.response_type = 'accepted')`

/**
 * The trips that the viewer may see, by arrival: all for the owner, those of everybody for invitees who are going if they
 * may see the responses, and always the viewer's own. None of a person with a block.
 */
export const trips = sql`
  case when s.access in ('owner', 'invitee') then (
    select coalesce(json_agg(${tripJson} order by t.arrives_at, t.user_id), '[]')
    from ping_trips t cross join ${traveler} tu
    where t.ping_id = p.id and ${isTripCurrent}
      and (t.user_id = ${'viewerId'} or s.access = 'owner' or (p.responses_visible and ${isViewerGoing}))
      and not ${isBlockedByOrBlocks(sql`t.user_id`)}
  ) else '[]'::json end`

/** The invitees who are going and still friends of the owner. */
export const goingIds = sql`(
  select coalesce(json_agg(w.user_id), '[]') from ping_responses w
  where w.ping_id = p.id and w.response_type = 'accepted' and w.is_friend)`

/** Everybody who has blocked the user `tu` or whom that user has blocked. */
export const hiddenFromTraveler = blockedEitherWay(sql`tu.id`)

/** A trip with what decides who is notified of it. Never shown to a user. */
export const announcedColumns = sql`
  ${tripJson} as trip, p.user_id, p.responses_visible, ${goingIds} as going_ids, ${hiddenFromTraveler} as hidden_from`

/** Is true if anybody shares a trip to the ping. */
export const hasTrips = sql`exists (select 1 from ping_trips t where t.ping_id = p.id)`
