import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import type { QueryClient } from '@tanstack/react-query'
import { removeConversation } from '../chat.cache.ts'
import { waitingMessages } from './message-outbox.ts'
import { isOutgoingMessage } from './outbox-items.ts'
import { waitingPhotos } from './photo-queue.ts'

const running = new Map<ConversationId, Promise<number>>()

/**
 * Deletes what waits to be sent to a conversation that is gone. Resolves to the number of messages, photos and places that were
 * deleted; two calls at once share their result.
 */
export function dropUnsent(owner: UserId, conversationId: ConversationId): Promise<number> {
  const dropping = running.get(conversationId) ?? drop(owner, conversationId)
  running.set(conversationId, dropping)
  return dropping.finally(() => running.delete(conversationId))
}

/** The server knows no such conversation: it is gone from this device too, and nothing is sent to it again. */
export async function dropEnded(
  queryClient: QueryClient,
  owner: UserId,
  conversationId: ConversationId,
): Promise<void> {
  removeConversation(queryClient, conversationId)
  await dropUnsent(owner, conversationId)
}

async function drop(owner: UserId, conversationId: ConversationId): Promise<number> {
  const isOfIt = (item: { conversation_id: ConversationId }) => item.conversation_id === conversationId
  const queues = [waitingMessages, waitingPhotos] as const
  await Promise.all(queues.map(({ reread }) => reread()))
  const count = waitingMessages.items().filter((item) => isOfIt(item) && isOutgoingMessage(item)).length
  const photos = waitingPhotos.items().filter(isOfIt).length
  await waitingMessages.edit(owner, (items) => items.filter((item) => !isOfIt(item)))
  await waitingPhotos.edit(owner, (items) => items.filter((item) => !isOfIt(item)))
  return count + photos
}
