import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import type { Conversation } from '@hither/contract/messages/messages.ts'
import { inOrder } from '../../platform/db/in-order.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { announceKeeping, lockConversation, type MessagesDeps } from '../chats.service.ts'
import { findConversation } from '../conversations.queries.ts'
import * as queries from './keeping.queries.ts'
import { isEnough } from './keeping.rules.ts'

/**
 * Asks to keep the chat of a ping. It loses its date for good if the owner of the ping asks, or if another member has asked
 * already. A repeated request, and one for a chat that is kept, change nothing.
 */
export async function keepConversation(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
): Promise<Conversation> {
  return changes.commit(pool, async (tx, announce, withCommit) => {
    const at = now()
    const [chat, [conversation]] = await inOrder([
      lockConversation(tx, callerId, conversationId, at),
      findConversation(tx, callerId, conversationId, at),
    ])
    if (!conversation) throw new Refusal('conversation_not_found')
    if (chat.erase_at === null && chat.kept_at === null) throw new Refusal('chat_has_no_date')
    if (chat.erase_at === null || chat.keep_requester_id === callerId) return conversation
    if (!isEnough(chat, callerId)) {
      withCommit(queries.insertRequest(tx, chat.id, callerId))
      announceKeeping(announce, chat, { ...chat, keep_requester_id: callerId })
      return { ...conversation, keep_requests: { count: 1, is_mine: true } }
    }
    const kept = { erase_at: null, kept_at: at.toISOString() }
    withCommit(queries.updateKept(tx, chat.id, at))
    announceKeeping(announce, chat, { ...chat, ...kept, keep_requester_id: null })
    return { ...conversation, ...kept, keep_requests: null }
  })
}

/** Takes the caller's request back. Succeeds without a change if there is none, also if the chat is kept. */
export async function takeBackKeepRequest(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
): Promise<void> {
  await changes.commit(pool, async (tx, announce, withCommit) => {
    const chat = await lockConversation(tx, callerId, conversationId, now())
    if (chat.keep_requester_id !== callerId) return
    withCommit(queries.deleteRequest(tx, chat.id, callerId))
    announceKeeping(announce, chat, { ...chat, keep_requester_id: null })
  })
}
