import type { FriendLinksExport } from '@hither/contract/friend-links.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { blockedUserName } from '@hither/contract/runtime/friends.ts'
import type { AccountExport } from '@hither/contract/users.ts'
import { contentOf } from '../messages/messages.columns.ts'
import { isBeforeDate } from '../messages/messages.visibility.ts'
import type { Db } from '../platform/db/database.ts'
import type { Queried } from '../platform/db/json-parts.ts'
import { literal, sql, statement } from '../platform/db/statements.ts'
import { areBlocked, friendsOfUser } from '../relations/relations.visibility.ts'
import { isTripCurrent } from '../trips/audience/trips.visibility.ts'

type ExportedRows = Omit<
  AccountExport,
  'exported_at' | 'account' | 'circles' | 'pings' | 'notifications' | 'moderation' | keyof FriendLinksExport
>

/**
 * Returns the queries for the rows of every table that names the user, each with what it says about them, except their pings and the
 * notices of their trips, which end with the ping and say no more than its responses.
 */
export async function findExport(
  db: Db,
  userId: UserId,
  now: Date,
): Promise<Queried<ExportedRows> & { has_password: boolean }> {
  const [account] = await db<{ has_password: boolean; recovery_codes: number }[]>`
    select password_hash is not null as has_password,
      (select count(*)::integer from recovery_codes where user_id = u.id and used_at is null) as recovery_codes
    from users u where id = ${userId}`
  return {
    has_password: account?.has_password ?? false,
    identities: db<ExportedRows['identities']>`
      select issuer, subject, email, created_at from identities where user_id = ${userId} order by created_at`,
    passkeys: db<ExportedRows['passkeys']>`
      select name, created_at, last_used_at from passkeys where user_id = ${userId} order by id`,
    recovery_codes: account?.recovery_codes ?? 0,
    security_events: db<ExportedRows['security_events']>`
      select kind, device, created_at, seen_at from security_events where user_id = ${userId} order by id`,
    sessions: db<ExportedRows['sessions']>`
      select id, device, created_at, last_used_at, expires_at, ended_at, method, locale
      from sessions where user_id = ${userId} order by created_at`,
    known_devices: db<ExportedRows['known_devices']>`
      select last_used_at from known_devices where user_id = ${userId} order by last_used_at`,
    ...findPeople(db, userId),
    images: db<ExportedRows['images']>`
      select i.ping_id, i.width, i.height, i.bytes, i.created_at
      from images i left join location_pins p on p.id = i.ping_id
      where i.user_id = ${userId} or p.user_id = ${userId} order by i.created_at`,
    ...findInvitations(db, userId),
    trips: trips<ExportedRows['trips'][number]>(db, { userId, now }),
    ...findChats(db, userId, now),
  }
}

function findPeople(db: Db, userId: UserId) {
  return {
    friends: friends<ExportedRows['friends'][number]>(db, { userId }),
    friend_requests_sent: db<ExportedRows['friend_requests_sent']>`
      select u.username, r.created_at from friend_requests r join users u on u.id = r.to_user_id
      where r.from_user_id = ${userId} order by r.created_at, r.id`,
    friend_requests_received: db<ExportedRows['friend_requests_received']>`
      select u.username, r.created_at from friend_requests r join users u on u.id = r.from_user_id
      where r.to_user_id = ${userId} order by r.created_at, r.id`,
    blocked: db<ExportedRows['blocked']>`
      select ${blockedUserName} as username, b.created_at from blocks b
      where b.blocker_id = ${userId} order by b.created_at`,
  }
}

const friends = statement`
  select u.username, f.created_at from ${friendsOfUser} f join users u on u.id = f.friend_id order by f.created_at, f.id`

const isHidden = areBlocked<'userId'>(sql`u.id`, sql`${'userId'}`)

/**
 * The name of the user `u`, or "Blocked user" if either has blocked the other: the user may have a new name that the
 * other one must not learn.
 */
const shownName = sql`case when ${isHidden} then ${literal(blockedUserName)} else u.username end`

