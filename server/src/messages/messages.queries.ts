import type { MessageRow } from '@hither/contract/feeds.ts'
import type { ConversationId, MessageId, UserId } from '@hither/contract/ids.ts'
import type { LastMessage, Message } from '@hither/contract/messages/messages.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { sql, statement } from '../platform/db/statements.ts'
import { hasBlocked } from '../relations/relations.visibility.ts'
import { lastMessageColumns, messageColumns, messageRowColumns } from './messages.columns.ts'
import * as shown from './messages.visibility.ts'

/** Finds the conversation of a message that is not deleted and that the viewer sees. */
export async function findConversationIdOf(
  tx: Tx,
  viewerId: UserId,
  messageId: MessageId,
  now: Date,
): Promise<ConversationId | undefined> {
  const [row] = await place<{ id: ConversationId }>(tx, { viewerId, messageId, now })
  return row?.id
}

const place = statement`
  select c.id
  from messages m join chats c on c.id = m.chat_id join chat_members me on me.chat_id = c.id
  where m.id = ${'messageId'} and m.deleted_at is null and ${shown.isSeen}`

export async function findMessage(
  db: Db,
  viewerId: UserId,
  messageId: MessageId,
  now: Date,
): Promise<Message | undefined> {
  const [row] = await seenMessage<Message>(db, { viewerId, messageId, now })
  return row
}

const seenMessage = statement`
  select ${messageColumns()}
  from messages m
  left join users u on u.id = m.sender_id
  join chats c on c.id = m.chat_id
  join ${shown.membership} me on me.chat_id = c.id
  where m.id = ${'messageId'} and m.deleted_at is null and ${shown.isSeen}`

/** Finds a message without a visibility check, for admin actions and cleanup. Must not be shown to users. */
export async function findMessageUnchecked(tx: Tx, messageId: MessageId): Promise<MessageRow | undefined> {
  const [row] = await uncheckedMessage<MessageRow>(tx, { messageId })
  return row
}

const uncheckedMessage = statement`
  select ${messageRowColumns} from messages m left join users u on u.id = m.sender_id
  where m.id = ${'messageId'} and m.deleted_at is null`

/**
 * Erases a message, with its attachment and reactions, and keeps its position, which no longer counts as unread. Needs the
 * conversation locked.
 * Returns the time of the latest remaining message, or of the conversation's creation if none remains.
 */
export async function deleteMessage(tx: Tx, messageId: MessageId, now: Date): Promise<string> {
  const [row] = await tx<[{ updated_at: string }]>`
    with gone as (
      update messages set content = '', deleted_at = ${now}, edited_at = null, reply_to_id = null, attachment = null,
        place_name = null, place_address = null, latitude = null, longitude = null, search = '', words_outdated = false
      where id = ${messageId}
      returning chat_id, seq, sender_id
    ), reactions as (
      delete from message_reactions where message_id = ${messageId}
    ), photo as (
      delete from images where message_id = ${messageId}
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

export interface UnreadMessage {
  readonly name: string | null
  readonly message: LastMessage
}

/** Finds the latest unread message since `since` from a sender whom the viewer has not blocked. */
export async function findLatestUnread(
  db: Db,
  viewerId: UserId,
  conversationId: ConversationId,
  since: string,
  now: Date,
): Promise<UnreadMessage | undefined> {
  const [row] = await findLatest<LastMessage & { chat_name: string | null }>(db, {
    ...{ viewerId, conversationId, since, now },
  })
  if (!row) return undefined
  const { chat_name: name, ...message } = row
  return { name, message }
}

const findLatest = statement`
  select ${lastMessageColumns()}, c.name as chat_name
  from ${shown.membership} me
  join chats c on c.id = me.chat_id
  join messages m on m.chat_id = c.id
  join users u on u.id = m.sender_id
  where c.id = ${'conversationId'} and ${shown.isSeen}
    and m.deleted_at is null and m.seq > me.last_read_seq and m.created_at >= ${'since'}::timestamptz
    and m.sender_id <> ${'viewerId'}
    and not ${hasBlocked<'viewerId'>(sql`${'viewerId'}`, sql`m.sender_id`)}
  order by m.seq desc limit 1`
