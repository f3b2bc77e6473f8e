import type { ConversationId, MessageId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { call } from '../api/transport.ts'
import { isNotFound, messagePageQuery, summariesQuery } from './chat.api.ts'
import { patchConversation, patchSummary, refetchConversation, refetchList, refetchOutdatedList } from './chat.cache.ts'
import { newestOf, withMessage, withOlder, withoutMessage } from './chat-changes.ts'
import { mapMessages, shownOf, withAround, withNewer, withoutWindow } from './message-window.ts'
import { withQuoted } from './quotes.ts'

export function useLoadOlder(conversationId: ConversationId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (before: MessageId) =>
      queryClient.query(
        messagePageQuery(conversationId, { before }, (details) =>
          patchConversation(queryClient, conversationId, (open) =>
            shownOf(open).messages[0]?.id === before ? withOlder(open, details) : open,
          ),
        ),
      ),
    // The message at the start of the page was deleted, so the cached messages are out of date.
    onError: (error) => isNotFound(error) && refetchConversation(queryClient, conversationId),
  })
}

/** Loads the messages that follow those around an older one. */
export function useLoadNewer(conversationId: ConversationId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (after: MessageId) =>
      queryClient.query(
        messagePageQuery(conversationId, { after }, (details) =>
          patchConversation(queryClient, conversationId, (open) =>
            open.window?.messages.at(-1)?.id === after ? withNewer(open, details) : open,
          ),
        ),
      ),
    onError: (error) => isNotFound(error) && refetchConversation(queryClient, conversationId),
  })
}

/** Loads the messages around an older one. Rejects with the server's error if it does not exist any more. */
export function useLoadAround(conversationId: ConversationId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (around: MessageId) =>
      queryClient.query(
        messagePageQuery(conversationId, { around }, (details) =>
          patchConversation(queryClient, conversationId, (open) => withAround(open, details, around)),
        ),
      ),
  })
}

/** Shows the newest messages again. */
export function useLeaveWindow(conversationId: ConversationId): () => void {
  const queryClient = useQueryClient()
  return useCallback(() => patchConversation(queryClient, conversationId, withoutWindow), [queryClient, conversationId])
}

/** Removes the message at once, and restores it if the server refuses. */
export function useDeleteMessage(conversationId: ConversationId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (message: Message) => call('DELETE /messages/messages/:id', { params: { id: message.id } }),
    onMutate: (message) => patchConversation(queryClient, conversationId, (open) => withoutMessage(open, message.id)),
    onError: (error, message) => {
      if (isNotFound(error)) return
      patchConversation(queryClient, conversationId, (open) =>
        mapMessages(
          withMessage({ ...open, erased: open.erased.filter((id) => id !== message.id) }, message),
          (messages) => withQuoted(messages, message),
        ),
      )
    },
    onSuccess: () => void refetchList(queryClient),
  })
}

export function useMarkRead(conversationId: ConversationId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call('PATCH /messages/conversations/:id/mark-read', { params: { id: conversationId } }),
    onMutate: async () => {
      await queryClient.cancelQueries(summariesQuery())
      patchSummary(queryClient, conversationId, (summary) => ({ ...summary, unread_count: 0 }))
    },
    onSuccess: () => refetchOutdatedList(queryClient),
    onError: () => void refetchList(queryClient),
  })
}

/** Drops the older pages of a conversation when it is closed. */
export function useTidyConversation(conversationId: ConversationId) {
  const queryClient = useQueryClient()
  useEffect(() => () => patchConversation(queryClient, conversationId, newestOf), [queryClient, conversationId])
}
