import { blockedUserName } from '@hither/contract/friends.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { type AccountExport } from '@hither/contract/users.ts'
import { type Db } from '../platform/database.ts'

type Held = Omit<AccountExport, 'exported_at' | 'account' | 'pings' | 'notifications' | 'moderation'>

/** Rows of every table that name the person, each with what it says of them; but for their pings. */
export async function findExport(db: Db, userId: UserId): Promise<Held & { has_password: boolean }> {
  const [account] = await db<{ has_password: boolean }[]>`
    select password_hash is not null as has_password from users where id = ${userId}`
  return {
    has_password: account?.has_password ?? false,
    identities: await db<Held['identities']>`
      select issuer, subject, created_at from identities where user_id = ${userId} order by created_at`,
    sessions: await db<Held['sessions']>`
      select id, device, created_at, last_used_at, expires_at, ended_at
      from sessions where user_id = ${userId} order by created_at`,
    known_devices: await db<Held['known_devices']>`
      select last_used_at from known_devices where user_id = ${userId} order by last_used_at`,
    ...(await findPeople(db, userId)),
    images: await db<Held['images']>`
      select i.ping_id, i.width, i.height, i.bytes, i.created_at
      from images i left join location_pins p on p.id = i.ping_id
      where i.user_id = ${userId} or p.user_id = ${userId} order by i.created_at`,
    ...(await findInvitations(db, userId)),
    ...(await findChats(db, userId)),
  }
}

async function findPeople(
  db: Db,
  userId: UserId,
): Promise<Pick<Held, 'friends' | 'friend_requests_sent' | 'friend_requests_received' | 'blocked'>> {
  return {
    friends: await db<Held['friends']>`
      select u.username, f.created_at
      from friendships f
      join users u on u.id = case when f.requester_id = ${userId} then f.requested_id else f.requester_id end
      where f.requester_id = ${userId} or f.requested_id = ${userId} order by f.created_at, f.id`,
    friend_requests_sent: await db<Held['friend_requests_sent']>`
      select u.username, r.created_at from friend_requests r join users u on u.id = r.to_user_id
      where r.from_user_id = ${userId} order by r.created_at, r.id`,
    friend_requests_received: await db<Held['friend_requests_received']>`
      select u.username, r.created_at from friend_requests r join users u on u.id = r.from_user_id
      where r.to_user_id = ${userId} order by r.created_at, r.id`,
    blocked: await db<Held['blocked']>`
      select ${blockedUserName} as username, b.created_at from blocks b
      where b.blocker_id = ${userId} order by b.created_at`,
  }
}

/** The name of the user `u`. Someone blocked, either way, has none here: it may be another one than the person knew. */
function shownName(db: Db, viewerId: UserId) {
  return db`case when exists (
    select 1 from blocks b
    where (b.blocker_id = u.id and b.blocked_id = ${viewerId}) or (b.blocker_id = ${viewerId} and b.blocked_id = u.id)
  ) then ${blockedUserName} else u.username end`
}

async function findInvitations(db: Db, userId: UserId): Promise<Pick<Held, 'invitations' | 'responses'>> {
  return {
    invitations: await db<Held['invitations']>`
      select r.ping_id, ${shownName(db, userId)} as username, r.has_seen
      from ping_recipients r join location_pins p on p.id = r.ping_id join users u on u.id = p.user_id
      where r.recipient_id = ${userId} order by r.ping_id`,
    responses: await db<Held['responses']>`
      select v.ping_id, ${shownName(db, userId)} as username, v.response_type, v.created_at, v.updated_at
      from ping_responses v join location_pins p on p.id = v.ping_id join users u on u.id = p.user_id
      where v.user_id = ${userId} order by v.created_at`,
  }
}

/** Whom a direct conversation is with is not told where a block hides it. */
async function findChats(
  db: Db,
  userId: UserId,
): Promise<Pick<Held, 'conversations' | 'messages' | 'conversations_removed_from'>> {
  return {
    conversations: await db<Held['conversations']>`
      select c.id, c.type, c.name, u.username, m.role, m.joined_at, m.last_read_seq, m.read_at
      from chat_members m
      join chats c on c.id = m.chat_id
      left join users u on u.id = case when c.pair_low_id = ${userId} then c.pair_high_id else c.pair_low_id end
        and not exists (
          select 1 from blocks b
          where (b.blocker_id = u.id and b.blocked_id = ${userId}) or (b.blocker_id = ${userId} and b.blocked_id = u.id))
      where m.user_id = ${userId} order by m.joined_at, c.id`,
    messages: await db<Held['messages']>`
      select chat_id as conversation_id, seq, content, created_at
      from messages where sender_id = ${userId} and deleted_at is null order by created_at, id`,
    conversations_removed_from: await db<Held['conversations_removed_from']>`
      select chat_id as conversation_id, removed_at from chat_removals where user_id = ${userId} order by removed_at`,
  }
}
