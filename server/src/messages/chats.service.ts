import type { ChatRow, MessageReadReceiptRow } from '@hither/contract/feeds.ts'
import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import type { Conversation } from '@hither/contract/messages/messages.ts'
import type { Announce, Changes } from '../events/changes.ts'
import { feeds } from '../feeds/feeds.ts'
import { announcePingExtra } from '../pings/ping-extras.service.ts'
import type { Pool, Tx } from '../platform/db/database.ts'
import { inOrder } from '../platform/db/in-order.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { lockConversationPingOwnerShared } from '../users/user-locks.ts'
import * as queries from './conversations.queries.ts'
import { type ChatOfCaller, type ChatWithMembers, findChatOfCaller, type Member } from './members.queries.ts'

export interface MessagesDeps {
  pool: Pool
  changes: Changes
  now: () => Date
}

/**
 * Locks the conversation until the transaction ends. Throws the same refusal for a conversation that does not exist and for one
 * that the caller may not see.
 */
export async function lockConversation(
  tx: Tx,
  callerId: UserId,
  conversationId: ConversationId,
  now: Date,
): Promise<LockedChat<ChatOfCaller>> {
  const chat = await lockAndFind(tx, conversationId, () => findChatOfCaller(tx, callerId, conversationId, now))
  if (!chat) throw new Refusal('conversation_not_found')
  return chat
}

/** A conversation that this transaction has locked. */
export type LockedChat<Chat extends ChatWithMembers = ChatWithMembers> = Chat & {
  readonly id: queries.LockedConversation
}

/** Locks a conversation and finds it in the same round trip. */
export async function lockAndFind<Chat extends ChatWithMembers>(
  tx: Tx,
  conversationId: ConversationId,
  find: () => Promise<Chat | undefined>,
): Promise<LockedChat<Chat> | undefined> {
  const [, chat] = await inOrder([queries.lockChat(tx, conversationId), find()])
  return chat as LockedChat<Chat> | undefined
}

/** Like `lockConversation`, for a change that may end the conversation, which is announced to the audience of its ping. */
export async function lockConversationAndPing(
  tx: Tx,
  callerId: UserId,
  conversationId: ConversationId,
  now: Date,
): Promise<LockedChat> {
  const [, chat] = await inOrder([
    lockConversationPingOwnerShared(tx, conversationId),
    lockConversation(tx, callerId, conversationId, now),
  ])
  return chat
}

export async function getSeenConversation(
  tx: Tx,
  viewerId: UserId,
  conversationId: ConversationId,
  now: Date,
): Promise<Conversation> {
  const [conversation] = await queries.findConversation(tx, viewerId, conversationId, now)
  if (!conversation) throw new Refusal('conversation_not_found')
  return conversation
}

export function chatRowOf(chat: ChatWithMembers, member: Member): ChatRow {
  return {
    id: chat.id,
    user_id: member.user_id,
    name: chat.name,
    type: chat.type,
    role: member.role,
    updated_at: chat.updated_at,
    unread_count: member.unread_count,
    pinned_at: member.placement?.pinned_at ?? null,
    archived_at: member.placement?.archived_at ?? null,
    ...keepingOf(chat),
  }
}

/** Returns the date of a conversation and whether somebody has asked to keep it, never who. */
export function keepingOf({
  erase_at,
  kept_at,
  keep_requester_id,
}: ChatWithMembers): Pick<ChatRow, 'erase_at' | 'kept_at' | 'keep_count'> {
  return { erase_at, kept_at, keep_count: keep_requester_id === null ? 0 : 1 }
}

/** Announces to each member that the date of a chat, or whether somebody has asked to keep it, has changed. */
export function announceKeeping(announce: Announce, before: ChatWithMembers, after: ChatWithMembers): void {
  for (const member of after.members)
    announce.update('chats', chatRowOf(after, member), chatRowOf(before, member), feeds.chats.audience(member))
}

export function receiptOf(chat: ChatWithMembers, member: Member): MessageReadReceiptRow {
  const { user_id, last_read_seq, read_at } = member
  return { conversation_id: chat.id, user_id, last_read_seq, read_at }
}

/** Deletes a conversation and announces it to all members. Needs `lockConversationAndPing`. */
export async function endConversation(tx: Tx, announce: Announce, chat: ChatWithMembers, now: Date): Promise<void> {
  await queries.deleteChat(tx, chat.id)
  for (const member of chat.members) announceGone(announce, chat, member)
  if (chat.ping_id) await announcePingExtra(tx, announce, chat.ping_id, { conversation_id: chat.id }, now)
}

/** Announces the deletion of a conversation to a user who was a member, or who is one but may not see it any more. */
export function announceGone(announce: Announce, chat: ChatWithMembers, member: Member): void {
  announce.delete('chats', chatRowOf(chat, member), feeds.chats.audience(member))
  announce.membershipEnded(chat.id, member.user_id)
}
