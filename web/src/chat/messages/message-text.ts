import type { Attachment, Reply } from '@hither/contract/messages/message-parts.ts'
import type { LastMessage, Message } from '@hither/contract/messages/messages.ts'
import { shownSender } from '@hither/contract/runtime/messages/messages.ts'
import { t } from '../../i18n/translate.ts'

/** Returns the text of a message, or the caption of its attachment. `content` is never empty, for clients without attachments. */
export function captionOf({ attachment, content }: Pick<Message, 'attachment' | 'content'>): string {
  return attachment === null ? content : attachment.caption
}

/** Returns `content` as the viewer sees it: the words for a kind of attachment are in their language. */
export function shownContent({ content, kind, shows }: Pick<LastMessage, 'content' | 'kind' | 'shows'>): string {
  return shows === 'kind' ? wordsFor(kind) : content
}

/** Returns the words for an attachment that has neither caption nor name. */
export function wordsFor(kind: Attachment['type'] | 'text'): string {
  return kind === 'photo' ? t('chat.photo.content') : t('chat.place.content')
}

/** Returns the name that the viewer sees of the sender of a message. */
export function senderNameOf(message: Pick<Message, 'sender_id' | 'sender_username' | 'sender_display_name'>): string {
  return message.sender_id === null ? t('chat.deletedUser') : shownSender(message)
}

/** Returns the message with a text that is not sent yet. */
export function withText(message: Message, text: string): Message {
  const { attachment } = message
  if (attachment === null) return { ...message, content: text }
  return { ...message, attachment: { ...attachment, caption: text } }
}

/** Returns the text of a quote. A caption is marked as that of a photo or a place. */
export function textOfQuote({ kind, shows, excerpt }: Reply): string {
  if (kind === 'deleted') return t('chat.message.deleted')
  if (shows === 'caption') return `${kind === 'photo' ? '📷' : '📍'} ${excerpt}`
  return shownContent({ content: excerpt ?? '', kind, shows })
}
