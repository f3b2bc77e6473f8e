import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { patchCopies, refetchConversation } from '../chat.cache.ts'
import { readByConversation, storeByConversation } from '../chat-storage.ts'
import { withDate } from './chat-date.rules.ts'

/** The key of the mutations with which the viewer asks to keep a chat. */
export function keepKey(conversationId: ConversationId) {
  return ['chat', 'keep', conversationId] as const
}

/** Asks to keep the chat. The member whose request keeps it does not see the notice that the others see. */
export function useKeepChat(conversationId: ConversationId, viewerId: UserId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: keepKey(conversationId),
    mutationFn: () => call('PUT /messages/conversations/:id/keep', { params: { id: conversationId } }),
    onSuccess: (conversation) => {
      if (conversation.kept_at !== null) noteKeptNoticeRead(viewerId, conversationId)
      patchCopies(queryClient, conversationId, (one) => withDate(one, conversation))
    },
    // A chat that has ended is gone then, and one that stays shows no date.
    onError: () => void refetchConversation(queryClient, conversationId),
  })
}

export function useTakeBackKeepRequest(conversationId: ConversationId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call('DELETE /messages/conversations/:id/keep', { params: { id: conversationId } }),
    onSuccess: () =>
      patchCopies(queryClient, conversationId, (one) =>
        one.erase_at === null ? one : { ...one, keep_requests: { count: 0, is_mine: false } },
      ),
    onError: () => void refetchConversation(queryClient, conversationId),
  })
}

/** Whether the viewer has read on this device that the chat stays. */
export function isKeptNoticeRead(viewerId: UserId, conversationId: ConversationId): boolean {
  return readByConversation('kept', viewerId)[conversationId] === true
}

export function noteKeptNoticeRead(viewerId: UserId, conversationId: ConversationId) {
  storeByConversation('kept', viewerId, conversationId, true)
}
