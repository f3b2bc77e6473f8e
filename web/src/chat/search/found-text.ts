import type { Message } from '@hither/contract/messages/messages.ts'
import { placeContent } from '@hither/contract/runtime/messages/messages.ts'
import { wordsFor } from '../messages/message-text.ts'

/** The text of a found message. The words may be in the caption or in the name of a place, so both are shown. */
export function foundText({ content, attachment }: Pick<Message, 'content' | 'attachment'>): string {
  if (attachment === null) return content
  const name = attachment.type === 'place' && attachment.name !== null ? placeContent(attachment.name) : null
  const kind = name ?? wordsFor(attachment.type)
  return attachment.caption === '' ? kind : `${kind} · ${attachment.caption}`
}
