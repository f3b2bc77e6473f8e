import type { ConversationId } from '@hither/contract/ids.ts'
import type { OwnPing } from '@hither/contract/pings.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { hasNoResponse } from '../../api/api-error.ts'
import { call } from '../../api/transport.ts'
import { summariesQuery } from '../../chat/chat.api.ts'
import { refetchList as refetchChats } from '../../chat/chat.cache.ts'
import { withConversation } from '../ping-changes.ts'
import { patchPing } from '../pings.cache.ts'
import { pingChatName } from './ping-chat-name.ts'

/** Creates the chat of an own ping with all recipients, or returns the existing one. */
export function useStartPingChat() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, name, recipients }: OwnPing) => {
      const participant_ids = recipients.map(({ recipient_id }) => recipient_id)
      const body = { name: pingChatName(name), participant_ids, ping_id: id, system_created: true }
      return call('POST /messages/conversations/', { body })
    },
    onSuccess: (conversation, { id }) => {
      if (!conversation?.id) return
      patchPing(queryClient, id, (ping) => withConversation(ping, conversation.id))
      void refetchChats(queryClient)
    },
  })
}

/** Joins the chat of a ping, unless the viewer is a participant. */
export function useEnterPingChat() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (conversationId: ConversationId) => {
      const chats = queryClient.getQueryState(summariesQuery().queryKey)
      const isKnown = chats?.data?.some(({ id }) => id === conversationId) === true
      if (isKnown && !chats?.isInvalidated) return
      try {
        await call('POST /messages/conversations/:id/join', { params: { id: conversationId } })
      } catch (error) {
        // Without network, a chat that the device knows opens all the same.
        if (isKnown && hasNoResponse(error)) return
        throw error
      }
      void refetchChats(queryClient)
    },
  })
}
