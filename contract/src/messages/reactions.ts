import { type Static, Type } from 'typebox'
import { ConversationId, MessageId, UserId } from '../ids.ts'
import type { Operation } from '../operation.ts'
import * as runtime from '../runtime/messages/reactions.ts'
import { NoContent, Timestamp, text } from '../values.ts'
import { messageFault } from './messages.ts'

/** The emoji of one member on one message. A row of the feed `message_reactions`. */
export const Reaction = Type.Object({
  message_id: MessageId,
  conversation_id: ConversationId,
  user_id: UserId,
  username: Type.String(),
  emoji: Type.String(),
  created_at: Timestamp,
})
export type Reaction = Static<typeof Reaction>

const Emoji = text({ maxLength: 4 * runtime.reactionLimits.emojiBytes })

const MessageParam = Type.Object({ id: MessageId })

/** Shared by setting and removing. */
const reactionLimit = { by: 'person', max: 120, seconds: 60, group: 'reactions' } as const

export const setReaction = {
  address: 'PUT /messages/messages/:id/reaction',
  auth: 'required',
  tag: 'messages',
  summary: 'React to a message with one emoji, or change the own reaction',
  params: MessageParam,
  body: Type.Object({ emoji: Emoji }),
  replies: { 200: Reaction },
  refusals: ['message_not_found', 'not_messageable', 'too_many_reactions'],
  faults: { 'body.emoji': messageFault('emoji_invalid') },
  rateLimits: [reactionLimit],
} as const satisfies Operation

export const removeReaction = {
  address: 'DELETE /messages/messages/:id/reaction',
  auth: 'required',
  tag: 'messages',
  summary: "Remove the caller's reaction; idempotent, also for messages that the caller does not see",
  params: MessageParam,
  replies: { 204: NoContent },
  rateLimits: [reactionLimit],
} as const satisfies Operation

export const listReactions = {
  address: 'GET /messages/messages/:id/reactions',
  auth: 'required',
  tag: 'messages',
  summary: 'List the reactions to a message, oldest first',
  params: MessageParam,
  replies: { 200: Type.Array(Reaction, { maxItems: runtime.reactionLimits.perMessage }) },
  refusals: ['message_not_found'],
} as const satisfies Operation
