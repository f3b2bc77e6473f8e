import type { UserId } from '@hither/contract/ids.ts'
import { securityEventLimits } from '@hither/contract/runtime/auth/security-events.ts'
import { friendLinkLimits } from '@hither/contract/runtime/friend-links.ts'
import { guestLimits } from '@hither/contract/runtime/guests.ts'
import type { StoredItem } from '@hither/contract/stored-data.ts'
import { isBeforeDate } from '../messages/messages.visibility.ts'
import { isPlaceStored } from '../pings/place/place.visibility.ts'
import type { Db } from '../platform/db/database.ts'
import { sql, statement } from '../platform/db/statements.ts'
import { isTripCurrent } from '../trips/audience/trips.visibility.ts'

/** The columns of a kind whose things have no date. */
const undated = sql`null::timestamptz as first_erased_at, null::timestamptz as last_erased_at`

const interval = (length: string) => ({ parts: [`interval '${length}'`] })
const guestsKept = interval(`${guestLimits.retentionMs / 3_600_000} hours`)
const linksKept = interval(`${friendLinkLimits.keepDays} days`)
const eventsKept = interval(`${securityEventLimits.keepDays} days`)
const pingsKept = sql`make_interval(days => ${'pingDays'}::integer)`

// One branch for each kind, by an index on the person. They count the rows of the caller's own export, whatever others do.
const stored = statement`
  select kind, count, oldest_at, first_erased_at, last_erased_at from (
    select 'exact_places' as kind, count(*)::integer as count, min(p.created_at) as oldest_at,
      min(p.expires_at + e.keep) as first_erased_at, max(p.expires_at + e.keep) as last_erased_at
    from location_pins p cross join place_erasure e where p.user_id = ${'userId'} and ${isPlaceStored}
    union all
    select 'pins', count(*)::integer, min(created_at),
      min(expires_at + ${pingsKept}), max(expires_at + ${pingsKept})
    from location_pins where user_id = ${'userId'}
    union all
    select 'responses', count(*)::integer, min(at), min(erased_at), max(erased_at) from (
      select v.created_at as at, p.expires_at + ${pingsKept} as erased_at
      from ping_responses v join location_pins p on p.id = v.ping_id where v.user_id = ${'userId'}
      union all
      select g.created_at, p.expires_at + ${guestsKept}
      from ping_guests g join location_pins p on p.id = g.ping_id where g.user_id = ${'userId'} and g.state <> 'removed'
    ) r
    union all
    select 'trips', count(*)::integer, min(t.started_at), min(p.expires_at), max(p.expires_at)
    from ping_trips t join location_pins p on p.id = t.ping_id where t.user_id = ${'userId'} and ${isTripCurrent}
    union all
    select case when c.erase_at is not null then 'ending_messages' when m.attachment = 'photo' then 'photos'
      when m.attachment = 'place' then 'places' else 'messages' end, count(*)::integer, min(m.created_at),
      min(c.erase_at), max(c.erase_at)
    from messages m join chats c on c.id = m.chat_id
    where m.sender_id = ${'userId'} and m.deleted_at is null and ${isBeforeDate} group by 1
    union all
    select 'reactions', count(*)::integer, min(r.created_at), ${undated}
    from message_reactions r join messages m on m.id = r.message_id join chats c on c.id = m.chat_id
    where r.user_id = ${'userId'} and c.erase_at is null
    union all
    select 'chats', count(*)::integer, min(me.joined_at), ${undated}
    from chat_members me join chats c on c.id = me.chat_id where me.user_id = ${'userId'} and ${isBeforeDate}
    union all
    select 'friends', count(*)::integer, min(created_at), ${undated}
    from friendships where requester_id = ${'userId'} or requested_id = ${'userId'}
    union all
    select 'friend_requests', count(*)::integer, min(created_at), ${undated}
    from friend_requests where from_user_id = ${'userId'} or to_user_id = ${'userId'}
    union all
    select 'blocked_people', count(*)::integer, min(created_at), ${undated} from blocks where blocker_id = ${'userId'}
    union all
    select 'circles', count(*)::integer, min(created_at), ${undated} from circles where user_id = ${'userId'}
    union all
    select 'pictures', count(*)::integer, min(created_at), ${undated} from images where user_id = ${'userId'}
    union all
    select 'devices', count(*)::integer, min(created_at), ${undated}
    from sessions where user_id = ${'userId'} and ended_at is null and expires_at > ${'now'}
    union all
    select 'sign_in_methods', count(*)::integer, min(created_at), ${undated} from (
      select created_at from passkeys where user_id = ${'userId'}
      union all select created_at from identities where user_id = ${'userId'}
      union all select created_at from recovery_codes where user_id = ${'userId'} and used_at is null
    ) s
    union all
    select 'friend_links', count(*)::integer, min(created_at),
      min(least(expires_at, revoked_at) + ${linksKept}),
      max(least(expires_at, revoked_at) + ${linksKept})
    from friend_links where user_id = ${'userId'}
    union all
    select 'security_events', count(*)::integer, min(created_at), min(created_at + ${eventsKept}),
      max(created_at + ${eventsKept})
    from security_events where user_id = ${'userId'}
    union all
    select 'reports_made', count(*)::integer, min(created_at), min(erase_at), max(erase_at)
    from reports where reporter_id = ${'userId'}
    union all
    select 'account', 1, created_at, ${undated} from users where id = ${'userId'}
  ) item
  where count > 0`

/** Counts what the server stores about a user, by kind. `pingDays` after its end, a ping is erased. */
export function countStored(db: Db, userId: UserId, pingDays: number, now: Date) {
  return stored<Omit<StoredItem, 'erasure'>>(db, { userId, pingDays, now })
}
