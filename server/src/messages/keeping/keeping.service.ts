import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import type { Conversation } from '@hither/contract/messages/messages.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { getSeenConversation, lockConversation, type MessagesDeps } from '../chats.service.ts'

export async function keepConversation(
  { pool, changes }: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
): Promise<Conversation> {
  return changes.commit(pool, async (tx) => {
    const chat = await lockConversation(tx, callerId, conversationId)
    if (chat.erase_at === null && chat.kept_at === null) throw new Refusal('chat_has_no_date')
    return getSeenConversation(tx, callerId, conversationId)
  })
}

export async function takeBackKeepRequest(
  { pool, changes }: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
): Promise<void> {
  await changes.commit(pool, async (tx) => {
    await lockConversation(tx, callerId, conversationId)
  })
}
