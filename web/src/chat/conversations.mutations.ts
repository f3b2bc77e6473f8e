import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import type { Conversation, ConversationSummary } from '@hither/contract/messages/messages.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/transport.ts'
import { conversationQuery, summariesQuery } from './chat.api.ts'
import { patchSummary, putIntoList, refetchConversation, removeConversation } from './chat.cache.ts'

/** The server returns an existing direct conversation instead of creating a second one. */
export function useCreateConversation() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: { name?: string; participant_ids: UserId[] }) =>
      call('POST /messages/conversations/', { body: input }),
    onSuccess: (conversation) => putIntoList(queryClient, conversation),
  })
}

/** Resolves to the id of the direct conversation with this user, and creates it if there is none. */
export function useOpenDirect() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (userId: UserId): Promise<ConversationId> => {
      const isWanted = ({ direct_participant }: ConversationSummary) => direct_participant?.user_id === userId
      // The conversation opens without network if the device knows it.
      const cached = queryClient.getQueryData(summariesQuery().queryKey)?.find(isWanted)
      if (cached !== undefined) return cached.id
      const known = (await queryClient.query(summariesQuery()).catch(() => [])).find(isWanted)
      if (known !== undefined) return known.id
      const conversation = await call('POST /messages/conversations/', { body: { participant_ids: [userId] } })
      putIntoList(queryClient, conversation)
      return conversation.id
    },
  })
}

export function useRenameConversation(conversationId: ConversationId) {
  return useChangeConversation(conversationId, (name: string) =>
    call('PUT /messages/conversations/:id/name', { params: { id: conversationId }, body: { name } }),
  )
}

export function useAddParticipant(conversationId: ConversationId) {
  return useChangeConversation(conversationId, (user_id: UserId) =>
    call('POST /messages/conversations/:id/participants/add', { params: { id: conversationId }, body: { user_id } }),
  )
}

export function useRemoveParticipant(conversationId: ConversationId) {
  return useChangeConversation(conversationId, (user_id: UserId) =>
    call('POST /messages/conversations/:id/participants/remove', { params: { id: conversationId }, body: { user_id } }),
  )
}

/** Joins a group that the viewer left. */
export function useJoinAgain(conversationId: ConversationId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call('POST /messages/conversations/:id/join', { params: { id: conversationId } }),
    onSuccess: (conversation) => {
      putIntoList(queryClient, conversation)
      return queryClient.invalidateQueries({ queryKey: conversationQuery(conversationId).queryKey })
    },
  })
}

/** The key of the mutations with which the viewer leaves or deletes a group. */
export function endKey(conversationId: ConversationId) {
  return ['chat', 'end', conversationId] as const
}

export function useLeaveConversation(conversationId: ConversationId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: endKey(conversationId),
    mutationFn: () => call('POST /messages/conversations/:id/leave', { params: { id: conversationId } }),
    onSuccess: () => removeConversation(queryClient, conversationId),
  })
}

export function useDeleteConversation(conversationId: ConversationId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: endKey(conversationId),
    mutationFn: () => call('DELETE /messages/conversations/:id', { params: { id: conversationId } }),
    onSuccess: () => removeConversation(queryClient, conversationId),
  })
}

/**
 * The conversation is read again, because live changes may be newer than the response. The read replaces a running one, which
 * may be from before the change.
 */
function useChangeConversation<Input>(conversationId: ConversationId, change: (input: Input) => Promise<Conversation>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: ({ name }) => {
      patchSummary(queryClient, conversationId, (summary) => ({ ...summary, name }))
      return queryClient.invalidateQueries(conversationQuery(conversationId))
    },
    // The server refuses if another participant has changed the conversation in the meantime.
    onError: () => void refetchConversation(queryClient, conversationId),
  })
}
