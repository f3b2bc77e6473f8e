import type { MessageId } from '@hither/contract/ids.ts'
import type { Reply } from '@hither/contract/messages/message-parts.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import { messageLimits } from '@hither/contract/runtime/messages/messages.ts'
import type { PendingChanges } from './outbox/outbox-items.ts'

type Quoted = Pick<Message, 'id' | 'seq' | 'sender_id' | 'sender_username' | 'content' | 'attachment'>

/** Returns the quote of a message as it is now. */
export function quoteOf({ id, seq, sender_id, sender_username, content, attachment }: Quoted): Reply {
  return { id, seq, sender_id, sender_username, kind: attachment?.type ?? 'text', excerpt: excerptOf(content) }
}

/** Returns the quote with the text of the quoted message that the viewer has written and that is not sent yet. */
export function withPendingText(reply: Reply, edits: PendingChanges['edits']): Reply {
  const edit = edits.get(reply.id)
  if (reply.kind === 'deleted' || edit?.state !== 'waiting' || edit.content === '') return reply
  return { ...reply, excerpt: excerptOf(edit.content) }
}

/** Updates the quotes of a message that was changed. Returns the same array if there are none. */
export function withQuoted(messages: readonly Message[], quoted: Quoted): readonly Message[] {
  return mapQuotes(messages, quoted.id, () => quoteOf(quoted))
}

/** Marks the quotes of a message that was deleted. Returns the same array if there are none. */
export function withQuotedDeleted(messages: readonly Message[], messageId: MessageId): readonly Message[] {
  return mapQuotes(messages, messageId, (reply) => ({ ...reply, kind: 'deleted', excerpt: null }))
}

function mapQuotes(messages: readonly Message[], id: MessageId, change: (reply: Reply) => Reply): readonly Message[] {
  if (!messages.some(({ reply_to }) => reply_to?.id === id)) return messages
  return messages.map((message) =>
    message.reply_to?.id === id ? { ...message, reply_to: change(message.reply_to) } : message,
  )
}

function excerptOf(content: string): string {
  return Array.from(content.slice(0, 2 * messageLimits.excerptMax))
    .slice(0, messageLimits.excerptMax)
    .join('')
}
