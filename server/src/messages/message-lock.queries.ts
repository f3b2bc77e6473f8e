import type { MessageId, UserId } from '@hither/contract/ids.ts'
import type { Tx } from '../platform/db/database.ts'
import { sql, statement } from '../platform/db/statements.ts'
import { type ChatOfCaller, chatColumns } from './members.queries.ts'
import * as shown from './messages.visibility.ts'

/** The message `m`, its conversation `c`, and the viewer's membership `me` of it. */
export const chatOfMessage = sql`
  messages m join chats c on c.id = m.chat_id join chat_members me on me.chat_id = c.id`

/** Is true if the message exists, is not deleted and the viewer sees its conversation. */
export const isSeenMessage = sql`m.id = ${'messageId'} and m.deleted_at is null and ${shown.isSeen}`

const lock = statement`
  select 1 from chats where id = (select c.id from ${chatOfMessage} where ${isSeenMessage}) for no key update`

/** Locks the conversation of a message that the caller sees. */
export async function lockChatOf(tx: Tx, callerId: UserId, messageId: MessageId, now: Date): Promise<void> {
  await lock(tx, { viewerId: callerId, messageId, now })
}

const chat = statement`
  select ${chatColumns}, u.username as caller_username, u.display_name as caller_display_name
  from ${chatOfMessage} join users u on u.id = me.user_id
  where ${isSeenMessage}`

/** Finds the conversation of a message that the caller sees. */
export async function findChatOf(
  tx: Tx,
  callerId: UserId,
  messageId: MessageId,
  now: Date,
): Promise<ChatOfCaller | undefined> {
  const [row] = await chat<ChatOfCaller>(tx, { viewerId: callerId, messageId, now })
  return row
}
