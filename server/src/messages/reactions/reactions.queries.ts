import type { MessageId, UserId } from '@hither/contract/ids.ts'
import type { LastMessage } from '@hither/contract/messages/messages.ts'
import type { Reaction } from '@hither/contract/messages/reactions.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { inOrder } from '../../platform/db/in-order.ts'
import { isoTime, sql, statement } from '../../platform/db/statements.ts'
import { hasBlocked } from '../../relations/relations.visibility.ts'
import { type ChatOfCaller, chatColumns } from '../members.queries.ts'
import { chatOfMessage, isSeenMessage, lockChatOf } from '../message-lock.queries.ts'
import { lastMessageColumns } from '../messages.columns.ts'
import * as shown from '../messages.visibility.ts'

/** A message in its locked conversation, with what decides whether the caller can react to it. */
export interface ReactedMessage extends ChatOfCaller {
  readonly author_id: UserId | null
  readonly reaction_count: number
  /** The caller's reaction. */
  readonly own: { readonly emoji: string; readonly created_at: string } | null
}

const reacted = statement`
  select ${chatColumns}, u.username as caller_username, u.display_name as caller_display_name, m.sender_id as author_id,
    (select count(*)::int from message_reactions r where r.message_id = m.id) as reaction_count, (
      select json_build_object('emoji', r.emoji, 'created_at', ${isoTime(sql`r.created_at`)})
      from message_reactions r where r.message_id = m.id and r.user_id = ${'viewerId'}
    ) as own
  from ${chatOfMessage} join users u on u.id = me.user_id
  where ${isSeenMessage}`

/** Locks the conversation of a message that the caller sees, and finds both. Undefined if the caller does not see it. */
export async function lockReactedMessage(
  tx: Tx,
  callerId: UserId,
  messageId: MessageId,
  now: Date,
): Promise<ReactedMessage | undefined> {
  const [, [row]] = await inOrder([
    lockChatOf(tx, callerId, messageId, now),
    reacted<ReactedMessage>(tx, { viewerId: callerId, messageId, now }),
  ])
  return row
}

const upsert = statement`
  insert into message_reactions (message_id, user_id, emoji, created_at)
  values (${'message_id'}, ${'user_id'}, ${'emoji'}, ${'created_at'})
  on conflict (message_id, user_id) do update set emoji = excluded.emoji, created_at = excluded.created_at`

/** Returned before it runs, so that it can be sent with the commit. */
export function upsertReaction(tx: Tx, { message_id, user_id, emoji, created_at }: Reaction) {
  return upsert(tx, { message_id, user_id, emoji, created_at })
}

const remove = statement`
  delete from message_reactions where message_id = ${'messageId'} and user_id = ${'userId'}`

/** Returned before it runs, so that it can be sent with the commit. */
export function deleteReaction(tx: Tx, messageId: MessageId, userId: UserId) {
  return remove(tx, { messageId, userId })
}

const list = statement`
  select coalesce((
    select json_agg(json_build_object('message_id', r.message_id, 'conversation_id', c.id, 'user_id', r.user_id,
      'username', u.username, 'emoji', r.emoji, 'created_at', ${isoTime(sql`r.created_at`)})
      order by r.created_at, r.user_id)
    from message_reactions r join users u on u.id = r.user_id where r.message_id = m.id
  ), '[]')::text as json
  from ${chatOfMessage}
  where ${isSeenMessage}`

/**
 * Lists the reactions to a message, oldest first. The row has the JSON of `Reaction[]`; there is none if the viewer does
 * not see the message. Returned before it runs, so that a test can ask the database for its plan.
 */
export function listReactions(db: Db, viewerId: UserId, messageId: MessageId, now: Date) {
  return list<{ json: string }>(db, { viewerId, messageId, now })
}

/** The latest reaction of another person to an own message. */
export interface ReactionNotice {
  readonly username: string
  readonly display_name: string | null
  readonly emoji: string
  readonly created_at: string
  readonly message: LastMessage
}

const notice = statement`
  select by.username, by.display_name, r.emoji, r.created_at, row_to_json(message) as message
  from message_reactions r
  join users by on by.id = r.user_id
  cross join lateral (
    select ${lastMessageColumns(isoTime)}
    from messages m join chats c on c.id = m.chat_id join ${shown.membership} me on me.chat_id = c.id
    join users u on u.id = m.sender_id
    where m.sender_id = ${'viewerId'} and ${isSeenMessage}
  ) message
  where r.message_id = ${'messageId'} and r.created_at >= ${'since'}::timestamptz and r.user_id <> ${'viewerId'}
    and not ${hasBlocked<'viewerId'>(sql`${'viewerId'}`, sql`r.user_id`)}
  order by r.created_at desc limit 1`

/** Finds the latest reaction since `since` to a message of the viewer, from somebody whom the viewer has not blocked. */
export async function findNotice(
  db: Db,
  viewerId: UserId,
  messageId: MessageId,
  since: string,
  now: Date,
): Promise<ReactionNotice | undefined> {
  const [row] = await notice<ReactionNotice>(db, { viewerId, messageId, since, now })
  return row
}
