import { type ConversationId, type MessageId, type PingId, type UserId } from '@hither/contract/ids.ts'
import {
  type Conversation,
  type ConversationSummary,
  type ConversationType,
  type Message,
} from '@hither/contract/messages.ts'
import { type Db } from '../platform/database.ts'
import { isoTime, type Piece, sql, statement } from '../platform/statements.ts'
import * as shown from './messages.sight.ts'

// The lists are returned before they run, so that a test can ask the database how it would run the very same statement.

const summaryColumns = sql`
  c.id, c.name, c.type, c.ping_id, c.system_created, c.created_at, c.updated_at,
  ${shown.unreadCount(sql`me`)} as unread_count, row_to_json(last) as last_message,
  case when d.id is not null then
    json_build_object('user_id', d.id, 'username', d.username, 'has_image', d.has_image) end as direct_participant`

function summaryOf(me: Piece<never>) {
  return sql`${me} me
    join chats c on c.id = me.chat_id
    left join lateral (
      ${shown.person(sql`case when c.pair_low_id = me.user_id then c.pair_high_id else c.pair_low_id end`)}
    ) d on true
    left join lateral (
      select ${shown.messageColumns(isoTime(sql`m.created_at`))}
      from messages m left join users u on u.id = m.sender_id
      where m.chat_id = c.id and m.deleted_at is null order by m.seq desc limit 1
    ) last on true`
}

const seenConversations = statement`
  select ${summaryColumns}, ${shown.participants} as participants
  from ${summaryOf(shown.membership)}
  where ${shown.isSeen}
  order by c.updated_at desc, c.id desc`

/** The one with the latest message first. */
export function listConversations(db: Db, viewerId: UserId) {
  return seenConversations<Conversation>(db, { viewerId })
}

const seenSummaries = statement`
  select ${summaryColumns}
  from ${summaryOf(shown.membership)}
  where ${shown.isSeen}
  order by c.updated_at desc, c.id desc`

/** The same without participants. */
export function listSummaries(db: Db, viewerId: UserId) {
  return seenSummaries<ConversationSummary>(db, { viewerId })
}

const seenConversation = statement`
  select ${summaryColumns}, ${shown.participants} as participants
  from ${summaryOf(shown.membership)}
  where c.id = ${'conversationId'} and ${shown.isSeen}`

export function findConversation(db: Db, viewerId: UserId, conversationId: ConversationId) {
  return seenConversation<Conversation>(db, { viewerId, conversationId })
}

/**
 * `total` counts its messages; `before_seq` is the place of the message `before`, also of one that has been deleted;
 * `messages` are the newest before that one, or of all, oldest first, and one more than `limit` where there are more.
 */
export type FoundPage = Conversation & { total: number; before_seq: number | null; messages: Message[] }

// What is true of the viewer is worked out once, not for each message.
const seenPage = statement`
  with me as materialized (
    select * from ${shown.membership} own where own.chat_id = ${'conversationId'} and own.user_id = ${'viewerId'}
  )
  select ${summaryColumns}, ${shown.participants} as participants, c.last_seq - c.deleted_count as total,
    start.seq as before_seq, (
      select coalesce(json_agg(page order by page.seq), '[]')
      from (
        select ${shown.messageColumns(isoTime(sql`m.created_at`))}
        from (
          select id, chat_id, seq, sender_id, content, created_at, client_id
          from messages
          where chat_id = me.chat_id and deleted_at is null and seq < coalesce(start.seq, 2147483647)
          order by seq desc limit ${'limit'}::int + 1 offset ${'offset'}
        ) m
        left join lateral (${shown.person(sql`m.sender_id`)}) u on true
      ) page
    ) as messages
  from ${summaryOf(sql`me`)}
  left join messages start on start.id = ${'before'} and start.chat_id = c.id
  where ${shown.isSeen}`

export interface Page {
  readonly before: MessageId | null
  readonly limit: number
  readonly offset: number
}

