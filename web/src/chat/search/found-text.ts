import type { Message } from '@hither/contract/messages/messages.ts'
import { photoContent, placeContent } from '@hither/contract/runtime/messages/messages.ts'
import { shownContent } from '../messages/message-text.ts'

/** The text of a found message. The words may be in the caption or in the name of a place, so both are shown. */
export function foundText({ content, attachment }: Pick<Message, 'content' | 'attachment'>): string {
  if (attachment === null) return content
  if (attachment.caption === '') return shownContent(content)
  const kind = shownContent(attachment.type === 'photo' ? photoContent : placeContent(attachment.name))
  return `${kind} · ${attachment.caption}`
}
