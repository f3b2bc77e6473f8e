import { Type } from 'typebox'
import { ConversationId } from '../ids.ts'
import { inAddress, type Operation } from '../operation.ts'
import * as runtime from '../runtime/messages/message-search.ts'
import { nullable, text } from '../values.ts'
import { Message, messageFault } from './messages.ts'

const { pageMax, queryMax, cursorMax } = runtime.messageSearchLimits

export const searchMessages = {
  address: 'POST /messages/search',
  auth: 'required',
  tag: 'messages',
  summary: "Search the caller's messages by the beginnings of words, newest first; operators have no meaning",
  body: Type.Object({
    q: text({ maxLength: 10 * queryMax }),
    conversation_id: Type.Optional(ConversationId),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageMax })),
    cursor: Type.Optional(Type.String({ maxLength: 10 * cursorMax })),
  }),
  replies: { 200: Type.Object({ messages: Type.Array(Message), next_cursor: nullable(Type.String()) }) },
  refusals: ['conversation_not_found', 'server_busy'],
  faults: { 'body.q': messageFault('query_invalid'), 'body.cursor': messageFault('cursor_invalid') },
  rateLimits: [{ by: 'person', max: 60, seconds: 60, group: 'message searches' }],
} as const satisfies Operation

export const searchMessagesInAddress = inAddress(searchMessages)
