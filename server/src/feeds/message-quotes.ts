import type { MessageRow } from '@hither/contract/feeds.ts'
import { kindOf, messageLimits } from '@hither/contract/runtime/messages/messages.ts'

/**
 * Returns the row of a message after another message was edited or deleted (`now` is null). If the row quotes that
 * message, the quote shows what is left of it; otherwise it is the same row.
 */
export function requoted(row: MessageRow, quotedId: string, now: MessageRow | null): MessageRow {
  if (row.reply_to?.id !== quotedId) return row
  const quote = now
    ? { ...kindOf(now.attachment), excerpt: excerptOf(now.content) }
    : { kind: 'deleted' as const, shows: 'kind' as const, excerpt: null }
  return { ...row, reply_to: { ...row.reply_to, ...quote } }
}

function excerptOf(content: string): string {
  return [...content].slice(0, messageLimits.excerptMax).join('')
}
