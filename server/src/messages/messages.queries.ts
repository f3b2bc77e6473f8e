import { type MessageRow } from '@hither/contract/feeds.ts'
import { type ConversationId, type MessageId, type UserId } from '@hither/contract/ids.ts'
import { type Message, messageTexts } from '@hither/contract/messages.ts'
import { type Db } from '../platform/database.ts'
import { statement } from '../platform/statements.ts'
import * as shown from './messages.sight.ts'

const sent = statement`
  select ${shown.messageColumns()}, m.deleted_at is null and coalesce(${shown.isSeen}, false) as is_there
  from messages m
  join users u on u.id = m.sender_id
  join chats c on c.id = m.chat_id
  left join ${shown.membership} me on me.chat_id = c.id and me.user_id = m.sender_id
  where m.sender_id = ${'viewerId'} and m.client_id = ${'clientId'}`

/** What the sender has sent under this `client_id`; and whether it still is there for them to see. */
export async function findSent(
  db: Db,
  senderId: UserId,
  clientId: string,
): Promise<(Message & { is_there: boolean }) | undefined> {
  const [row] = await sent<Message & { is_there: boolean }>(db, { viewerId: senderId, clientId })
  return row
}

const insert = statement`
  with chat as (
    update chats set last_seq = last_seq + 1, updated_at = ${'createdAt'}
    where id = ${'conversationId'}
    returning id, last_seq, updated_at
  ), sender as (
    update chat_members m set
      last_read_seq = case when m.last_read_seq + m.unread_skipped = c.last_seq - 1
        then c.last_seq else m.last_read_seq end,
      unread_skipped = case when m.last_read_seq + m.unread_skipped = c.last_seq - 1
        then 0 else m.unread_skipped + 1 end
    from chat c where m.chat_id = c.id and m.user_id = ${'senderId'}
  )
  insert into messages (id, chat_id, seq, sender_id, client_id, content, created_at)
  select ${'id'}::uuid, c.id, c.last_seq, ${'senderId'}::uuid, ${'clientId'}::uuid, ${'content'}, c.updated_at
  from chat c`

/**
 * Takes the next place, at a time not before that of the conversation. Needs the conversation locked. It leaves the sender's
 * unread count as it is: where nothing was unread they have read up to here, else this one is skipped when what they have not
 * read is counted. Returned before it runs, so that it can go with the commit.
 */
export function insertMessage(
  db: Db,
  message: {
    id: MessageId
    conversationId: ConversationId
    senderId: UserId
    clientId: string | null
    content: string
    createdAt: string
  },
) {
  return insert(db, message)
}

/** Where a message is that has not been deleted, for a member who sees it. */
export async function findPlace(db: Db, viewerId: UserId, messageId: MessageId): Promise<ConversationId | undefined> {
  const [row] = await place<{ id: ConversationId }>(db, { viewerId, messageId })
  return row?.id
}

const place = statement`
  select c.id
  from messages m join chats c on c.id = m.chat_id join chat_members me on me.chat_id = c.id
  where m.id = ${'messageId'} and m.deleted_at is null and ${shown.isSeen}`

export async function findMessage(db: Db, viewerId: UserId, messageId: MessageId): Promise<Message | undefined> {
  const [row] = await seenMessage<Message>(db, { viewerId, messageId })
  return row
}

const seenMessage = statement`
  select ${shown.messageColumns()}
  from messages m
  left join users u on u.id = m.sender_id
  join chats c on c.id = m.chat_id
  join ${shown.membership} me on me.chat_id = c.id
  where m.id = ${'messageId'} and m.deleted_at is null and ${shown.isSeen}`

/** For whoever runs the service; for nobody to see. */
export async function findMessageByNobody(db: Db, messageId: MessageId): Promise<MessageRow | undefined> {
  const [row] = await db<MessageRow[]>`
    select m.id, m.chat_id as conversation_id, m.sender_id,
      coalesce(u.username, ${messageTexts.deletedUser}) as sender_username, m.content, m.created_at, m.seq, m.client_id
    from messages m left join users u on u.id = m.sender_id
    where m.id = ${messageId} and m.deleted_at is null`
  return row
}

/**
 * Erases the text and leaves the place, which nobody who had not got so far has to read any more. Needs the conversation
 * locked. Answers the time of the latest message that stands, or else of the conversation.
 */
export async function deleteMessage(db: Db, messageId: MessageId, now: Date): Promise<string> {
  const [row] = await db<[{ updated_at: string }]>`
    with gone as (
      update messages set content = '', deleted_at = ${now} where id = ${messageId}
      returning chat_id, seq, sender_id
    ), skipped as (
      update chat_members p set unread_skipped = p.unread_skipped + 1
      from gone g
      where p.chat_id = g.chat_id and p.last_read_seq < g.seq and p.user_id is distinct from g.sender_id
    )
    update chats c set deleted_count = c.deleted_count + 1, updated_at = coalesce((
      select m.created_at from messages m
      where m.chat_id = c.id and m.deleted_at is null and m.id <> ${messageId} order by m.seq desc limit 1
    ), c.created_at)
    from gone g where c.id = g.chat_id
    returning c.updated_at`
  return row.updated_at
}

export interface News {
  readonly name: string | null
  readonly message: Message
}

/** The latest unread one since `since` of someone whom the viewer has not blocked. */
export async function findNews(
  db: Db,
  viewerId: UserId,
  conversationId: ConversationId,
  since: string,
): Promise<News | undefined> {
  const [row] = await news<Message & { chat_name: string | null }>(db, { viewerId, conversationId, since })
  if (!row) return undefined
  const { chat_name: name, ...message } = row
  return { name, message }
}

const news = statement`
  select ${shown.messageColumns()}, c.name as chat_name
  from ${shown.membership} me
  join chats c on c.id = me.chat_id
  join messages m on m.chat_id = c.id
  join users u on u.id = m.sender_id
  where c.id = ${'conversationId'} and ${shown.isSeen}
    and m.deleted_at is null and m.seq > me.last_read_seq and m.created_at >= ${'since'}::timestamptz
    and m.sender_id <> ${'viewerId'}
    and not exists (select 1 from blocks b where b.blocker_id = ${'viewerId'} and b.blocked_id = m.sender_id)
  order by m.seq desc limit 1`
