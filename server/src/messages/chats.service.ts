import { type ChatRow, type MessageReadReceiptRow } from '@hither/contract/feeds.ts'
import { type ConversationId, type UserId } from '@hither/contract/ids.ts'
import { type Conversation } from '@hither/contract/messages.ts'
import { announceChat } from '../pings/ping-chats.service.ts'
import { type Announce, type Changes } from '../platform/changes.ts'
import { type Db, type Pool } from '../platform/database.ts'
import { Refusal } from '../platform/refusal.ts'
import * as queries from './conversations.queries.ts'
import { findHeld, type HeldByCaller, type HeldChat, type Member } from './members.queries.ts'

export interface MessagesDeps {
  pool: Pool
  changes: Changes
  now: () => Date
}

/** Holds the conversation until the transaction ends. Refuses alike what is not there and what the caller may not know of. */
export async function holdConversation(
  db: Db,
  callerId: UserId,
  conversationId: ConversationId,
): Promise<HeldByCaller> {
  // Sent in one go; the second is read once the first has its lock.
  const [, chat] = await Promise.all([queries.lockChat(db, conversationId), findHeld(db, callerId, conversationId)])
  if (!chat) throw new Refusal('conversation_not_found')
  return chat
}

/** The same where the conversation may end, which those who see its ping are told. */
export async function holdWithPing(db: Db, callerId: UserId, conversationId: ConversationId): Promise<HeldChat> {
  const [, chat] = await Promise.all([
    queries.lockPingAudience(db, conversationId),
    holdConversation(db, callerId, conversationId),
  ])
  return chat
}

export async function getSeenConversation(
  db: Db,
  viewerId: UserId,
  conversationId: ConversationId,
): Promise<Conversation> {
  const [conversation] = await queries.findConversation(db, viewerId, conversationId)
  if (!conversation) throw new Refusal('conversation_not_found')
  return conversation
}

export function chatRowOf(chat: HeldChat, member: Member): ChatRow {
  return {
    id: chat.id,
    user_id: member.user_id,
    name: chat.name,
    type: chat.type,
    role: member.role,
    updated_at: chat.updated_at,
    unread_count: member.unread_count,
  }
}

export function receiptOf(chat: HeldChat, member: Member): MessageReadReceiptRow {
  const { user_id, last_read_seq, read_at } = member
  return { conversation_id: chat.id, user_id, last_read_seq, read_at }
}

export function memberIdsOf(chat: HeldChat): UserId[] {
  return chat.members.map(({ user_id }) => user_id)
}

/** Everyone loses it. Needs it held, with its ping. */
export async function endConversation(db: Db, announce: Announce, chat: HeldChat, now: Date): Promise<void> {
  await queries.deleteChat(db, chat.id)
  for (const member of chat.members) announceGone(announce, chat, member)
  if (chat.ping_id) await announceChat(db, announce, chat.ping_id, chat.id, now)
}

/** For one who was a member, or still is one but may not see it any more. */
export function announceGone(announce: Announce, chat: HeldChat, member: Member): void {
  announce.delete('chats', chatRowOf(chat, member), [member.user_id])
  announce.membershipEnded(chat.id, member.user_id)
}
