import type { MessageId, UserId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import { feeds } from '../../feeds/feeds.ts'
import { inOrder } from '../../platform/db/in-order.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import type { MessagesDeps } from '../chats.service.ts'
import { forgetFormerText } from '../former-texts.service.ts'
import { findChatOf, lockChatOf } from '../message-lock.queries.ts'
import { findMessage } from '../messages.queries.ts'
import { assertCanSend, readContent } from '../messages.rules.ts'
import { wordsOf } from '../search/search.rules.ts'
import { updateText } from './edits.queries.ts'
import { assertEditable, textOf, withText } from './edits.rules.ts'

/**
 * Changes the text of the caller's message, or the caption of its attachment. The former text is not stored. The same text
 * again changes nothing.
 */
export async function editMessage(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  messageId: MessageId,
  input: string,
): Promise<Message> {
  const text = readContent(input, true)
  return changes.commit(pool, async (tx, announce, withCommit) => {
    const sentAt = now()
    const [, chat, message] = await inOrder([
      lockChatOf(tx, callerId, messageId, sentAt),
      findChatOf(tx, callerId, messageId, sentAt),
      findMessage(tx, callerId, messageId, sentAt),
    ])
    if (!chat || !message) throw new Refusal('message_not_found')
    assertCanSend(chat)
    const at = now()
    assertEditable(message, callerId, at)
    readContent(text, message.attachment !== null)
    if (text === textOf(message)) return message
    const edited = withText(message, text, at.toISOString())
    const { chat_id: _, read: __, reactions: ___, ...row } = edited
    await forgetFormerText(tx, row)
    // The former row would repeat the former text.
    const key = { id: edited.id, conversation_id: edited.conversation_id }
    announce.update('messages', row, key, feeds.messages.audience(chat))
    const words = wordsOf(text, edited.attachment?.type === 'place' ? edited.attachment.name : null)
    withCommit(updateText(tx, { messageId, text, words, editedAt: at.toISOString() }))
    return edited
  })
}
