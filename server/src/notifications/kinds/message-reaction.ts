import type { ConversationId, MessageId } from '@hither/contract/ids.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import { findReactionNotice, type ReactionNotice } from '../../messages/reactions/reactions.service.ts'
import type { Translate } from '../../platform/languages/translator.ts'
import { isMuted } from '../preferences.queries.ts'
import { excerptOf, shownContent } from './content.rules.ts'
import { type Kind, minuteMs, type NotificationContent } from './kind.ts'
import { messageGraceMs } from './message.ts'

interface Subject {
  readonly conversation_id: ConversationId
  readonly message_id: MessageId
}

/** Somebody has reacted to a message of the receiver. */
export const messageReaction: Kind<Subject> = {
  lifetimeMs: 24 * 60 * minuteMs,
  urgency: 'normal',
  events: {
    message_reacted: ({ conversationId, messageId, authorId, at }) => ({
      subject: { conversation_id: conversationId, message_id: messageId },
      tag: `reaction:${messageId}`,
      happenedAt: at,
      to: { userIds: [authorId], dueAt: new Date(at.getTime() + messageGraceMs) },
    }),
  },
  hiddenTitle: (t) => t('pushes.hidden.message_reaction'),
  async find({ pool, now, t }, { user_id, happened_at, subject: { conversation_id, message_id } }) {
    if (await isMuted(pool, user_id, conversation_id, now())) return null
    const reaction = await findReactionNotice(pool, user_id, message_id, happened_at, now())
    return reaction ? { content: reactionContent(reaction, t), at: reaction.created_at } : null
  },
}

export function reactionContent({ message, emoji, ...person }: ReactionNotice, t: Translate): NotificationContent {
  const { conversation_id } = message
  return {
    title: t('pushes.reacted', { name: shownName(person), emoji }),
    body: excerptOf(shownContent(message, t)),
    url: `/chat/${conversation_id}`,
    conversation_id,
    actions: [],
  }
}
