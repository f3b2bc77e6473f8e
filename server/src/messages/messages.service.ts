import { type MessageRow } from '@hither/contract/feeds.ts'
import { type ConversationId, type MessageId, type UserId } from '@hither/contract/ids.ts'
import { type Message } from '@hither/contract/messages.ts'
import { tellOfMessage } from '../notifications/pushes.service.ts'
import { type Announce } from '../platform/changes.ts'
import { retryConflicts } from '../platform/conflicts.ts'
import { type Db } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { chatRowOf, holdConversation, type MessagesDeps, memberIdsOf, receiptOf } from './chats.service.ts'
import { lockChat } from './conversations.queries.ts'
import { findHeld, findHeldByNobody, type HeldChat, type Member, updateRead } from './members.queries.ts'
import * as queries from './messages.queries.ts'
import { assertCanErase, assertCanSend, memberOf, readContent } from './messages.rules.ts'

export interface Sending {
  readonly conversation_id: ConversationId
  readonly content: string
  readonly client_id?: string | null
}

/** A repeated `client_id` of the same sender is answered with the first message and nobody hears of it again. */
export async function sendMessage(
  { pool, changes, now }: MessagesDeps,
  senderId: UserId,
  { conversation_id, content: text, client_id: clientId = null }: Sending,
): Promise<{ message: Message; isNew: boolean }> {
  const content = readContent(text)
  return retryConflicts(() =>
    changes.commit(pool, async (db, announce, lastly) => {
      const [chat, sent] = await Promise.all([
        holdConversation(db, senderId, conversation_id),
        clientId === null ? undefined : queries.findSent(db, senderId, clientId),
      ])
      if (sent) return { message: assertStanding(sent), isNew: false }
      assertCanSend(chat)
      const id = newId<MessageId>()
      const at = now()
      // In the time of the conversation, which never goes back, whatever the clocks of two nodes say.
      const createdAt = laterOf(chat.updated_at, at.toISOString())
      const memberIds = memberIdsOf(chat)
      const row: MessageRow = {
        id,
        conversation_id: chat.id,
        sender_id: senderId,
        sender_username: chat.caller_username,
        content,
        created_at: createdAt,
        // Which it gets, as nobody else is given one meanwhile.
        seq: chat.last_seq + 1,
        client_id: clientId?.toLowerCase() ?? null,
      }
      announce.insert('messages', row, memberIds)
      for (const member of chat.members)
        announceCount(announce, chat, member, createdAt, member.user_id === senderId ? 0 : 1)
      const otherIds = memberIds.filter((userId) => userId !== senderId)
      const fields = { id, conversationId: chat.id, senderId, clientId, content, createdAt }
      lastly(queries.insertMessage(db, fields))
      tellOfMessage({ db, announce, lastly }, { chatId: chat.id, sentAt: createdAt }, otherIds, at)
      return { message: { ...row, chat_id: chat.id, read: false }, isNew: true }
    }),
  )
}

/** Both as ISO 8601 in UTC with milliseconds. */
function laterOf(a: string, b: string): string {
  return a > b ? a : b
}

function assertStanding({ is_there, ...message }: Message & { is_there: boolean }): Message {
  if (!is_there) throw new Refusal('message_not_found')
  return message
}

/**
 * The latest message since `since` that the viewer has not read and would be told of: nobody's whom they have blocked, which
 * they are not shown at once in a group either. `name` is that of a group.
 */
export function findNews(
  db: Db,
  viewerId: UserId,
  conversationId: ConversationId,
  since: string,
): Promise<queries.News | undefined> {
  return queries.findNews(db, viewerId, conversationId, since)
}

/** Everything there is in it at this moment. */
export async function markRead(
  { pool, changes, now }: MessagesDeps,
  viewerId: UserId,
  conversationId: ConversationId,
): Promise<{ unread_count: number }> {
  const seen = await findHeld(pool, viewerId, conversationId)
  if (!seen) throw new Refusal('conversation_not_found')
  if (memberOf(seen, viewerId)?.unread_count === 0) return { unread_count: 0 }
  await changes.commit(pool, async (db, announce) => {
    const chat = await holdConversation(db, viewerId, conversationId)
    const before = memberOf(chat, viewerId)
    if (!before || before.unread_count === 0) return
    const at = now()
    await updateRead(db, chat.id, viewerId, at)
    const after = { ...before, last_read_seq: chat.last_seq, unread_count: 0, read_at: at.toISOString() }
    announce.update('message_read_receipts', receiptOf(chat, after), receiptOf(chat, before), memberIdsOf(chat))
    announce.update('chats', chatRowOf(chat, after), chatRowOf(chat, before), [viewerId])
  })
  return { unread_count: 0 }
}

/** Own ones, and as a group's admin anyone's. */
export async function deleteMessage(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  messageId: MessageId,
): Promise<void> {
  await changes.commit(pool, async (db, announce) => {
    const conversationId = await queries.findPlace(db, callerId, messageId)
    if (!conversationId) throw new Refusal('message_not_found')
    const [chat, message] = await Promise.all([
      holdConversation(db, callerId, conversationId),
      queries.findMessage(db, callerId, messageId),
    ])
    if (!message) throw new Refusal('message_not_found')
    assertCanErase(chat, callerId, message)
    const { chat_id: _, read: __, ...row } = message
    await erase(db, announce, chat, row, now())
  })
}

/** What the viewer sees of a message; undefined where they may not know of it. */
export function findSeenMessage(db: Db, viewerId: UserId, messageId: MessageId): Promise<Message | undefined> {
  return queries.findMessage(db, viewerId, messageId)
}

/** Joins the transaction of whoever runs the service. Fine where it is gone. */
export async function eraseMessage(db: Db, announce: Announce, messageId: MessageId, now: Date): Promise<void> {
  const found = await queries.findMessageByNobody(db, messageId)
  if (!found) return
  await lockChat(db, found.conversation_id)
  const [chat, message] = await Promise.all([
    findHeldByNobody(db, found.conversation_id),
    queries.findMessageByNobody(db, messageId),
  ])
  if (chat && message) await erase(db, announce, chat, message, now)
}

/** Needs the conversation held. */
async function erase(db: Db, announce: Announce, chat: HeldChat, message: MessageRow, now: Date): Promise<void> {
  const updatedAt = await queries.deleteMessage(db, message.id, now)
  // What was said is erased: it is not told once more.
  announce.delete('messages', { ...message, content: '' }, memberIdsOf(chat))
  // Whose count or whose place in the list has changed.
  for (const member of chat.members) {
    const isUnread = message.sender_id !== member.user_id && message.seq > member.last_read_seq
    if (isUnread || updatedAt !== chat.updated_at) announceCount(announce, chat, member, updatedAt, isUnread ? -1 : 0)
  }
}

function announceCount(announce: Announce, chat: HeldChat, member: Member, updatedAt: string, added: number): void {
  const before = chatRowOf(chat, member)
  const after = { ...before, updated_at: updatedAt, unread_count: before.unread_count + added }
  announce.update('chats', after, before, [member.user_id])
}
