import { type ConversationId, type PingId, type UserId } from '@hither/contract/ids.ts'
import { type ConversationType, type ParticipantRole } from '@hither/contract/messages.ts'
import { type Db } from '../platform/database.ts'
import { isoTime, sql, statement } from '../platform/statements.ts'
import * as shown from './messages.sight.ts'

export interface Member {
  readonly user_id: UserId
  readonly role: ParticipantRole
  readonly unread_count: number
  readonly last_read_seq: number
  readonly read_at: string
}

/** A conversation with everyone in it, by standing: what a write is judged by, and who is told of it. */
export interface HeldChat {
  readonly id: ConversationId
  readonly type: ConversationType
  readonly name: string | null
  readonly ping_id: PingId | null
  readonly updated_at: string
  readonly last_seq: number
  /** Of the two of a direct one. */
  readonly are_friends: boolean
  readonly members: readonly Member[]
}

export interface HeldByCaller extends HeldChat {
  readonly caller_username: string
}

const heldColumns = sql`
  c.id, c.type, c.name, c.ping_id, c.updated_at, c.last_seq,
  c.type = 'direct' and ${shown.arePairFriends} as are_friends, (
    select coalesce(json_agg(json_build_object(
      'user_id', p.user_id, 'role', p.role, 'unread_count', ${shown.unreadCount(sql`p`)},
      'last_read_seq', p.last_read_seq, 'read_at', ${isoTime(sql`p.read_at`)}
    ) order by p.joined_at, p.user_id), '[]')
    from chat_members p where p.chat_id = c.id
  ) as members`

const heldBy = statement`
  select ${heldColumns}, (select u.username from users u where u.id = me.user_id) as caller_username
  from chats c join chat_members me on me.chat_id = c.id
  where c.id = ${'conversationId'} and ${shown.isSeen}`

/** As the caller sees it. Right for the rest of the transaction where the conversation is locked. */
export async function findHeld(
  db: Db,
  callerId: UserId,
  conversationId: ConversationId,
): Promise<HeldByCaller | undefined> {
  const [row] = await heldBy<HeldByCaller>(db, { viewerId: callerId, conversationId })
  return row
}

const heldByNobody = statement`select ${heldColumns} from chats c where c.id = ${'conversationId'}`

/** The same of one that nobody asks for. */
export async function findHeldByNobody(db: Db, conversationId: ConversationId): Promise<HeldChat | undefined> {
  const [row] = await heldByNobody<HeldChat>(db, { conversationId })
  return row
}

/** Whoever joins has read everything there is. */
export async function insertMembers(
  db: Db,
  conversationId: ConversationId,
  members: readonly { userId: UserId; role: ParticipantRole }[],
  now: Date,
): Promise<void> {
  await db`
    insert into chat_members (chat_id, user_id, role, joined_at, last_read_seq, read_at)
    select c.id, n.user_id, n.role, ${now}, c.last_seq, ${now}
    from chats c, unnest(
      ${members.map(({ userId }) => userId)}::uuid[], ${members.map(({ role }) => role)}::text[]
    ) as n (user_id, role)
    where c.id = ${conversationId}`
}

export async function deleteMember(db: Db, conversationId: ConversationId, userId: UserId): Promise<void> {
  await db`delete from chat_members where chat_id = ${conversationId} and user_id = ${userId}`
}

export async function updateRole(
  db: Db,
  conversationId: ConversationId,
  userId: UserId,
  role: ParticipantRole,
): Promise<void> {
  await db`update chat_members set role = ${role} where chat_id = ${conversationId} and user_id = ${userId}`
}

export async function updateRead(db: Db, conversationId: ConversationId, userId: UserId, now: Date): Promise<void> {
  await db`
    update chat_members m set last_read_seq = c.last_seq, unread_skipped = 0, read_at = ${now}
    from chats c
    where c.id = ${conversationId} and m.chat_id = c.id and m.user_id = ${userId}`
}

export async function insertRemoval(db: Db, conversationId: ConversationId, userId: UserId, now: Date): Promise<void> {
  await db`
    insert into chat_removals (chat_id, user_id, removed_at) values (${conversationId}, ${userId}, ${now})
    on conflict do nothing`
}

export async function deleteRemoval(db: Db, conversationId: ConversationId, userId: UserId): Promise<void> {
  await db`delete from chat_removals where chat_id = ${conversationId} and user_id = ${userId}`
}

export async function isRemoved(db: Db, conversationId: ConversationId, userId: UserId): Promise<boolean> {
  const rows = await db`select 1 from chat_removals where chat_id = ${conversationId} and user_id = ${userId}`
  return rows.length > 0
}
