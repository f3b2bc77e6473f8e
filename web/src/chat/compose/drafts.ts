import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import { readChatStorage, writeChatStorage } from '../chat-storage.ts'

export function draftOf(userId: UserId, conversationId: ConversationId): string {
  const text = read(userId)[conversationId]
  return typeof text === 'string' ? text : ''
}

export function saveDraft(userId: UserId, conversationId: ConversationId, text: string) {
  const { [conversationId]: _before, ...others } = read(userId)
  writeChatStorage('drafts', userId, text.trim() === '' ? others : { ...others, [conversationId]: text })
}

function read(userId: UserId): Record<string, unknown> {
  const stored = readChatStorage('drafts', userId)
  return typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {}
}
