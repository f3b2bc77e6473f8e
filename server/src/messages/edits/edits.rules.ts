import type { UserId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import { messageLimits } from '@hither/contract/runtime/messages/messages.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { contentOf } from '../sending/sending.rules.ts'

/** Only the sender may edit a message, for some time after it was sent. */
export function assertEditable(message: Message, callerId: UserId, now: Date): void {
  if (message.sender_id !== callerId) throw new Refusal('message_not_editable')
  if (now.getTime() - Date.parse(message.created_at) > messageLimits.editableMs) throw new Refusal('edit_too_late')
}

/** The text of a message, or the caption of its attachment. */
export function textOf({ content, attachment }: Message): string {
  return attachment ? attachment.caption : content
}

/** The message with another text or caption. */
export function withText(message: Message, text: string, editedAt: string): Message {
  const attachment = message.attachment && { ...message.attachment, caption: text }
  return { ...message, attachment, content: contentOf(text, attachment), edited_at: editedAt }
}
