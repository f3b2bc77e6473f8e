import type { ConversationId, MessageId, PingId, UserId } from '@hither/contract/ids.ts'
import type { Conversation, ConversationType, Message } from '@hither/contract/messages/messages.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { isoTime, type Piece, plainTime, sql, statement } from '../platform/db/statements.ts'
import { type Page as ListPage, pageValues } from '../platform/http/pages.ts'
import { lastMessageColumns, messageColumns, storedColumns } from './messages.columns.ts'
import * as shown from './messages.visibility.ts'

// Lists are returned before they run, so that a test can ask the database for the plan of the same statement.

/** Pass `isoTime` inside JSON, where times have another format. */
const summaryColumns = (timeOf = plainTime) => sql`
  c.id, c.name, c.type, c.ping_id, c.system_created, ${timeOf(sql`c.created_at`)} as created_at,
  ${timeOf(sql`c.updated_at`)} as updated_at,
  ${shown.unreadCount(sql`me`)} as unread_count, row_to_json(last) as last_message,
  case when d.id is not null then
    json_build_object('user_id', d.id, 'username', d.username, 'display_name', d.display_name, 'has_image',
      d.has_image) end as direct_participant,
  ${timeOf(sql`me.pinned_at`)} as pinned_at, ${timeOf(sql`me.archived_at`)} as archived_at,
  ${timeOf(sql`c.erase_at`)} as erase_at, ${timeOf(sql`c.kept_at`)} as kept_at,
  case when c.erase_at is not null then (
    select json_build_object('count', count(*), 'is_mine', coalesce(bool_or(k.user_id = me.user_id), false))
    from chat_keep_requests k where k.chat_id = c.id) end as keep_requests`

function summaryOf(me: Piece<never>) {
  return sql`${me} me
    join chats c on c.id = me.chat_id
    left join lateral (
      ${shown.person(sql`case when c.pair_low_id = me.user_id then c.pair_high_id else c.pair_low_id end`)}
    ) d on true
    left join lateral (
      select ${lastMessageColumns(isoTime)}
      from messages m left join users u on u.id = m.sender_id
      where m.chat_id = c.id and m.deleted_at is null order by m.seq desc limit 1
    ) last on true`
}

/** A page of the conversations of the viewer, the one with the latest message first, as one JSON text. */
const jsonListOf = (columns: Piece<never>) => statement`
  select coalesce(json_agg(row_to_json(conversation)), '[]')::text as json
  from (
    select ${columns}
    from ${summaryOf(shown.membership)}
    where ${shown.isSeen} and (${'before'}::uuid is null or (c.updated_at, c.id) < (
      select b.updated_at, b.id from chats b join chat_members own on own.chat_id = b.id
      where b.id = ${'before'}::uuid and own.user_id = ${'viewerId'}))
    order by c.updated_at desc, c.id desc
    limit ${'limit'}::int
  ) conversation`

const seenConversations = jsonListOf(sql`${summaryColumns(isoTime)}, ${shown.participants} as participants`)
const seenSummaries = jsonListOf(summaryColumns(isoTime))

/** Lists the conversations of a user, the one with the latest message first. The row has the JSON of `Conversation[]`. */
export function listConversations(db: Db, viewerId: UserId, now: Date, page: ListPage<ConversationId> = {}) {
  return seenConversations<{ json: string }>(db, { viewerId, now, ...pageValues(page) })
}

/** Like `listConversations`, without participants. The row has the JSON of `ConversationSummary[]`. */
export function listSummaries(db: Db, viewerId: UserId, now: Date, page: ListPage<ConversationId> = {}) {
  return seenSummaries<{ json: string }>(db, { viewerId, now, ...pageValues(page) })
}

const seenConversation = statement`
  select ${summaryColumns()}, ${shown.participants} as participants
  from ${summaryOf(shown.membership)}
  where c.id = ${'conversationId'} and ${shown.isSeen}`

export function findConversation(db: Db, viewerId: UserId, conversationId: ConversationId, now: Date) {
  return seenConversation<Conversation>(db, { viewerId, conversationId, now })
}

/**
 * `total` is the number of messages. `anchor_seq` is the position of the message that the page is read from, even if that
 * message is deleted. `messages` are in ascending order: besides those of the page, one older and one newer message, if
 * there are any.
 */
type FoundPage = Conversation & {
  total: number
  anchor_seq: number | null
  has_older: boolean
  has_newer: boolean
  messages: Message[]
}

const existing = sql`chat_id = me.chat_id and deleted_at is null`

const older = sql`${existing} and seq < coalesce(start.seq, 2147483647)`
const newer = sql`${existing} and seq > start.seq`
const beforePage = sql`
  select ${storedColumns} from messages where ${older} order by seq desc limit ${'limit'}::int + 1 offset ${'offset'}::int`
const afterPage = sql`
  select ${storedColumns} from messages where ${newer} order by seq limit ${'limit'}::int + 1 offset ${'offset'}::int`
const newerMax = sql`((${'limit'}::int - 1) / 2)`
const aroundPage = sql`
  (select ${storedColumns} from messages where ${newer} order by seq limit ${newerMax} + 1 offset ${'offset'}::int)
  union all
  (select ${storedColumns} from messages where ${existing} and seq <= start.seq order by seq desc
    limit ${'limit'}::int + 1 - least(${newerMax}, (
      select count(*) from (select from messages where ${newer} limit ${newerMax}) few)))`

