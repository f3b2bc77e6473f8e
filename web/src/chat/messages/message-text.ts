import type { Reply } from '@hither/contract/messages/message-parts.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import { photoContent, placeContent, shownSender } from '@hither/contract/runtime/messages/messages.ts'
import { messageStrings } from '../strings.ts'

/** Returns the text of a message, or the caption of its attachment. `content` is never empty, for clients without attachments. */
export function captionOf({ attachment, content }: Pick<Message, 'attachment' | 'content'>): string {
  return attachment === null ? content : attachment.caption
}

/** Returns `content` as the viewer sees it: the server's English text for an attachment without caption is translated. */
export function shownContent(content: string): string {
  if (content === photoContent) return messageStrings.photo
  return content === placeContent(null) ? messageStrings.place : content
}

/** Returns the name that the viewer sees of the sender of a message. */
export function senderNameOf(message: Pick<Message, 'sender_id' | 'sender_username' | 'sender_display_name'>): string {
  return message.sender_id === null ? messageStrings.deletedUser : shownSender(message)
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
  return kind === 'place' && !text.startsWith('📍') ? `📍 ${text}` : shownContent(text)
}
