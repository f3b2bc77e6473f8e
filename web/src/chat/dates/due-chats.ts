import type { ConversationId } from '@hither/contract/ids.ts'
import type { ConversationSummary } from '@hither/contract/messages/messages.ts'
import type { QueryClient } from '@tanstack/react-query'
import { serverNow } from '../../api/server-time.ts'
import { summariesQuery } from '../chat.api.ts'
import { removeConversation } from '../chat.cache.ts'
import type { OpenConversation } from '../chat-changes.ts'
import { hasEnded } from './chat-date.rules.ts'

/** What the device must know of a chat to erase the rest of it. */
export type KnownChat = Pick<ConversationSummary, 'id' | 'name' | 'direct_participant' | 'erase_at'>

/** The chats that were removed by their date since the last call of `takeRemovedByDate`. */
let removed: KnownChat[] = []

/** Removes the chats whose date has passed from the cache, also without a network. */
export function removeDueChats(queryClient: QueryClient) {
  const nowMs = serverNow()
  for (const chat of knownChats(queryClient).values()) {
    if (!hasEnded(chat, nowMs)) continue
    removed.push(chat)
    removeConversation(queryClient, chat.id)
  }
}

export function takeRemovedByDate(): readonly KnownChat[] {
  const taken = removed
  removed = []
  return taken
}

/** The conversations of the list, and those that are cached. */
export function knownChats(queryClient: QueryClient): Map<ConversationId, KnownChat> {
  const opened = queryClient.getQueriesData<OpenConversation | null>({ queryKey: ['chat', 'one'] })
  const chats = [
    ...opened.flatMap(([, open]) => open?.conversation ?? []),
    ...(queryClient.getQueryData(summariesQuery().queryKey) ?? []),
  ]
  return new Map(chats.map((chat) => [chat.id, chat]))
}