export function findPage(db: Db, viewerId: UserId, conversationId: ConversationId, page: Page) {
  return seenPage<FoundPage>(db, { viewerId, conversationId, ...page })
}

export async function isMember(db: Db, conversationId: ConversationId, userId: UserId): Promise<boolean> {
  const rows = await membershipOf(db, { conversationId, viewerId: userId })
  return rows.length > 0
}

const membershipOf = statement`
  select 1 from chat_members me join chats c on c.id = me.chat_id
  where c.id = ${'conversationId'} and ${shown.isSeen}`

/** Holds a person until the transaction ends: neither their friendships nor their account end meanwhile. Whether they exist. */
export async function lockPerson(db: Db, userId: UserId): Promise<boolean> {
  const rows = await db`select 1 from users where id = ${userId} for share`
  return rows.length > 0
}

/** Keeps who sees the conversation's ping as it is until the transaction ends. Comes before `lockChat`. */
export async function lockPingAudience(db: Db, conversationId: ConversationId): Promise<void> {
  await db`
    select 1 from users
    where id = (select p.user_id from chats c join location_pins p on p.id = c.ping_id where c.id = ${conversationId})
    for share`
}

/** Everything that is written to a conversation waits for one another here. */
export async function lockChat(db: Db, conversationId: ConversationId): Promise<void> {
  await lock(db, { conversationId })
}

const lock = statement`select 1 from chats where id = ${'conversationId'} for no key update`

/** Those of these people who join the chats of pings by themselves. */
export async function listAutoJoining(db: Db, userIds: readonly UserId[]): Promise<UserId[]> {
  const rows = await db<{ id: UserId }[]>`
    select id from users where id = any(${userIds}::uuid[]) and auto_join_chats`
  return rows.map(({ id }) => id)
}

export interface NewChat {
  readonly id: ConversationId
  readonly type: ConversationType
  readonly name: string | null
  readonly pingId: PingId | null
  readonly systemCreated: boolean
  readonly pair: readonly [UserId, UserId] | null
  readonly now: Date
}

/** Whether there was none for the ping or the pair; of two at once, one waits for the other. */
export async function insertChat(db: Db, chat: NewChat): Promise<boolean> {
  const [a, b] = chat.pair ?? [null, null]
  const { count } = await db`
    insert into chats (id, type, name, ping_id, system_created, pair_low_id, pair_high_id, created_at, updated_at)
    values (${chat.id}, ${chat.type}, ${chat.name}, ${chat.pingId}, ${chat.systemCreated},
      least(${a}::uuid, ${b}::uuid), greatest(${a}::uuid, ${b}::uuid), ${chat.now}, ${chat.now})
    on conflict do nothing`
  return count > 0
}

export async function findPairChat(db: Db, a: UserId, b: UserId): Promise<ConversationId | undefined> {
  const [row] = await db<{ id: ConversationId }[]>`
    select id from chats
    where pair_low_id = least(${a}::uuid, ${b}::uuid) and pair_high_id = greatest(${a}::uuid, ${b}::uuid)`
  return row?.id
}

export async function findPingChat(db: Db, pingId: PingId): Promise<ConversationId | undefined> {
  const [row] = await db<{ id: ConversationId }[]>`select id from chats where ping_id = ${pingId}`
  return row?.id
}

export async function findPingOf(db: Db, conversationId: ConversationId): Promise<PingId | null> {
  const [row] = await db<{ ping_id: PingId | null }[]>`select ping_id from chats where id = ${conversationId}`
  return row?.ping_id ?? null
}

export async function updateName(db: Db, conversationId: ConversationId, name: string): Promise<void> {
  await db`update chats set name = ${name} where id = ${conversationId}`
}

/** With its members and messages. */
export async function deleteChat(db: Db, conversationId: ConversationId): Promise<void> {
  await db`delete from chats where id = ${conversationId}`
}
