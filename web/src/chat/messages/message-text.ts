import type { Reply } from '@hither/contract/messages/message-parts.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import { photoContent } from '@hither/contract/runtime/messages/messages.ts'
import { messageStrings } from '../strings.ts'

/** Returns the text of a message, or the caption of its attachment. `content` is never empty, for clients without attachments. */
export function captionOf({ attachment, content }: Pick<Message, 'attachment' | 'content'>): string {
  return attachment === null ? content : attachment.caption
}

/** Returns the message with a text that is not sent yet. */
export function withText(message: Message, text: string): Message {
  const { attachment } = message
  if (attachment === null) return { ...message, content: text }
  return { ...message, attachment: { ...attachment, caption: text } }
}

/** Returns the text of a quote. A caption is marked as that of a photo or a place. */
export function textOfQuote({ kind, excerpt }: Reply): string {
  if (kind === 'deleted') return messageStrings.deleted
  const text = excerpt ?? ''
  if (kind === 'photo' && text !== photoContent) return `📷 ${text}`
  return kind === 'place' && !text.startsWith('📍') ? `📍 ${text}` : text
}
