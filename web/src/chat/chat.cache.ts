import type { ConversationId, MessageId, UserId } from '@hither/contract/ids.ts'
import type { ReactionGroup } from '@hither/contract/messages/message-parts.ts'
import type { Conversation, ConversationSummary, Message } from '@hither/contract/messages/messages.ts'
import type { QueryClient } from '@tanstack/react-query'
import { conversationQuery, reactionsQuery, searchKey, summariesQuery } from './chat.api.ts'
import {
  changeMessage,
  mergedSummaries,
  type OpenConversation,
  summaryWithMessage,
  withMessage,
} from './chat-changes.ts'

/** Changes a cached conversation. Does nothing if it is not cached. */
export function patchConversation(
  queryClient: QueryClient,
  conversationId: ConversationId,
  patch: (open: OpenConversation) => OpenConversation,
) {
  const { queryKey } = conversationQuery(conversationId)
  queryClient.setQueryData(queryKey, (open) => open && patch(open))
}

export function patchReactions(
  queryClient: QueryClient,
  conversationId: ConversationId,
  messageId: MessageId,
  change: (groups: ReactionGroup[]) => ReactionGroup[],
) {
  patchConversation(queryClient, conversationId, (open) =>
    changeMessage(open, messageId, (message) => {
      const reactions = change(message.reactions)
      return reactions === message.reactions ? message : { ...message, reactions }
    }),
  )
  // The sheet with the names lists them from the server.
  void queryClient.invalidateQueries(reactionsQuery(messageId))
}

export function patchSummary(
  queryClient: QueryClient,
  conversationId: ConversationId,
  patch: (summary: ConversationSummary) => ConversationSummary,
) {
  queryClient.setQueryData(summariesQuery().queryKey, (summaries) => {
    const before = summaries?.find(({ id }) => id === conversationId)
    if (summaries === undefined || before === undefined) return summaries
    const after = patch(before)
    if (after === before) return summaries
    return mergedSummaries(
      summaries.map((summary) => (summary === before ? after : summary)),
      undefined,
      undefined,
    )
  })
}

/** Changes a conversation in the list and in the open conversation. */
export function patchCopies(
  queryClient: QueryClient,
  conversationId: ConversationId,
  patch: <T extends ConversationSummary>(one: T) => T,
) {
  patchSummary(queryClient, conversationId, patch)
  patchConversation(queryClient, conversationId, (open) => {
    const conversation = patch(open.conversation)
    return conversation === open.conversation ? open : { ...open, conversation }
  })
}

/**
 * Adds a message to the conversation and to the list. The live row or the response to sending calls it, whichever
 * arrives first.
 */
export function putMessage(queryClient: QueryClient, message: Message, viewerId: UserId) {
  patchConversation(queryClient, message.conversation_id, (open) => withMessage(open, message))
  patchSummary(queryClient, message.conversation_id, (summary) => summaryWithMessage(summary, message, viewerId))
}

export function putIntoList(queryClient: QueryClient, conversation: Conversation) {
  const { participants: _participants, ...summary } = conversation
  queryClient.setQueryData(summariesQuery().queryKey, (summaries) =>
    summaries?.some(({ id }) => id === summary.id) ? summaries : summaries && [summary, ...summaries],
  )
  void refetchList(queryClient)
}

/** Deletes a conversation from the cache. A viewer who has it open sees that it no longer exists. */
export function removeConversation(queryClient: QueryClient, conversationId: ConversationId) {
  queryClient.setQueryData(summariesQuery().queryKey, (summaries) =>
    summaries?.some(({ id }) => id === conversationId)
      ? summaries.filter(({ id }) => id !== conversationId)
      : summaries,
  )
  const { queryKey } = conversationQuery(conversationId)
  // Found messages must not stay on screen either, also if the search cannot be repeated now.
  void queryClient.resetQueries({ queryKey: searchKey })
  void queryClient.cancelQueries({ queryKey }, { revert: false })
  if (queryClient.getQueryCache().find({ queryKey }) !== undefined) queryClient.setQueryData(queryKey, null)
}

export function refetchList(queryClient: QueryClient) {
  return queryClient.invalidateQueries(summariesQuery())
}

/** After a change that has cancelled a read of the list: repeats the read if the list may have missed other changes. */
export function refetchOutdatedList(queryClient: QueryClient) {
  if (queryClient.getQueryState(summariesQuery().queryKey)?.isInvalidated) void refetchList(queryClient)
}

export function refetchConversation(queryClient: QueryClient, conversationId: ConversationId) {
  return queryClient.invalidateQueries(conversationQuery(conversationId), { cancelRefetch: false })
}
