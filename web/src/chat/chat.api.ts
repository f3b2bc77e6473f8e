import type { ConversationId, MessageId } from '@hither/contract/ids.ts'
import type { ConversationDetails, ConversationSummary } from '@hither/contract/messages/messages.ts'
import { queryOptions } from '@tanstack/react-query'
import { type After, allPages } from '../api/all-pages.ts'
import { isRefusal } from '../api/api-error.ts'
import { ApiError, call } from '../api/transport.ts'
import { mergedSummaries, newestOf, type OpenConversation, withNewest } from './chat-changes.ts'
import { withAround, withoutWindow } from './message-window.ts'

const pageSizes = { first: 40, older: 60, around: 60, refetch: 100 } as const
/** The maximum number of pages that are refetched for a conversation that was scrolled far back. */
const refetchedPagesMax = 6

/** The key of all searches. A deleted or edited message changes their results. */
export const searchKey = ['chat', 'search'] as const

/** The conversations, the one with the latest message first. */
export function summariesQuery() {
  const queryKey = ['chat', 'list'] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<ConversationSummary[]> => {
      const before = client.getQueryData<ConversationSummary[]>(queryKey)
      const read = await allPages(
        (query: After<ConversationId>) => call('GET /messages/conversations/summaries', { query }, { signal }),
        (summary) => summary.id,
      )
      return mergedSummaries(read, before, client.getQueryData<ConversationSummary[]>(queryKey))
    },
  })
}

/**
 * The messages from the newest one back to the oldest loaded one. `null` if the conversation does not exist or the
 * viewer is not a participant.
 */
export function conversationQuery(conversationId: ConversationId) {
  const queryKey = ['chat', 'one', conversationId] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<OpenConversation | null> => {
      const cached = () => client.getQueryData<OpenConversation | null>(queryKey) ?? undefined
      const before = cached()
      const known = new Set(before?.messages.map(({ id }) => id))
      const limit = Math.min(Math.max(before?.messages.length ?? 0, pageSizes.first), pageSizes.refetch)
      try {
        const details = await call(
          'GET /messages/conversations/:id',
          { params: { id: conversationId }, query: { limit } },
          { signal },
        )
        const page = details.message_details
        const firstCached = before?.messages[0]?.seq ?? Number.POSITIVE_INFINITY
        for (let pages = 1; pages < refetchedPagesMax && page.has_more; pages++) {
          const first = page.messages[0]
          if (first === undefined || first.seq <= firstCached) break
          const query = { limit: pageSizes.refetch, before: first.id }
          const older = await call(
            'GET /messages/conversations/:id',
            { params: { id: conversationId }, query },
            { signal },
          )
          page.messages.unshift(...older.message_details.messages)
          page.has_more = older.message_details.has_more
        }
        const aroundId = before?.window?.aroundId
        const window = aroundId && (await readAround(conversationId, aroundId, signal))
        const newest = withNewest(cached(), details, known)
        // The viewer may have opened another message or returned to the end during the read.
        const isSame = newest.window?.aroundId === aroundId
        return window && isSame ? withAround(withoutWindow(newest), window, aroundId) : newest
      } catch (error) {
        if (isNotFound(error) && !isRefusal(error, 'conversation_left')) return null
        throw error
      }
    },
    // Comparing tens of thousands of messages field by field takes longer than rendering the visible ones.
    structuralSharing: false,
    meta: { persistedPart: newestOf },
  })
}

/** Where a page of messages begins or ends. */
type PagePosition = { before: MessageId } | { after: MessageId } | { around: MessageId }

/**
 * Loads a page of messages and passes it to `add`, which adds it to the cached conversation. It is a query, so that changes
 * that arrive meanwhile are applied again after the response.
 */
export function messagePageQuery(
  conversationId: ConversationId,
  position: PagePosition,
  add: (details: ConversationDetails) => void,
) {
  return queryOptions({
    queryKey: ['chat', 'page', conversationId, position] as const,
    queryFn: async ({ signal }): Promise<ConversationDetails> => {
      const limit = 'around' in position ? pageSizes.around : pageSizes.older
      const query = { limit, ...position }
      const details = await call(
        'GET /messages/conversations/:id',
        { params: { id: conversationId }, query },
        { signal },
      )
      add(details)
      return details
    },
    retry: false,
    staleTime: 0,
    gcTime: 0,
    meta: { persisted: false },
  })
}

/** Who reacted to a message, oldest first. */
export function reactionsQuery(messageId: MessageId) {
  return queryOptions({
    queryKey: ['chat', 'reactions', messageId] as const,
    queryFn: ({ signal }) => call('GET /messages/messages/:id/reactions', { params: { id: messageId } }, { signal }),
    meta: { persisted: false },
  })
}

/** Returns null if the message does not exist any more. */
async function readAround(
  conversationId: ConversationId,
  around: MessageId,
  signal: AbortSignal,
): Promise<ConversationDetails | null> {
  const query = { limit: pageSizes.refetch, around }
  try {
    return await call('GET /messages/conversations/:id', { params: { id: conversationId }, query }, { signal })
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

/** A mistyped or cut address does not contain a valid id. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 422)
}
