import { type FeedChange } from '@hither/contract/feeds.ts'
import { type ConversationId, type MessageId, type UserId } from '@hither/contract/ids.ts'
import { type QueryClient } from '@tanstack/react-query'
import {
  conversationQuery,
  patchConversation,
  patchSummary,
  putMessage,
  refetchConversation,
  refetchList,
  summariesQuery,
  takeOut,
} from './chat.api.ts'
import { leavesGap, messageOf, type OpenConversation, withoutMessage, withReceipt } from './chat-changes.ts'

type ChangeOf<T extends FeedChange['table']> = Extract<FeedChange, { table: T }>

/** Idempotent like its neighbours: whatever comes twice, or after the read that already held it, changes nothing more. */
export function applyMessageChange(queryClient: QueryClient, change: ChangeOf<'messages'>, viewerId: UserId) {
  if (change.eventType === 'DELETE') {
    if (change.old.id !== undefined) eraseMessage(queryClient, change.old.id)
    return
  }
  const message = messageOf(change.new)
  const open = openOf(queryClient, message.conversation_id)
  const isGap = open !== undefined && leavesGap(open, message.seq)
  putMessage(queryClient, message, viewerId)
  if (isGap) void refetchConversation(queryClient, message.conversation_id)
  if (isUnlisted(queryClient, message.conversation_id)) void refetchList(queryClient)
}

export function applyReceiptChange(
  queryClient: QueryClient,
  change: ChangeOf<'message_read_receipts'>,
  viewerId: UserId,
) {
  if (change.eventType === 'DELETE') {
    const { conversation_id, user_id } = change.old
    if (conversation_id !== undefined && user_id !== undefined) removeMember(queryClient, conversation_id, user_id)
    return
  }
  const receipt = change.new
  patchConversation(queryClient, receipt.conversation_id, (open) => withReceipt(open, receipt))
  if (receipt.user_id !== viewerId) {
    const open = openOf(queryClient, receipt.conversation_id)
    const isStranger = open?.conversation.participants.every(({ user_id }) => user_id !== receipt.user_id)
    if (isStranger) void refetchConversation(queryClient, receipt.conversation_id)
    return
  }
  patchSummary(queryClient, receipt.conversation_id, (summary) =>
    summary.unread_count > 0 && receipt.last_read_seq >= (summary.last_message?.seq ?? 0)
      ? { ...summary, unread_count: 0 }
      : summary,
  )
}

/** The viewer's own memberships: nobody hears of those of others. */
export function applyChatChange(queryClient: QueryClient, change: ChangeOf<'chats'>, viewerId: UserId) {
  if (change.eventType === 'DELETE') {
    const { id, user_id } = change.old
    if (id === undefined || (user_id !== undefined && user_id !== viewerId)) return
    takeOut(queryClient, id)
    // A read under way may still hold it.
    void refetchList(queryClient)
    return
  }
  const { id, name, role, unread_count, updated_at, user_id } = change.new
  if (user_id !== viewerId) return
  if (isUnlisted(queryClient, id) || queryClient.getQueryData(conversationQuery(id).queryKey) === null) {
    void refetchList(queryClient)
    void refetchConversation(queryClient, id)
    return
  }
  patchSummary(queryClient, id, (summary) =>
    updated_at < summary.updated_at
      ? { ...summary, name }
      : summary.name === name && summary.unread_count === unread_count && summary.updated_at === updated_at
        ? summary
        : { ...summary, name, unread_count, updated_at },
  )
  patchConversation(queryClient, id, (open) => withMembership(open, viewerId, name, role))
}

/** Names and pictures of people who are in conversations. */
export function applyUserToChats(queryClient: QueryClient, change: ChangeOf<'users'>, _viewerId: UserId) {
  if (change.eventType === 'DELETE') return
  const { id, username, has_image } = change.new
  const isChanged = (person: { user_id: UserId; username: string; has_image: boolean } | null) =>
    person?.user_id === id && (person.username !== username || person.has_image !== has_image)

  for (const summary of queryClient.getQueryData(summariesQuery().queryKey) ?? []) {
    if (!isChanged(summary.direct_participant)) continue
    const direct_participant = { user_id: id, username, has_image }
    patchSummary(queryClient, summary.id, (summary) => ({ ...summary, direct_participant }))
  }
  for (const { conversation } of everyOpen(queryClient)) {
    const { direct_participant, participants } = conversation
    if (!participants.some(isChanged)) continue
    patchConversation(queryClient, conversation.id, (open) => ({
      ...open,
      messages: open.messages.map((message) =>
        message.sender_id === id ? { ...message, sender_username: username } : message,
      ),
      conversation: {
        ...open.conversation,
        direct_participant: isChanged(direct_participant) ? { user_id: id, username, has_image } : direct_participant,
        participants: participants.map((one) => (one.user_id === id ? { ...one, username, has_image } : one)),
      },
    }))
  }
}

function eraseMessage(queryClient: QueryClient, messageId: MessageId) {
  // The row that is gone is named by its id alone.
  for (const { conversation, messages } of everyOpen(queryClient)) {
    if (!messages.some(({ id }) => id === messageId)) continue
    patchConversation(queryClient, conversation.id, (open) => withoutMessage(open, messageId))
  }
  for (const summary of queryClient.getQueryData(summariesQuery().queryKey) ?? []) {
    if (summary.last_message?.id !== messageId) continue
    patchSummary(queryClient, summary.id, (summary) => ({ ...summary, last_message: null }))
  }
  // What is the latest now, and how many are unread without it, only the server knows.
  void refetchList(queryClient)
}

function removeMember(queryClient: QueryClient, conversationId: ConversationId, userId: UserId) {
  patchConversation(queryClient, conversationId, (open) => {
    const participants = open.conversation.participants.filter(({ user_id }) => user_id !== userId)
    if (participants.length === open.conversation.participants.length) return open
    return { ...open, conversation: { ...open.conversation, participants } }
  })
}

function withMembership(
  open: OpenConversation,
  viewerId: UserId,
  name: string | null,
  role: OpenConversation['conversation']['participants'][number]['role'],
): OpenConversation {
  const { conversation } = open
  const own = conversation.participants.find(({ user_id }) => user_id === viewerId)
  if (conversation.name === name && own?.role === role) return open
  const participants = conversation.participants.map((one) => (one.user_id === viewerId ? { ...one, role } : one))
  return { ...open, conversation: { ...conversation, name, participants } }
}

function openOf(queryClient: QueryClient, conversationId: ConversationId): OpenConversation | undefined {
  return queryClient.getQueryData(conversationQuery(conversationId).queryKey) ?? undefined
}

function everyOpen(queryClient: QueryClient): OpenConversation[] {
  const held = queryClient.getQueriesData<OpenConversation | null>({ queryKey: ['chat', 'one'] })
  return held.flatMap(([, open]) => open ?? [])
}

function isUnlisted(queryClient: QueryClient, conversationId: ConversationId): boolean {
  return queryClient.getQueryData(summariesQuery().queryKey)?.some(({ id }) => id === conversationId) === false
}
