import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import { readByConversation, storeByConversation } from '../chat-storage.ts'

export function draftOf(userId: UserId, conversationId: ConversationId): string {
  const text = readByConversation('drafts', userId)[conversationId]
  return typeof text === 'string' ? text : ''
}

export function saveDraft(userId: UserId, conversationId: ConversationId, text: string) {
  storeByConversation('drafts', userId, conversationId, text.trim() === '' ? undefined : text)
}
