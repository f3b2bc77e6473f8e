import type { ChatRow, FeedChange } from '@hither/contract/feeds.ts'
import type { ConversationId, MessageId, UserId } from '@hither/contract/ids.ts'
import type { QueryClient } from '@tanstack/react-query'
import { conversationQuery, searchKey, summariesQuery } from './chat.api.ts'
import {
  patchConversation,
  patchCopies,
  patchReactions,
  patchSummary,
  putMessage,
  refetchConversation,
  refetchList,
  removeConversation,
} from './chat.cache.ts'
import {
  findMessage,
  leavesGap,
  messageOf,
  type OpenConversation,
  withoutMessage,
  withReceipt,
} from './chat-changes.ts'
import { withDateOfRow } from './dates/chat-date.rules.ts'
import { keepKey } from './dates/keep.mutations.ts'
import { withoutReaction, withReaction } from './reactions/reaction-groups.ts'

type ChangeOf<T extends FeedChange['table']> = Extract<FeedChange, { table: T }>

/**
 * Applies a change to the cached conversations. Idempotent, like the functions below: a repeated change, or one that
 * the data already contains, changes nothing.
 */
export function applyMessageChange(queryClient: QueryClient, change: ChangeOf<'messages'>, viewerId: UserId) {
  // Results on screen must not keep a text that was deleted or edited.
  if (change.eventType !== 'INSERT') void queryClient.invalidateQueries({ queryKey: searchKey })
  if (change.eventType === 'DELETE') {
    if (change.old.id !== undefined) eraseMessage(queryClient, change.old.id, change.old.conversation_id)
    return
  }
  const message = messageOf(change.new)
  const open = openOf(queryClient, message.conversation_id)
  const isGap = open !== undefined && leavesGap(open, message.seq)
  putMessage(queryClient, message, viewerId)
  if (isGap) void refetchConversation(queryClient, message.conversation_id)
  if (isUnlisted(queryClient, message.conversation_id)) void refetchList(queryClient)
}

/** The reactions of others, and those of the viewer on all devices. */
export function applyReactionChange(queryClient: QueryClient, change: ChangeOf<'message_reactions'>) {
  if (change.eventType === 'DELETE') {
    const { message_id, user_id } = change.old
    if (message_id === undefined || user_id === undefined) return
    // The deleted row does not have the conversation.
    for (const open of everyOpen(queryClient)) {
      if (findMessage(open, message_id) === undefined) continue
      patchReactions(queryClient, open.conversation.id, message_id, (groups) => withoutReaction(groups, user_id))
    }
    return
  }
  const { conversation_id, message_id, user_id, emoji } = change.new
  patchReactions(queryClient, conversation_id, message_id, (groups) => withReaction(groups, user_id, emoji))
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

/** The viewer's own memberships. The server does not send those of other users. */
export function applyChatChange(queryClient: QueryClient, change: ChangeOf<'chats'>, viewerId: UserId) {
  if (change.eventType === 'DELETE') {
    const { id, user_id } = change.old
    if (id === undefined || (user_id !== undefined && user_id !== viewerId)) return
    removeConversation(queryClient, id)
    // A read in progress may still contain it.
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
  applyPlacementAndDate(queryClient, change.new)
}

function applyPlacementAndDate(queryClient: QueryClient, row: ChatRow) {
  const { pinned_at, archived_at, keep_count, kept_at } = row
  const asked = openOf(queryClient, row.id)?.conversation.keep_requests
  const isAsking = queryClient.isMutating({ mutationKey: keepKey(row.id) }) > 0
  const isOwnRequest = isAsking && keep_count === 1 && kept_at === null
  patchCopies(queryClient, row.id, (one) => {
    const isPlaced = one.pinned_at === pinned_at && one.archived_at === archived_at
    const placed = isPlaced ? one : { ...one, pinned_at, archived_at }
    // The response says that the request is the viewer's own.
    return isOwnRequest ? placed : withDateOfRow(placed, row)
  })
  // It may be the viewer's own, from another device, which only the server knows.
  if (keep_count === 1 && asked?.count === 0 && !isOwnRequest) void refetchConversation(queryClient, row.id)
}

function eraseMessage(queryClient: QueryClient, messageId: MessageId, conversationId: ConversationId | undefined) {
  for (const { conversation } of everyOpen(queryClient)) {
    if (conversationId !== undefined && conversation.id !== conversationId) continue
    patchConversation(queryClient, conversation.id, (open) => withoutMessage(open, messageId))
  }
  for (const summary of queryClient.getQueryData(summariesQuery().queryKey) ?? []) {
    if (summary.last_message?.id !== messageId) continue
    patchSummary(queryClient, summary.id, (summary) => ({ ...summary, last_message: null }))
  }
  // Only the server knows the new latest message and the unread count.
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
  const cached = queryClient.getQueriesData<OpenConversation | null>({ queryKey: ['chat', 'one'] })
  return cached.flatMap(([, open]) => open ?? [])
}

function isUnlisted(queryClient: QueryClient, conversationId: ConversationId): boolean {
  return queryClient.getQueryData(summariesQuery().queryKey)?.some(({ id }) => id === conversationId) === false
}
