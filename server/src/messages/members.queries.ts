import type { ConversationId, PingId, UserId } from '@hither/contract/ids.ts'
import type { ConversationType, ParticipantRole } from '@hither/contract/messages/messages.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { isoTime, sql, statement } from '../platform/db/statements.ts'
import * as shown from './messages.visibility.ts'

export interface Member {
  readonly user_id: UserId
  readonly role: ParticipantRole
  readonly unread_count: number
  readonly last_read_seq: number
  readonly read_at: string
  /** Null if the member has neither pinned nor archived the conversation. */
  readonly placement: Placement | null
}

/** Whether a member has pinned or archived the conversation. `mute` is read only for archived ones. */
interface Placement {
  readonly pinned_at: string | null
  readonly archived_at: string | null
  /** `until` is null if the conversation is muted permanently. */
  readonly mute: { readonly until: string | null } | null
}

/**
 * A conversation with all its members, longest membership first: the data that decides whether a write is accepted and
 * who is notified of it.
 */
export interface ChatWithMembers {
  readonly id: ConversationId
  readonly type: ConversationType
  readonly name: string | null
  readonly ping_id: PingId | null
  readonly updated_at: string
  readonly last_seq: number
  readonly erase_at: string | null
  /** The person who created the ping; null without a date. */
  readonly ping_owner_id: UserId | null
  readonly kept_at: string | null
  /** Who has asked to keep the chat: one member at most, because two of them keep it. */
  readonly keep_requester_id: UserId | null
  /** Whether the two members of a direct conversation are friends. */
  readonly are_friends: boolean
  readonly members: readonly Member[]
}

export interface ChatOfCaller extends ChatWithMembers {
  readonly caller_username: string
  readonly caller_display_name: string | null
}

const placement = sql`json_build_object(
  'pinned_at', ${isoTime(sql`p.pinned_at`)}, 'archived_at', ${isoTime(sql`p.archived_at`)},
  'mute', case when p.archived_at is not null then (
    select json_build_object('until', ${isoTime(sql`x.muted_until`)})
    from chat_mutes x where x.user_id = p.user_id and x.chat_id = p.chat_id) end)`

/** The columns of `ChatWithMembers` for the conversation `c`. */
export const chatColumns = sql`
  c.id, c.type, c.name, c.ping_id, c.updated_at, c.last_seq, c.erase_at, c.kept_at, c.ping_owner_id,
  case when c.erase_at is not null then (
    select k.user_id from chat_keep_requests k where k.chat_id = c.id) end as keep_requester_id,
  c.type = 'direct' and ${shown.arePairFriends} as are_friends, (
    select coalesce(json_agg(json_build_object(
      'user_id', p.user_id, 'role', p.role, 'unread_count', ${shown.unreadCount(sql`p`)},
      'last_read_seq', p.last_read_seq, 'read_at', ${isoTime(sql`p.read_at`)},
      'placement', case when p.pinned_at is not null or p.archived_at is not null then ${placement} end
    ) order by p.joined_at, p.user_id), '[]')
    from chat_members p where p.chat_id = c.id
  ) as members`

const chatOfCaller = statement`
  select ${chatColumns}, u.username as caller_username, u.display_name as caller_display_name
  from chats c join chat_members me on me.chat_id = c.id join users u on u.id = me.user_id
  where c.id = ${'conversationId'} and ${shown.isSeen}`

/** Finds a conversation as the caller sees it. Stays valid until the transaction ends if the conversation is locked. */
export async function findChatOfCaller(
  db: Db,
  callerId: UserId,
  conversationId: ConversationId,
  now: Date,
): Promise<ChatOfCaller | undefined> {
  const [row] = await chatOfCaller<ChatOfCaller>(db, { viewerId: callerId, conversationId, now })
  return row
}

const chatUnchecked = statement`select ${chatColumns} from chats c where c.id = ${'conversationId'}`

/** Like `findChatOfCaller`, without a visibility check. */
export async function findConversationUnchecked(
  tx: Tx,
  conversationId: ConversationId,
): Promise<ChatWithMembers | undefined> {
  const [row] = await chatUnchecked<ChatWithMembers>(tx, { conversationId })
  return row
}

/** Adds members. All existing messages count as read by them. */
export async function insertMembers(
  tx: Tx,
  conversationId: ConversationId,
  members: readonly { userId: UserId; role: ParticipantRole }[],
  now: Date,
): Promise<void> {
  await tx`
    insert into chat_members (chat_id, user_id, role, joined_at, last_read_seq, read_at)
    select c.id, n.user_id, n.role, ${now}, c.last_seq, ${now}
    from chats c, unnest(
      ${members.map(({ userId }) => userId)}::uuid[], ${members.map(({ role }) => role)}::text[]
    ) as n (user_id, role)
    where c.id = ${conversationId}`
}