function findInvitations(db: Db, userId: UserId) {
  return {
    invitations: invitations<ExportedRows['invitations'][number]>(db, { userId }),
    responses: responses<ExportedRows['responses'][number]>(db, { userId }),
    guest_responses: guestResponses<ExportedRows['guest_responses'][number]>(db, { userId }),
  }
}

const invitations = statement`
  select r.ping_id, ${shownName} as username, r.has_seen
  from ping_recipients r join location_pins p on p.id = r.ping_id join users u on u.id = p.user_id
  where r.recipient_id = ${'userId'} order by r.ping_id`

const responses = statement`
  select v.ping_id, ${shownName} as username, v.response_type, v.revision, v.created_at, v.updated_at
  from ping_responses v join location_pins p on p.id = v.ping_id join users u on u.id = p.user_id
  where v.user_id = ${'userId'} order by v.created_at`

const guestResponses = statement`
  select g.ping_id, ${shownName} as username, g.response_type, g.revision, g.created_at, g.updated_at
  from ping_guests g join location_pins p on p.id = g.ping_id join users u on u.id = p.user_id
  where g.user_id = ${'userId'} and g.state <> 'removed' order by g.created_at`

const trips = statement`
  select t.ping_id, ${shownName} as username, t.state, t.arrives_at, t.started_at, t.updated_at
  from ping_trips t join location_pins p on p.id = t.ping_id join users u on u.id = p.user_id
  where t.user_id = ${'userId'} and ${isTripCurrent} order by t.started_at`

/** The other member of a direct conversation is left out if a block hides the conversation. */
function findChats(db: Db, userId: UserId, now: Date) {
  return {
    conversations: conversations<ExportedRows['conversations'][number]>(db, { userId, now }),
    messages: messages<ExportedRows['messages'][number]>(db, { userId, now }),
    reactions: reactions<ExportedRows['reactions'][number]>(db, { userId, now }),
    conversations_removed_from: removals<ExportedRows['conversations_removed_from'][number]>(db, { userId, now }),
    conversations_left: leaves<ExportedRows['conversations_left'][number]>(db, { userId, now }),
  }
}

const reactions = statement`
  select m.chat_id as conversation_id, m.seq as message_seq, r.emoji, r.created_at
  from message_reactions r join messages m on m.id = r.message_id join chats c on c.id = m.chat_id
  where r.user_id = ${'userId'} and ${isBeforeDate} order by r.created_at, r.message_id`

const removals = statement`
  select r.chat_id as conversation_id, r.removed_at
  from chat_removals r join chats c on c.id = r.chat_id
  where r.user_id = ${'userId'} and r.reason = 'removed' and ${isBeforeDate} order by r.removed_at`

const leaves = statement`
  select r.chat_id as conversation_id, r.removed_at as left_at
  from chat_removals r join chats c on c.id = r.chat_id
  where r.user_id = ${'userId'} and r.reason <> 'removed' and ${isBeforeDate} order by r.removed_at`

const conversations = statement`
  select c.id, c.type, c.name, u.username, m.role, m.joined_at, m.last_read_seq, m.read_at, m.pinned_at, m.archived_at,
    c.erase_at, c.kept_at,
    exists (select 1 from chat_keep_requests k where k.chat_id = c.id and k.user_id = m.user_id) as asked_to_keep
  from chat_members m
  join chats c on c.id = m.chat_id
  left join users u on u.id = case when c.pair_low_id = ${'userId'} then c.pair_high_id else c.pair_low_id end
    and not ${isHidden}
  where m.user_id = ${'userId'} and ${isBeforeDate} order by m.joined_at, c.id`

const messages = statement`
  select m.chat_id as conversation_id, m.seq, ${contentOf(sql`m`)} as content, m.created_at, m.edited_at,
    case when m.attachment is not null then m.content end as caption,
    exists (select 1 from images i where i.message_id = m.id) as has_photo,
    case when m.attachment = 'place' then json_build_object('name', m.place_name, 'address', m.place_address,
      'latitude', m.latitude, 'longitude', m.longitude) end as place
  from messages m join chats c on c.id = m.chat_id
  where m.sender_id = ${'userId'} and m.deleted_at is null and ${isBeforeDate} order by m.created_at, m.id`
