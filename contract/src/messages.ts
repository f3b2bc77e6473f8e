import { type Static, Type } from 'typebox'
import { ConversationId, MessageId, PingId, UserId } from './ids.ts'
import { type Operation } from './operation.ts'
import { NoContent, nullable, oneOf, Timestamp, text } from './values.ts'

export const messageLimits = {
  contentMax: 4000,
  groupNameMax: 80,
  /** Besides whoever makes the group. */
  groupOthersMin: 2,
  participantsMax: 5000,
  pageDefault: 20,
  pageMax: 100,
} as const

/** What a ping's chat is named after its ping. */
export const pingChatName = (pingName: string) => `${pingName} Chat`

export const messageTexts = {
  groupIncomplete: 'Group chat requires a name and at least 2 friends',
  directNeedsOne: 'Please select exactly one friend for direct chat',
  /** Stands for whoever wrote a message and has since deleted their account. */
  deletedUser: 'Deleted user',
  participantsNotInvited: 'You can only add people who are invited to this ping.',
  nameInvalid: 'Please enter a name of 1 to 80 characters.',
  contentInvalid: 'Please enter a message of 1 to 4000 characters.',
  conversationDiffers: 'The conversation is not the one of the address.',
  listFailed: 'Failed to load conversations',
  createFailed: 'Failed to create conversation',
  addFailed: 'Failed to add participant',
  removeFailed: 'Failed to remove participant',
  leaveFailed: 'Failed to leave conversation',
  deleteFailed: 'Failed to delete conversation',
  renameFailed: 'Failed to update conversation name',
  loadFailed: 'Failed to load messages',
  sendFailed: 'Failed to send message',
  startFailed: 'Failed to start new chat',
  friendsFailed: 'Failed to load friends',
} as const

export const ConversationType = oneOf(['direct', 'group'])
export type ConversationType = Static<typeof ConversationType>

export const ParticipantRole = oneOf(['admin', 'member'])
export type ParticipantRole = Static<typeof ParticipantRole>

/** `last_read_seq`: every message up to it has been read by this person. */
export const Participant = Type.Object({
  user_id: UserId,
  username: Type.String(),
  has_image: Type.Boolean(),
  role: ParticipantRole,
  last_read_seq: Type.Integer(),
})
export type Participant = Static<typeof Participant>

/**
 * `seq` counts up by one within the conversation. `read`: all others have read an own message, or the caller has read
 * another's. `sender_id` is null where the sender has deleted their account. `chat_id` repeats `conversation_id`.
 */
export const Message = Type.Object({
  id: MessageId,
  conversation_id: ConversationId,
  chat_id: ConversationId,
  seq: Type.Integer(),
  sender_id: nullable(UserId),
  sender_username: Type.String(),
  content: Type.String(),
  created_at: Timestamp,
  read: Type.Boolean(),
  client_id: nullable(Type.String()),
})
export type Message = Static<typeof Message>

const DirectParticipant = Type.Object({ user_id: UserId, username: Type.String(), has_image: Type.Boolean() })

const summary = {
  id: ConversationId,
  /** Null for a direct conversation. */
  name: nullable(Type.String()),
  type: ConversationType,
  ping_id: nullable(PingId),
  system_created: Type.Boolean(),
  created_at: Timestamp,
  /** When the latest message came, or the conversation was made. */
  updated_at: Timestamp,
  unread_count: Type.Integer(),
  last_message: Type.Union([Message, Type.Null()]),
  /** The other one of a direct conversation; null for a group, or where they have deleted their account. */
  direct_participant: Type.Union([DirectParticipant, Type.Null()]),
}

export const ConversationSummary = Type.Object(summary)
export type ConversationSummary = Static<typeof ConversationSummary>

/** `participants` by standing: the longest first. */
export const Conversation = Type.Object({ ...summary, participants: Type.Array(Participant) })
export type Conversation = Static<typeof Conversation>

/** `messages` in ascending order; `total` counts those of the whole conversation. */
export const MessagePage = Type.Object({
  messages: Type.Array(Message),
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
  has_more: Type.Boolean(),
})
export type MessagePage = Static<typeof MessagePage>

export const ConversationDetails = Type.Object({
  ...summary,
  participants: Type.Array(Participant),
  message_details: MessagePage,
})
export type ConversationDetails = Static<typeof ConversationDetails>

const ConversationParam = Type.Object({ id: ConversationId })
const GroupName = text({ maxLength: 1000 })

export const listConversations = {
  method: 'GET',
  path: '/messages/conversations',
  tag: 'messages',
  summary: "The caller's conversations, the one with the latest message first",
  auth: 'required',
  replies: { 200: Type.Array(Conversation) },
} as const satisfies Operation

export const listConversationSummaries = {
  method: 'GET',
  path: '/messages/conversations/summaries',
  tag: 'messages',
  summary: 'The same without participants',
  auth: 'required',
  replies: { 200: Type.Array(ConversationSummary) },
} as const satisfies Operation

export const getConversation = {
  method: 'GET',
  path: '/messages/conversations/:id',
  tag: 'messages',
  summary: 'One conversation with a page of its messages: the newest, or those before one that is named',
  auth: 'required',
  params: ConversationParam,
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: messageLimits.pageMax })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
    before: Type.Optional(MessageId),
  }),
  replies: { 200: ConversationDetails },
  refusals: ['conversation_not_found', 'message_not_found'],
} as const satisfies Operation

