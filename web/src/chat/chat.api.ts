import { type ConversationId, type MessageId, type UserId } from '@hither/contract/ids.ts'
import {
  addParticipant,
  type Conversation,
  type ConversationSummary,
  createConversation,
  deleteConversation,
  deleteMessage,
  getConversation,
  leaveConversation,
  listConversationSummaries,
  type Message,
  markConversationRead,
  removeParticipant,
  renameConversation,
} from '@hither/contract/messages.ts'
import { getUser } from '@hither/contract/users.ts'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError, call } from '../api/transport.ts'
import {
  mergedSummaries,
  newestOf,
  type OpenConversation,
  summaryWithMessage,
  withMessage,
  withNewest,
  withOlder,
  withoutMessage,
} from './chat-changes.ts'

const pageSizes = { first: 40, older: 60, again: 100 } as const
/** What is read again of a conversation that was scrolled far back. */
const pagesAgainMax = 6

/** The conversation with the latest message first. */
export function summariesQuery() {
  const queryKey = ['chat', 'list'] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<ConversationSummary[]> => {
      const before = client.getQueryData<ConversationSummary[]>(queryKey)
      const read = await call(listConversationSummaries, {}, { signal })
      return mergedSummaries(read, before, client.getQueryData<ConversationSummary[]>(queryKey))
    },
  })
}

/** From the newest message back as far as it was read; `null`: there is none, or none that the viewer is in. */
export function conversationQuery(conversationId: ConversationId) {
  const queryKey = ['chat', 'one', conversationId] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<OpenConversation | null> => {
      const held = () => client.getQueryData<OpenConversation | null>(queryKey) ?? undefined
      const before = held()
      const known = new Set(before?.messages.map(({ id }) => id))
      const limit = Math.min(Math.max(before?.messages.length ?? 0, pageSizes.first), pageSizes.again)
      try {
        const details = await call(getConversation, { params: { id: conversationId }, query: { limit } }, { signal })
        const page = details.message_details
        const firstHeld = before?.messages[0]?.seq ?? Number.POSITIVE_INFINITY
        for (let pages = 1; pages < pagesAgainMax && page.has_more; pages++) {
          const first = page.messages[0]
          if (first === undefined || first.seq <= firstHeld) break
          const query = { limit: pageSizes.again, before: first.id }
          const older = await call(getConversation, { params: { id: conversationId }, query }, { signal })
          page.messages.unshift(...older.message_details.messages)
          page.has_more = older.message_details.has_more
        }
        return withNewest(held(), details, known)
      } catch (error) {
        if (isGone(error)) return null
        throw error
      }
    },
    // Comparing tens of thousands of messages field by field takes longer than drawing those on screen.
    structuralSharing: false,
    meta: { keptPart: newestOf },
  })
}

export function personQuery(userId: UserId) {
  return queryOptions({
    queryKey: ['chat', 'person', userId],
    queryFn: async ({ signal }) => {
      try {
        return await call(getUser, { params: { id: userId } }, { signal })
      } catch (error) {
        if (isGone(error)) return null
        throw error
      }
    },
  })
}

export function useLoadOlder(conversationId: ConversationId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (before: MessageId) => {
      const query = { limit: pageSizes.older, before }
      return call(getConversation, { params: { id: conversationId }, query })
    },
    onSuccess: (details, before) =>
      patchConversation(queryClient, conversationId, (open) =>
        open.messages[0]?.id === before ? withOlder(open, details) : open,
      ),
    // The message that it was asked for is no more: what is held is not what there is.
    onError: (error) => isGone(error) && refetchConversation(queryClient, conversationId),
  })
}

/** An existing direct conversation is answered with rather than made a second time. */
export function useCreateConversation() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: { name?: string; participant_ids: UserId[] }) => call(createConversation, { body: input }),
    onSuccess: (conversation) => putIntoList(queryClient, conversation),
  })
}

/** The id of the direct conversation with this person, which is made where there is none yet. */
export function useOpenDirect() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (userId: UserId): Promise<ConversationId> => {
      const summaries = await queryClient.query(summariesQuery()).catch(() => [])
      const known = summaries.find(({ direct_participant }) => direct_participant?.user_id === userId)
      if (known !== undefined) return known.id
      const conversation = await call(createConversation, { body: { participant_ids: [userId] } })
      putIntoList(queryClient, conversation)
      return conversation.id
    },
  })
}

export function useRenameConversation(conversationId: ConversationId) {
  return useChangeConversation(conversationId, (name: string) =>
    call(renameConversation, { params: { id: conversationId }, body: { name } }),
  )
}