// The facts about the viewer are computed once and not for each message.
const pageOf = (rows: Piece<'limit' | 'offset'>, hasOlder: Piece<never>, hasNewer: Piece<never>) => statement`
  with me as materialized (
    select * from ${shown.membership} own where own.chat_id = ${'conversationId'} and own.user_id = ${'viewerId'}
  )
  select ${summaryColumns()}, ${shown.participants} as participants, c.last_seq - c.deleted_count as total,
    start.seq as anchor_seq, ${hasOlder} as has_older, ${hasNewer} as has_newer, (
      select coalesce(json_agg(page order by page.seq), '[]')
      from (
        select ${messageColumns(isoTime)}
        from (${rows}) m
        left join lateral (${shown.person(sql`m.sender_id`)}) u on true
      ) page
    ) as messages
  from ${summaryOf(sql`me`)}
  left join messages start on start.id = ${'anchor'} and start.chat_id = c.id
  where ${shown.isSeen}`

const no = sql`false`
const pages = {
  before: pageOf(
    beforePage,
    no,
    sql`case when start.seq is not null then exists (
      select 1 from messages where ${existing} and seq >= start.seq) else false end`,
  ),
  after: pageOf(afterPage, sql`exists (select 1 from messages where ${existing} and seq <= start.seq)`, no),
  around: pageOf(aroundPage, no, no),
}

/** Where a page is read: before `anchor` or, with null, at the end; after it; or around it. `offset` skips messages. */
export interface Page {
  readonly direction: keyof typeof pages
  readonly anchor: MessageId | null
  readonly limit: number
  readonly offset: number
}

export function findPage(
  db: Db,
  viewerId: UserId,
  conversationId: ConversationId,
  now: Date,
  { direction, ...page }: Page,
) {
  return pages[direction]<FoundPage>(db, { viewerId, conversationId, now, ...page })
}

export async function isMember(db: Db, conversationId: ConversationId, userId: UserId, now: Date): Promise<boolean> {
  const rows = await membershipOf(db, { conversationId, viewerId: userId, now })
  return rows.length > 0
}

const membershipOf = statement`
  select 1 from chat_members me join chats c on c.id = me.chat_id
  where c.id = ${'conversationId'} and ${shown.isSeen}`

declare const isLocked: unique symbol

/** The id of a conversation that this transaction has locked: its members and messages do not change meanwhile. */
export type LockedConversation = ConversationId & { readonly [isLocked]: true }

/** Serializes all writes to a conversation. */
export async function lockChat(tx: Tx, conversationId: ConversationId): Promise<LockedConversation> {
  await lock(tx, { conversationId })
  return conversationId as LockedConversation
}

const lock = statement`select 1 from chats where id = ${'conversationId'} for no key update`

/** Lists those of these users who join chats of pings automatically. */
export async function listAutoJoining(tx: Tx, userIds: readonly UserId[]): Promise<UserId[]> {
  const rows = await tx<{ id: UserId }[]>`
    select id from users where id = any(${userIds}::uuid[]) and auto_join_chats`
  return rows.map(({ id }) => id)
}

interface NewChat {
  readonly id: ConversationId
  readonly type: ConversationType
  readonly name: string | null
  readonly pingId: PingId | null
  readonly systemCreated: boolean
  readonly pair: readonly [UserId, UserId] | null
  /** When it is erased, and the person who created the ping. */
  readonly date: { readonly eraseAt: Date; readonly pingOwnerId: UserId } | null
  readonly now: Date
}

/**
 * Inserts a conversation unless one exists for the ping or the pair; returns whether it did. Concurrent calls wait for
 * each other.
 */
export async function insertChat(tx: Tx, chat: NewChat): Promise<boolean> {
  const [a, b] = chat.pair ?? [null, null]
  const { count } = await tx`
    insert into chats (id, type, name, ping_id, system_created, pair_low_id, pair_high_id, created_at, updated_at,
      erase_at, ping_owner_id)
    values (${chat.id}, ${chat.type}, ${chat.name}, ${chat.pingId}, ${chat.systemCreated},
      least(${a}::uuid, ${b}::uuid), greatest(${a}::uuid, ${b}::uuid), ${chat.now}, ${chat.now},
      ${chat.date?.eraseAt ?? null}, ${chat.date?.pingOwnerId ?? null})
    on conflict do nothing`
  return count > 0
}

export async function findPairChat(tx: Tx, a: UserId, b: UserId): Promise<ConversationId | undefined> {
  const [row] = await tx<{ id: ConversationId }[]>`
    select id from chats
    where pair_low_id = least(${a}::uuid, ${b}::uuid) and pair_high_id = greatest(${a}::uuid, ${b}::uuid)`
  return row?.id
}

export async function findPingChat(tx: Tx, pingId: PingId): Promise<ConversationId | undefined> {
  const [row] = await tx<{ id: ConversationId }[]>`select id from chats where ping_id = ${pingId}`
  return row?.id
}

const pingOf = statement`select c.ping_id from chats c where c.id = ${'conversationId'} and ${shown.isBeforeDate}`

export async function findPingOf(tx: Tx, conversationId: ConversationId, now: Date): Promise<PingId | null> {
  const [row] = await pingOf<{ ping_id: PingId | null }>(tx, { conversationId, now })
  return row?.ping_id ?? null
}

/** Moves the date of a chat, if it has one. */
export async function updateDate(tx: Tx, conversationId: ConversationId, byMs: number): Promise<void> {
  await tx`
    update chats set erase_at = erase_at + ${byMs}::double precision * interval '1 millisecond'
    where id = ${conversationId} and erase_at is not null`
}

export async function updateName(tx: Tx, conversationId: ConversationId, name: string): Promise<void> {
  await tx`update chats set name = ${name} where id = ${conversationId}`
}

/** Deletes a conversation with its members and messages. */
export async function deleteChat(tx: Tx, conversationId: ConversationId): Promise<void> {
  await tx`delete from chats where id = ${conversationId}`
}