export const createConversation = {
  method: 'POST',
  path: '/messages/conversations/',
  tag: 'messages',
  summary: 'Start a direct or group conversation, or the chat of an own ping; 200 where it is there already',
  auth: 'required',
  body: Type.Object({
    name: Type.Optional(nullable(GroupName)),
    participant_ids: Type.Array(UserId, { maxItems: messageLimits.participantsMax }),
    ping_id: Type.Optional(nullable(PingId)),
    system_created: Type.Optional(Type.Boolean()),
  }),
  replies: { 200: Conversation, 201: Conversation },
  refusals: ['ping_not_found', 'ping_chat_not_owned', 'not_messageable', 'conversation_not_found'],
  rateLimits: [{ by: 'person', max: 200, seconds: 3600 }],
} as const satisfies Operation

export const joinConversation = {
  method: 'POST',
  path: '/messages/conversations/:id/join',
  tag: 'messages',
  summary: 'Join the chat of a ping that the caller is invited to',
  auth: 'required',
  params: ConversationParam,
  replies: { 200: Conversation },
  refusals: ['conversation_not_found'],
  rateLimits: [{ by: 'person', max: 200, seconds: 3600 }],
} as const satisfies Operation

export const sendMessage = {
  method: 'POST',
  path: '/messages/send',
  tag: 'messages',
  summary: 'Send a message; a repeated client_id answers with the first one, and 200',
  auth: 'required',
  body: Type.Object({
    conversation_id: ConversationId,
    content: text({ maxLength: 2 * messageLimits.contentMax }),
    client_id: Type.Optional(nullable(Type.String({ format: 'uuid' }))),
  }),
  replies: { 200: Type.Object({ message: Message }), 201: Type.Object({ message: Message }) },
  refusals: ['conversation_not_found', 'not_messageable', 'message_not_found'],
  rateLimits: [{ by: 'person', max: 300, seconds: 60 }],
} as const satisfies Operation

/** The conversation is that of the path; a body that names another one is refused. */
const ParticipantBody = Type.Object({ conversation_id: Type.Optional(ConversationId), user_id: UserId })

export const addParticipant = {
  method: 'POST',
  path: '/messages/conversations/:id/participants/add',
  tag: 'messages',
  summary: 'Add a friend to a group; admins only',
  auth: 'required',
  params: ConversationParam,
  body: ParticipantBody,
  replies: { 200: Conversation },
  refusals: ['conversation_not_found', 'direct_unmanageable', 'not_group_admin', 'not_addable'],
  rateLimits: [{ by: 'person', max: 200, seconds: 3600 }],
} as const satisfies Operation

export const removeParticipant = {
  method: 'POST',
  path: '/messages/conversations/:id/participants/remove',
  tag: 'messages',
  summary: 'Remove another member from a group; admins only',
  auth: 'required',
  params: ConversationParam,
  body: ParticipantBody,
  replies: { 200: Conversation },
  refusals: [
    'conversation_not_found',
    'direct_unmanageable',
    'not_group_admin',
    'own_removal',
    'participant_not_found',
  ],
  rateLimits: [{ by: 'person', max: 200, seconds: 3600 }],
} as const satisfies Operation

export const leaveConversation = {
  method: 'POST',
  path: '/messages/conversations/:id/leave',
  tag: 'messages',
  summary: 'Leave a group; the role of its last admin passes on, and an empty group is erased',
  auth: 'required',
  params: ConversationParam,
  replies: { 204: NoContent },
  refusals: ['conversation_not_found', 'direct_not_left'],
  rateLimits: [{ by: 'person', max: 200, seconds: 3600 }],
} as const satisfies Operation

export const deleteConversation = {
  method: 'DELETE',
  path: '/messages/conversations/:id',
  tag: 'messages',
  summary: 'Delete a group with all its messages; admins only',
  auth: 'required',
  params: ConversationParam,
  replies: { 204: NoContent },
  refusals: ['conversation_not_found', 'direct_unmanageable', 'not_group_admin'],
} as const satisfies Operation

export const renameConversation = {
  method: 'PUT',
  path: '/messages/conversations/:id/name',
  tag: 'messages',
  summary: 'Rename a group; admins only',
  auth: 'required',
  params: ConversationParam,
  body: Type.Object({ conversation_id: Type.Optional(ConversationId), name: GroupName }),
  replies: { 200: Conversation },
  refusals: ['conversation_not_found', 'direct_unmanageable', 'not_group_admin'],
  rateLimits: [{ by: 'person', max: 60, seconds: 600 }],
} as const satisfies Operation

export const markConversationRead = {
  method: 'PATCH',
  path: '/messages/conversations/:id/mark-read',
  tag: 'messages',
  summary: 'The caller has read everything of the conversation',
  auth: 'required',
  params: ConversationParam,
  replies: { 200: Type.Object({ unread_count: Type.Integer() }) },
  refusals: ['conversation_not_found'],
} as const satisfies Operation

export const deleteMessage = {
  method: 'DELETE',
  path: '/messages/messages/:id',
  tag: 'messages',
  summary: "Erase an own message, or as a group's admin anyone's",
  auth: 'required',
  params: Type.Object({ id: MessageId }),
  replies: { 204: NoContent },
  refusals: ['message_not_found', 'message_not_yours'],
} as const satisfies Operation

/** The live channel of a conversation, for its members alone, with the broadcast event `typing`. */
export const conversationTopic = (id: ConversationId) => `conversation:${id}`
export const typingEvent = 'typing'
export interface Typing {
  user_id: UserId
  username: string
}