export function useAddParticipant(conversationId: ConversationId) {
  return useChangeConversation(conversationId, (user_id: UserId) =>
    call(addParticipant, { params: { id: conversationId }, body: { user_id } }),
  )
}

export function useRemoveParticipant(conversationId: ConversationId) {
  return useChangeConversation(conversationId, (user_id: UserId) =>
    call(removeParticipant, { params: { id: conversationId }, body: { user_id } }),
  )
}

export function useLeaveConversation(conversationId: ConversationId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(leaveConversation, { params: { id: conversationId } }),
    onSuccess: () => takeOut(queryClient, conversationId),
  })
}

export function useDeleteConversation(conversationId: ConversationId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(deleteConversation, { params: { id: conversationId } }),
    onSuccess: () => takeOut(queryClient, conversationId),
  })
}

/** Gone at once, and back where the server refuses. */
export function useDeleteMessage(conversationId: ConversationId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (message: Message) => call(deleteMessage, { params: { id: message.id } }),
    onMutate: (message) => patchConversation(queryClient, conversationId, (open) => withoutMessage(open, message.id)),
    onError: (error, message) => {
      if (isGone(error)) return
      patchConversation(queryClient, conversationId, (open) =>
        withMessage({ ...open, erased: open.erased.filter((id) => id !== message.id) }, message),
      )
    },
    onSuccess: () => void refetchList(queryClient),
  })
}

export function useMarkRead(conversationId: ConversationId) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(markConversationRead, { params: { id: conversationId } }),
    onMutate: async () => {
      await queryClient.cancelQueries(summariesQuery())
      patchSummary(queryClient, conversationId, (summary) => ({ ...summary, unread_count: 0 }))
    },
    onError: () => void refetchList(queryClient),
  })
}

/** What was read of it by scrolling back is let go of once it is closed. */
export function useTidyConversation(conversationId: ConversationId) {
  const queryClient = useQueryClient()
  useEffect(() => () => patchConversation(queryClient, conversationId, newestOf), [queryClient, conversationId])
}

/** Changes what is held of a conversation. One that was never read stays unread. */
export function patchConversation(
  queryClient: QueryClient,
  conversationId: ConversationId,
  patch: (open: OpenConversation) => OpenConversation,
) {
  const { queryKey } = conversationQuery(conversationId)
  queryClient.setQueryData(queryKey, (open) => open && patch(open))
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

/** In both places where it shows; comes from a live row or as the answer to sending, whichever is first. */
export function putMessage(queryClient: QueryClient, message: Message, viewerId: UserId) {
  patchConversation(queryClient, message.conversation_id, (open) => withMessage(open, message))
  patchSummary(queryClient, message.conversation_id, (summary) => summaryWithMessage(summary, message, viewerId))
}

/** Nothing of it stays on the device. Whoever looks at it now sees that it is no more. */
export function takeOut(queryClient: QueryClient, conversationId: ConversationId) {
  queryClient.setQueryData(summariesQuery().queryKey, (summaries) =>
    summaries?.some(({ id }) => id === conversationId)
      ? summaries.filter(({ id }) => id !== conversationId)
      : summaries,
  )
  const { queryKey } = conversationQuery(conversationId)
  void queryClient.cancelQueries({ queryKey }, { revert: false })
  if (queryClient.getQueryCache().find({ queryKey }) !== undefined) queryClient.setQueryData(queryKey, null)
}

export function refetchList(queryClient: QueryClient) {
  return queryClient.invalidateQueries(summariesQuery())
}

export function refetchConversation(queryClient: QueryClient, conversationId: ConversationId) {
  return queryClient.invalidateQueries(conversationQuery(conversationId), { cancelRefetch: false })
}

function useChangeConversation<Input>(conversationId: ConversationId, change: (input: Input) => Promise<Conversation>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (conversation) => {
      patchConversation(queryClient, conversationId, (open) => ({ ...open, conversation }))
      patchSummary(queryClient, conversationId, (summary) => ({ ...summary, name: conversation.name }))
    },
    // Somebody else may have changed it meanwhile, which is why it was refused.
    onError: () => void refetchConversation(queryClient, conversationId),
  })
}

function putIntoList(queryClient: QueryClient, conversation: Conversation) {
  const { participants: _participants, ...summary } = conversation
  queryClient.setQueryData(summariesQuery().queryKey, (summaries) =>
    summaries?.some(({ id }) => id === summary.id) ? summaries : summaries && [summary, ...summaries],
  )
  void refetchList(queryClient)
}

/** An address that was mistyped or cut off holds no id at all. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 422)
}
