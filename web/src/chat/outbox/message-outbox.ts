import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import { useMemo, useSyncExternalStore } from 'react'
import { serverNow } from '../../api/server-time.ts'
import { newId } from '../../device/ids.ts'
import { createPersistentQueue } from '../../outbox/persistent-queue.ts'
import { sessionState } from '../../session/session.ts'
import { readChatStorage, removeChatStorage } from '../chat-storage.ts'
import {
  type OutboxItem,
  type Outgoing,
  type OutgoingEdit,
  type OutgoingReaction,
  type PendingChanges,
  pendingChangesOf,
  withItem,
  withRefusal,
} from './outbox-items.ts'

export type { Outgoing } from './outbox-items.ts'

/** Messages, reactions and edits in the order in which they were made. */
export const waitingMessages = createPersistentQueue<OutboxItem>('messages')

/** The unsent reactions and edits of a conversation. */
export function usePendingChanges(conversationId: ConversationId): PendingChanges {
  const all = useSyncExternalStore(waitingMessages.subscribe, waitingMessages.items)
  return useMemo(
    () => pendingChangesOf(all.filter((item) => item.conversation_id === conversationId)),
    [all, conversationId],
  )
}

/** Resolves once the item is stored. */
export function putIntoOutbox(owner: UserId, item: OutboxItem): Promise<void> {
  return waitingMessages.edit(owner, (items) => withItem(items, item))
}

/** Stores the viewer's reaction to a message: an emoji, or null to remove it. */
export function putReaction(owner: UserId, message: Message, emoji: string | null): Promise<void> {
  const item: OutgoingReaction = { ...newItem(message), kind: 'reaction', message_id: message.id, emoji }
  return putIntoOutbox(owner, item)
}

/** Stores the new text of a message. Resolves to the item once it is stored. */
export async function putEdit(owner: UserId, message: Message, content: string): Promise<OutgoingEdit> {
  const item: OutgoingEdit = { ...newItem(message), kind: 'edit', message_id: message.id, content }
  await putIntoOutbox(owner, item)
  return item
}

export function removeFromOutbox(owner: UserId, clientId: string): Promise<void> {
  return waitingMessages.edit(owner, (items) => items.filter(({ client_id }) => client_id !== clientId))
}

/** `fallback` is shown if the server gave no reason. */
export function failOutgoing(owner: UserId, clientId: string, error: unknown, fallback: string): Promise<void> {
  return edit(owner, clientId, (item) => withRefusal(item, error, fallback))
}

/** The message keeps its position, so that messages are sent in the order in which they were written. */
export function retryOutgoing(owner: UserId, clientId: string): Promise<void> {
  return edit(owner, clientId, ({ reason: _reason, ...item }) => ({ ...item, state: 'waiting' }))
}

/** Moves messages that an earlier version of the app stored in `localStorage` into the queue, before all others. */
export async function moveStoredMessages(owner: UserId): Promise<void> {
  const stored = readChatStorage('outbox', owner)
  if (stored === null || sessionState().user?.id !== owner) return
  const moved = Array.isArray(stored) ? stored.filter(isOutgoing) : []
  const ids = new Set(moved.map(({ client_id }) => client_id))
  if (moved.length > 0)
    await waitingMessages.edit(owner, (items) => [...moved, ...items.filter(({ client_id }) => !ids.has(client_id))])
  removeChatStorage('outbox', owner)
}

function newItem({ conversation_id }: Message) {
  const created_at = new Date(serverNow()).toISOString()
  return { client_id: newId(), conversation_id, created_at, state: 'waiting' } as const
}

function edit(owner: UserId, clientId: string, change: (item: OutboxItem) => OutboxItem): Promise<void> {
  return waitingMessages.edit(owner, (items) =>
    items.map((item) => (item.client_id === clientId ? change(item) : item)),
  )
}

function isOutgoing(item: unknown): item is Outgoing {
  if (typeof item !== 'object' || item === null) return false
  const { client_id, conversation_id, content, created_at, state } = item as Partial<Outgoing>
  return [client_id, conversation_id, content, created_at, state].every((text) => typeof text === 'string')
}
