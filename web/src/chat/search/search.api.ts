import type { ConversationId } from '@hither/contract/ids.ts'
import { messageSearchLimits } from '@hither/contract/runtime/messages/message-search.ts'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { searchKey } from '../chat.api.ts'

/** Messages that match all words of a text, the newest first, in one conversation or in all. */
export function searchQuery(text: string, conversationId: ConversationId | null) {
  const q = text.trim()
  return infiniteQueryOptions({
    queryKey: [...searchKey, q, conversationId] as const,
    queryFn: ({ pageParam, signal }) => {
      const body = {
        q,
        ...(conversationId !== null && { conversation_id: conversationId }),
        ...(pageParam !== null && { cursor: pageParam }),
      }
      return call('POST /messages/search', { body }, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    enabled: isSearchable(q),
    staleTime: 0,
    gcTime: 5 * 60_000,
    retry: false,
    // Search texts and results are not stored on the device.
    meta: { persisted: false, leavesOutBlocked: true },
    placeholderData: keepPreviousData,
  })
}

/** A search begins with the second character. */
export function isSearchable(text: string): boolean {
  return Array.from(text.trim()).length >= messageSearchLimits.queryMin
}
