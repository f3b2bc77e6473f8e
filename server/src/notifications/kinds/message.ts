import type { ConversationId } from '@hither/contract/ids.ts'
import type { LastMessage } from '@hither/contract/messages/messages.ts'
import { shownSender } from '@hither/contract/runtime/messages/messages.ts'
import { findLatestUnread } from '../../messages/messages.service.ts'
import type { Translate } from '../../platform/languages/translator.ts'
import { isMuted } from '../preferences.queries.ts'
import { excerptOf, shownContent } from './content.rules.ts'
import { type Kind, minuteMs, type NotificationContent } from './kind.ts'

/** A user who has the conversation open has read the message by then, and several messages in a row become one push. */
export const messageGraceMs = 3000

/** The unread messages of a conversation, of which the latest is shown. */
export const message: Kind<{ readonly conversation_id: ConversationId }> = {
  lifetimeMs: 24 * 60 * minuteMs,
  urgency: 'high',
  events: {
    message_sent: ({ conversationId, recipientIds: userIds, sentAt, at }) => ({
      subject: { conversation_id: conversationId },
      tag: `chat:${conversationId}`,
      happenedAt: sentAt,
      to: { userIds, dueAt: new Date(at.getTime() + messageGraceMs) },
    }),
  },
  hiddenTitle: (t) => t('pushes.hidden.message'),
  async find({ pool, now, t }, { user_id, happened_at, subject: { conversation_id } }) {
    if (await isMuted(pool, user_id, conversation_id, now())) return null
    const current = await findLatestUnread(pool, user_id, conversation_id, happened_at, now())
    return current
      ? { content: messageContent(current.message, current.name, t), at: current.message.created_at }
      : null
  },
}

/** `name` is the name of a group. */
export function messageContent(message: LastMessage, name: string | null, t: Translate): NotificationContent {
  const { conversation_id } = message
  const sender = shownSender(message)
  const content = shownContent(message, t)
  const said = name === null ? content : t('pushes.named', { name: sender, text: content })
  return {
    title: name ?? sender,
    body: excerptOf(said),
    url: `/chat/${conversation_id}`,
    conversation_id,
    actions: [],
  }
}
