import type { ConversationId, MessageId } from '@hither/contract/ids.ts'
import type { Reply } from '@hither/contract/messages/message-parts.ts'
import type { NewPlace } from '@hither/contract/messages/messages.ts'
import { ApiError, messageOf } from '../../api/api-error.ts'

interface Waiting {
  client_id: string
  conversation_id: ConversationId
  created_at: string
  state: 'waiting' | 'failed'
  /** Why the server refused it. */
  reason?: string
}

/** A message that is not sent yet. The server stores a `client_id` once, however often the message is sent. */
export interface Outgoing extends Waiting {
  /** Missing from messages that an earlier version of the app stored. */
  kind?: 'message'
  /** The text, or the caption of the place. */
  content: string
  /** The quote of the message that it replies to. */
  reply_to?: Reply
  place?: NewPlace
}

/** The last choice of the viewer: an emoji, or null to remove the reaction. */
export interface OutgoingReaction extends Waiting {
  kind: 'reaction'
  message_id: MessageId
  emoji: string | null
}

export interface OutgoingEdit extends Waiting {
  kind: 'edit'
  message_id: MessageId
  content: string
}

export type OutboxItem = Outgoing | OutgoingReaction | OutgoingEdit

/** The changes of sent messages that wait in the outbox, by message. */
export interface PendingChanges {
  reactions: ReadonlyMap<MessageId, OutgoingReaction>
  edits: ReadonlyMap<MessageId, OutgoingEdit>
}

/**
 * Adds an item at the end. A reaction replaces the earlier choice for the same message, and an edit the earlier text, because only
 * the last one counts.
 */
export function withItem(items: readonly OutboxItem[], item: OutboxItem): readonly OutboxItem[] {
  return [...items.filter((other) => !isReplacedBy(other, item)), item]
}

/** Marks an item as refused, with the server's sentence. A reply to a deleted message becomes a message that can be sent again. */
export function withRefusal<Item extends Waiting & { reply_to?: Reply }>(
  item: Item,
  error: unknown,
  fallback: string,
): Item {
  const [fault] = error instanceof ApiError ? error.fieldErrors : []
  const failed = { ...item, state: 'failed' as const, reason: fault?.msg ?? messageOf(error, fallback) }
  if (fault?.type === 'reply_to_unavailable') delete failed.reply_to
  return failed
}

export function isOutgoingMessage(item: OutboxItem): item is Outgoing {
  return item.kind === undefined || item.kind === 'message'
}

export function pendingChangesOf(items: readonly OutboxItem[]): PendingChanges {
  const reactions = new Map<MessageId, OutgoingReaction>()
  const edits = new Map<MessageId, OutgoingEdit>()
  for (const item of items) {
    if (item.kind === 'reaction') reactions.set(item.message_id, item)
    else if (item.kind === 'edit') edits.set(item.message_id, item)
  }
  return { reactions, edits }
}

function isReplacedBy(item: OutboxItem, other: OutboxItem): boolean {
  if (isOutgoingMessage(item) || isOutgoingMessage(other)) return false
  return item.kind === other.kind && item.message_id === other.message_id
}
