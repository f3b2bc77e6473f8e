import { type ConversationId, type UserId } from '@hither/contract/ids.ts'
import { readKept, writeKept } from './kept.ts'

export function draftOf(userId: UserId, conversationId: ConversationId): string {
  const text = read(userId)[conversationId]
  return typeof text === 'string' ? text : ''
}

export function keepDraft(userId: UserId, conversationId: ConversationId, text: string) {
  const { [conversationId]: _before, ...others } = read(userId)
  writeKept('drafts', userId, text.trim() === '' ? others : { ...others, [conversationId]: text })
}

function read(userId: UserId): Record<string, unknown> {
  const kept = readKept('drafts', userId)
  return typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {}
}
