import type { MessageId } from '@hither/contract/ids.ts'
import type { Reply } from '@hither/contract/messages/message-parts.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import { kindOf, messageLimits } from '@hither/contract/runtime/messages/messages.ts'
import { replaceEqualDeep } from '@tanstack/react-query'
import type { PendingChanges } from './outbox/outbox-items.ts'

type Quoted = Pick<Message, 'id' | 'seq' | 'sender_id' | 'sender_username' | 'content' | 'attachment'>

/** Returns the quote of a message as it is now. */
export function quoteOf({ id, seq, sender_id, sender_username, content, attachment }: Quoted): Reply {
  return { id, seq, sender_id, sender_username, ...kindOf(attachment), excerpt: excerptOf(content) }
}

/** Returns the quote with the text of the quoted message that the viewer has written and that is not sent yet. */
export function withPendingText(reply: Reply, edits: PendingChanges['edits']): Reply {
  const edit = edits.get(reply.id)
  if (reply.kind === 'deleted' || edit?.state !== 'waiting' || edit.content === '') return reply
  return { ...reply, shows: reply.kind === 'text' ? 'text' : 'caption', excerpt: excerptOf(edit.content) }
}

/** Updates the quotes of a message that was changed. Returns the same array if nothing changes. */
export function withQuoted(messages: readonly Message[], quoted: Quoted): readonly Message[] {
  return mapQuotes(messages, [quoted.id], () => quoteOf(quoted))
}

/** Removes deleted messages and the texts in quotes of them. Returns the same array if nothing changes. */
export function withoutDeleted(messages: readonly Message[], deleted: readonly MessageId[]): readonly Message[] {
  const remaining = messages.some(({ id }) => deleted.includes(id))
    ? messages.filter(({ id }) => !deleted.includes(id))
    : messages
  return mapQuotes(remaining, deleted, markedDeleted)
}

export function markedDeleted(reply: Reply): Reply {
  return { ...reply, kind: 'deleted', shows: 'kind', excerpt: null }
}

function mapQuotes(
  messages: readonly Message[],
  ids: readonly MessageId[],
  change: (reply: Reply) => Reply,
): readonly Message[] {
  const mapped = messages.map((message) => {
    const before = message.reply_to
    if (before === null || !ids.includes(before.id)) return message
    const after = replaceEqualDeep(before, change(before))
    return after === before ? message : { ...message, reply_to: after }
  })
  return mapped.every((message, index) => message === messages[index]) ? messages : mapped
}

function excerptOf(content: string): string {
  return Array.from(content.slice(0, 2 * messageLimits.excerptMax))
    .slice(0, messageLimits.excerptMax)
    .join('')
}