export async function deleteMember(tx: Tx, conversationId: ConversationId, userId: UserId): Promise<void> {
  await tx`delete from chat_members where chat_id = ${conversationId} and user_id = ${userId}`
}

export async function updateRole(
  tx: Tx,
  conversationId: ConversationId,
  userId: UserId,
  role: ParticipantRole,
): Promise<void> {
  await tx`update chat_members set role = ${role} where chat_id = ${conversationId} and user_id = ${userId}`
}

export async function updateRead(tx: Tx, conversationId: ConversationId, userId: UserId, now: Date): Promise<void> {
  await tx`
    update chat_members m set last_read_seq = c.last_seq, unread_skipped = 0, read_at = ${now}
    from chats c
    where c.id = ${conversationId} and m.chat_id = c.id and m.user_id = ${userId}`
}

/** Why somebody is no longer a member: an admin removed them, or they left a group, or the chat of a ping. */
type AbsenceReason = 'removed' | 'left' | 'left_pin'

export async function insertAbsence(
  tx: Tx,
  { id, ping_id }: Pick<ChatWithMembers, 'id' | 'ping_id'>,
  userId: UserId,
  reason: 'removed' | 'left',
  now: Date,
): Promise<void> {
  const stored: AbsenceReason = reason === 'left' && ping_id !== null ? 'left_pin' : reason
  await tx`
    insert into chat_removals (chat_id, user_id, removed_at, reason) values (${id}, ${userId}, ${now}, ${stored})
    on conflict (chat_id, user_id) do update set removed_at = excluded.removed_at, reason = excluded.reason`
  if (stored === 'left_pin') await tx`insert into ping_chat_leavers (ping_id, user_id) values (${ping_id}, ${userId})`
}

/** Forgets why somebody is no longer a member, because they are one again. */
export async function deleteAbsence(
  tx: Tx,
  conversationId: ConversationId,
  pingId: PingId | null,
  userId: UserId,
): Promise<void> {
  await tx`delete from chat_removals where chat_id = ${conversationId} and user_id = ${userId}`
  if (pingId !== null) await tx`delete from ping_chat_leavers where ping_id = ${pingId} and user_id = ${userId}`
}

const absence = statement`
  select coalesce(
    (select r.reason from chat_removals r where r.chat_id = c.id and r.user_id = ${'userId'}),
    (select 'left_pin' from ping_chat_leavers l where l.ping_id = c.ping_id and l.user_id = ${'userId'})) as reason
  from chats c
  where c.id = ${'conversationId'} and ${shown.isBeforeDate}`

/** Returns why a user who was a member is none any more, also of an earlier chat of the ping. */
export async function findAbsence(
  db: Db,
  conversationId: ConversationId,
  userId: UserId,
  now: Date,
): Promise<AbsenceReason | null> {
  const [row] = await absence<{ reason: AbsenceReason | null }>(db, { conversationId, userId, now })
  return row?.reason ?? null
}

/** Returns those of these users who left an earlier chat of the ping. */
export async function listLeavers(tx: Tx, pingId: PingId, userIds: readonly UserId[]): Promise<UserId[]> {
  const rows = await tx<{ user_id: UserId }[]>`
    select user_id from ping_chat_leavers where ping_id = ${pingId} and user_id = any(${userIds}::uuid[])`
  return rows.map(({ user_id }) => user_id)
}

/**
 * Returns those of these users who join the chats of pings by themselves, without members, those whom an admin has
 * removed from this one and those who left it or an earlier one of the ping.
 */
export async function listJoining(
  tx: Tx,
  conversationId: ConversationId,
  userIds: readonly UserId[],
): Promise<UserId[]> {
  const rows = await tx<{ id: UserId }[]>`
    select u.id from users u
    where u.id = any(${userIds}::uuid[]) and u.auto_join_chats
      and not exists (select 1 from chat_members m where m.chat_id = ${conversationId} and m.user_id = u.id)
      and not exists (select 1 from chat_removals r where r.chat_id = ${conversationId} and r.user_id = u.id)
      and not exists (
        select 1 from ping_chat_leavers l join chats c on c.ping_id = l.ping_id
        where c.id = ${conversationId} and l.user_id = u.id)
    order by u.id`
  return rows.map(({ id }) => id)
}
