import type { UserId } from '@hither/contract/ids.ts'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, isRefusal } from '../../api/api-error.ts'
import { call } from '../../api/transport.ts'
import { t } from '../../i18n/translate.ts'
import { type Sender, startSender } from '../../outbox/sender.ts'
import { sessionState } from '../../session/session.ts'
import { patchReactions, putMessage } from '../chat.cache.ts'
import { withoutReaction, withReaction } from '../reactions/reaction-groups.ts'
import { dropEnded } from './drop-unsent.ts'
import { failOutgoing, moveStoredMessages, removeFromOutbox, waitingMessages } from './message-outbox.ts'
import {
  isOutgoingMessage,
  type OutboxItem,
  type Outgoing,
  type OutgoingEdit,
  type OutgoingReaction,
} from './outbox-items.ts'

/** Sends the user's stored messages, reactions and edits in the order in which they were made. */
export function startMessageOutbox(queryClient: QueryClient, viewerId: UserId): Sender {
  return startSender({
    lock: `hither-outbox-${viewerId}`,
    async reread() {
      // One tab at a time, because the sender holds its lock here.
      await moveStoredMessages(viewerId)
      await waitingMessages.reread()
    },
    subscribe: waitingMessages.subscribe,
    // Calls are made in the name of the user who is signed in at that moment.
    next: () =>
      sessionState().user?.id === viewerId
        ? waitingMessages.items().find(({ state }) => state === 'waiting')
        : undefined,
    async send(item, isStopped, signal) {
      const apply = await sendItem(queryClient, item, viewerId, signal)
      if (isStopped()) return
      apply()
      await removeFromOutbox(viewerId, item.client_id)
    },
    refuse: (item, error) => refuseItem(queryClient, item, error, viewerId),
  })
}

/** Resolves to a function that applies the response to the cache. */
async function sendItem(
  queryClient: QueryClient,
  item: OutboxItem,
  viewerId: UserId,
  signal: AbortSignal,
): Promise<() => void> {
  if (item.kind === 'reaction') return sendReaction(queryClient, item, viewerId, signal)
  const { message } =
    item.kind === 'edit'
      ? await call('PATCH /messages/messages/:id', editOf(item), { signal })
      : await call('POST /messages/send', sentOf(item), { signal })
  return () => putMessage(queryClient, message, viewerId)
}

function sentOf({ conversation_id, content, client_id, reply_to, place }: Outgoing) {
  return {
    body: {
      conversation_id,
      client_id,
      ...(content !== '' && { content }),
      ...(reply_to !== undefined && { reply_to_id: reply_to.id }),
      ...(place !== undefined && { place }),
    },
  }
}

function editOf({ message_id, content }: OutgoingEdit) {
  return { params: { id: message_id }, body: { content } }
}

async function sendReaction(
  queryClient: QueryClient,
  { conversation_id, message_id, emoji }: OutgoingReaction,
  viewerId: UserId,
  signal: AbortSignal,
): Promise<() => void> {
  const params = { id: message_id }
  if (emoji === null) await call('DELETE /messages/messages/:id/reaction', { params }, { signal })
  else await call('PUT /messages/messages/:id/reaction', { params, body: { emoji } }, { signal })
  return () =>
    patchReactions(queryClient, conversation_id, message_id, (groups) =>
      emoji === null ? withoutReaction(groups, viewerId) : withReaction(groups, viewerId, emoji),
    )
}

/** A change of a message that does not exist any more is dropped without a notice. */
function refuseItem(queryClient: QueryClient, item: OutboxItem, error: unknown, viewerId: UserId): Promise<void> {
  if (isRefusal(error, 'conversation_not_found')) return dropEnded(queryClient, viewerId, item.conversation_id)
  const isGone = !isOutgoingMessage(item) && error instanceof ApiError && error.status === 404
  if (isGone) return removeFromOutbox(viewerId, item.client_id)
  return failOutgoing(viewerId, item.client_id, error, fallbacks[item.kind ?? 'message'])
}

const fallbacks = {
  message: t('chat.sendFailed'),
  reaction: t('chat.reactFailed'),
  edit: t('chat.editFailed'),
} as const
