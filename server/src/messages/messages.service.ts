import type { MessageRow } from '@hither/contract/feeds.ts'
import type { ConversationId, MessageId, UserId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import type { Announce } from '../events/changes.ts'
import { feeds } from '../feeds/feeds.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { inOrder } from '../platform/db/in-order.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import {
  chatRowOf,
  type LockedChat,
  lockAndFind,
  lockConversation,
  type MessagesDeps,
  receiptOf,
} from './chats.service.ts'
import { announceCounts, countOf } from './counts.service.ts'
import { forgetMessage } from './former-texts.service.ts'
import { findChatOfCaller, findConversationUnchecked, updateRead } from './members.queries.ts'
import * as queries from './messages.queries.ts'
import { assertCanErase, memberOf } from './messages.rules.ts'

/**
 * Finds the latest message since `since` that the viewer has not read and would be notified of. Messages from users
 * whom the viewer has blocked are left out, in groups too. `name` is the name of a group.
 */
export function findLatestUnread(
  db: Db,
  viewerId: UserId,
  conversationId: ConversationId,
  since: string,
  now: Date,
): Promise<queries.UnreadMessage | undefined> {
  return queries.findLatestUnread(db, viewerId, conversationId, since, now)
}

/** Marks all current messages of a conversation as read. */
export async function markRead(
  { pool, changes, now }: MessagesDeps,
  viewerId: UserId,
  conversationId: ConversationId,
): Promise<{ unread_count: number }> {
  const seen = await findChatOfCaller(pool, viewerId, conversationId, now())
  if (!seen) throw new Refusal('conversation_not_found')
  if (memberOf(seen, viewerId)?.unread_count === 0) return { unread_count: 0 }
  await changes.commit(pool, async (tx, announce) => {
    const chat = await lockConversation(tx, viewerId, conversationId, now())
    const before = memberOf(chat, viewerId)
    if (!before || before.unread_count === 0) return
    const at = now()
    await updateRead(tx, chat.id, viewerId, at)
    const after = { ...before, last_read_seq: chat.last_seq, unread_count: 0, read_at: at.toISOString() }
    const audience = feeds.message_read_receipts.audience(chat)
    announce.update('message_read_receipts', receiptOf(chat, after), receiptOf(chat, before), audience)
    announce.update('chats', chatRowOf(chat, after), chatRowOf(chat, before), feeds.chats.audience(after))
  })
  return { unread_count: 0 }
}

/** Deletes a message. For its sender, and in a group for admins. */
export async function deleteMessage(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  messageId: MessageId,
): Promise<void> {
  await changes.commit(pool, async (tx, announce) => {
    const at = now()
    const conversationId = await queries.findConversationIdOf(tx, callerId, messageId, at)
    if (!conversationId) throw new Refusal('message_not_found')
    const [chat, message] = await inOrder([
      lockConversation(tx, callerId, conversationId, at),
      queries.findMessage(tx, callerId, messageId, at),
    ])
    if (!message) throw new Refusal('message_not_found')
    assertCanErase(chat, callerId, message)
    const { chat_id: _, read: __, reactions: ___, ...row } = message
    await erase(tx, announce, chat, row, now())
  })
}

/** Returns a message as the viewer sees it. Undefined if they may not see it. */
export function findSeenMessage(
  db: Db,
  viewerId: UserId,
  messageId: MessageId,
  now: Date,
): Promise<Message | undefined> {
  return queries.findMessage(db, viewerId, messageId, now)
}

/**
 * Erases a message as an admin action. Succeeds without a change if the message is
 * gone.
 */
export async function eraseMessage(tx: Tx, announce: Announce, messageId: MessageId, now: Date): Promise<void> {
  const found = await queries.findMessageUnchecked(tx, messageId)
  if (!found) return
  const [chat, message] = await inOrder([
    lockAndFind(tx, found.conversation_id, () => findConversationUnchecked(tx, found.conversation_id)),
    queries.findMessageUnchecked(tx, messageId),
  ])
  if (chat && message) await erase(tx, announce, chat, message, now)
}

/** Erases a message and announces it. */
async function erase(tx: Tx, announce: Announce, chat: LockedChat, message: MessageRow, now: Date): Promise<void> {
  const updatedAt = await queries.deleteMessage(tx, message.id, now)
  // The announcement of the deletion does not repeat the text.
  const emptied = { ...message, content: '', edited_at: null, reply_to: null, attachment: null }
  await forgetMessage(tx, emptied)
  announce.delete('messages', emptied, feeds.messages.audience(chat))
  // Announces the conversation to the members whose unread count or list order has changed.
  const counts = chat.members.flatMap((member) => {
    const isUnread = message.sender_id !== member.user_id && message.seq > member.last_read_seq
    return isUnread || updatedAt !== chat.updated_at ? [countOf(member, isUnread ? -1 : 0)] : []
  })
  announceCounts(announce, chat, updatedAt, counts)
}
