import { type Static, Type } from 'typebox'
import { ConversationId, MessageId, PhotoId, PingId, UserId } from '../ids.ts'
import { type Fault, listBytesMax, type Operation } from '../operation.ts'
import * as runtime from '../runtime/messages/messages.ts'
import { reactionLimits } from '../runtime/messages/reactions.ts'
import { Latitude, Longitude, NameInput, NoContent, nullable, oneOf, page, Timestamp, text } from '../values.ts'
import { Attachment, ReactionGroup, Reply, Shows } from './message-parts.ts'

export const ConversationType = oneOf(['direct', 'group'])
export type ConversationType = Static<typeof ConversationType>

export const ParticipantRole = oneOf(['admin', 'member'])
export type ParticipantRole = Static<typeof ParticipantRole>

/** The participant has read every message up to `last_read_seq`. */
export const Participant = Type.Object({
  user_id: UserId,
  username: Type.String(),
  display_name: nullable(Type.String()),
  has_image: Type.Boolean(),
  role: ParticipantRole,
  last_read_seq: Type.Integer(),
})
export type Participant = Static<typeof Participant>

const message = {
  id: MessageId,
  conversation_id: ConversationId,
  chat_id: ConversationId,
  seq: Type.Integer(),
  sender_id: nullable(UserId),
  sender_username: Type.String(),
  sender_display_name: nullable(Type.String()),
  content: Type.String(),
  created_at: Timestamp,
  read: Type.Boolean(),
  client_id: nullable(Type.String()),
}

/**
 * `seq` increases by one within the conversation. `read` means that all others have read the caller's message, or that the
 * caller has read another's. `sender_id` is null if the sender has deleted their account. `chat_id` repeats
 * `conversation_id`. `content` is never empty: for an attachment without caption it names the attachment.
 */
export const Message = Type.Object({
  ...message,
  edited_at: nullable(Timestamp),
  reply_to: nullable(Reply),
  /** In the order of the first reaction with each emoji. */
  reactions: Type.Array(ReactionGroup, { maxItems: reactionLimits.perMessage }),
  attachment: nullable(Attachment),
})
export type Message = Static<typeof Message>

/** A message in a list of conversations. */
export const LastMessage = Type.Object({ ...message, kind: oneOf(['text', 'photo', 'place']), shows: Shows })
export type LastMessage = Static<typeof LastMessage>

const DirectParticipant = Type.Object({
  user_id: UserId,
  username: Type.String(),
  display_name: nullable(Type.String()),
  has_image: Type.Boolean(),
})

/** A chat is kept with two requests. */
const KeepCount = Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1] })

const summary = {
  id: ConversationId,
  /** Null for a direct conversation. */
  name: nullable(Type.String()),
  type: ConversationType,
  ping_id: nullable(PingId),
  system_created: Type.Boolean(),
  created_at: Timestamp,
  /** When the latest message arrived, or when the conversation was created if it has none. */
  updated_at: Timestamp,
  unread_count: Type.Integer(),
  last_message: Type.Union([LastMessage, Type.Null()]),
  /** The other participant of a direct conversation. Null for a group, or if that user has deleted their account. */
  direct_participant: Type.Union([DirectParticipant, Type.Null()]),
  /** The caller's own: when they pinned or archived the conversation. At most one of both is set. */
  pinned_at: nullable(Timestamp),
  archived_at: nullable(Timestamp),
  /** When the chat of a ping is deleted for everyone. Null for a conversation that stays. */
  erase_at: nullable(Timestamp),
  /** When its members kept the chat of a ping, which had a date until then. */
  kept_at: nullable(Timestamp),
  /** How many members have asked to keep the chat, and whether the caller has. Null without a date. */
  keep_requests: Type.Union([Type.Object({ count: KeepCount, is_mine: Type.Boolean() }), Type.Null()]),
}

export const ConversationSummary = Type.Object(summary)
export type ConversationSummary = Static<typeof ConversationSummary>

/** `participants` are in the order in which they joined. */
export const Conversation = Type.Object({
  ...summary,
  participants: Type.Array(Participant, { maxItems: runtime.messageLimits.participantsMax }),
})
export type Conversation = Static<typeof Conversation>

/**
 * `messages` are in ascending order. `total` counts the messages of the whole conversation. `has_more` means that older
 * messages exist, `has_newer` that newer ones exist.
 */
const MessagePage = Type.Object({
  messages: Type.Array(Message),
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
  has_more: Type.Boolean(),
  has_newer: Type.Boolean(),
})

export const ConversationDetails = Type.Object({
  ...summary,
  participants: Type.Array(Participant, { maxItems: runtime.messageLimits.participantsMax }),
  message_details: MessagePage,
})
export type ConversationDetails = Static<typeof ConversationDetails>

const ConversationParam = Type.Object({ id: ConversationId })

export const listConversations = {
  address: 'GET /messages/conversations',
  auth: 'required',
  tag: 'messages',
  summary: "List the caller's conversations, most recent message first",
  query: page(ConversationId),
  replies: { 200: Type.Array(Conversation) },
} as const satisfies Operation

export const listConversationSummaries = {
  address: 'GET /messages/conversations/summaries',
  auth: 'required',
  tag: 'messages',
  summary: "List the caller's conversations without participants",
  query: page(ConversationId),
  replies: { 200: Type.Array(ConversationSummary) },
} as const satisfies Operation

export const getConversation = {
  address: 'GET /messages/conversations/:id',
  auth: 'required',
  tag: 'messages',
  summary:
    'Get a conversation with a page of its messages: the newest, or those before, after or around a given message',
  params: ConversationParam,
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: runtime.messageLimits.pageMax })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
    before: Type.Optional(MessageId),
    after: Type.Optional(MessageId),
    around: Type.Optional(MessageId),
  }),
  replies: { 200: ConversationDetails },
  refusals: ['conversation_not_found', 'conversation_left', 'message_not_found'],
} as const satisfies Operation

export const createConversation = {
  address: 'POST /messages/conversations/',
  auth: 'required',
  tag: 'messages',
  summary: "Start a direct or group conversation, or the chat of the caller's ping; 200 if it already exists",
  body: Type.Object({
    name: Type.Optional(nullable(NameInput)),
    participant_ids: Type.Array(UserId, { maxItems: runtime.messageLimits.participantsMax }),
    ping_id: Type.Optional(nullable(PingId)),
    system_created: Type.Optional(Type.Boolean()),
  }),
  bodyMaxBytes: listBytesMax,
  replies: { 200: Conversation, 201: Conversation },
  refusals: ['ping_not_found', 'ping_chat_not_owned', 'not_messageable', 'conversation_not_found'],
  rateLimits: [{ by: 'person', max: 60, seconds: 3600 }],
} as const satisfies Operation

export const joinConversation = {
  address: 'POST /messages/conversations/:id/join',
  auth: 'required',
  tag: 'messages',
  summary: 'Join the chat of a ping that the caller is invited to, or a group that the caller left',
  params: ConversationParam,
  replies: { 200: Conversation },
  refusals: ['conversation_not_found'],
  rateLimits: [{ by: 'person', max: 200, seconds: 3600 }],
} as const satisfies Operation

const Content = text({ maxLength: 2 * runtime.messageLimits.contentMax })
const faults = { 'body.content': messageFault('message_invalid') }

/** The error of a field of a message, a reaction or a search. */
export function messageFault(type: runtime.MessageFault): Fault {
  return { type, msg: runtime.messageFaults[type] }
}

const Place = Type.Object({
  latitude: Latitude,
  longitude: Longitude,
  name: Type.Optional(nullable(text({ minLength: 1, maxLength: runtime.messageLimits.placeNameMax }))),
  address: Type.Optional(nullable(text({ maxLength: runtime.messageLimits.placeAddressMax }))),
})
export type NewPlace = Static<typeof Place>

export const sendMessage = {
  address: 'POST /messages/send',
  auth: 'required',
  tag: 'messages',
  summary:
    'Send a text, a photo or a place, with a text as its caption; a repeated client_id returns the first message with 200',
  body: Type.Object({
    conversation_id: ConversationId,
    content: Type.Optional(nullable(Content)),
    client_id: Type.Optional(nullable(Type.String({ format: 'uuid' }))),
    /** A message of the same conversation. */
    reply_to_id: Type.Optional(nullable(MessageId)),
    photo_id: Type.Optional(nullable(PhotoId)),
    place: Type.Optional(Type.Union([Place, Type.Null()])),
  }),
  replies: { 200: Type.Object({ message: Message }), 201: Type.Object({ message: Message }) },
  refusals: ['conversation_not_found', 'not_messageable', 'message_not_found', 'too_many_messages'],
  faults,
  rateLimits: [
    { by: 'person', max: 300, seconds: 60 },
    {
      by: 'person',
      max: runtime.messageLimits.perDay,
      seconds: 86_400,
      group: 'messages of a day',
      refusal: 'too_many_messages',
    },
  ],
} as const satisfies Operation

/** The conversation is that of the path. A body with another `conversation_id` is refused. */
const ParticipantBody = Type.Object({ conversation_id: Type.Optional(ConversationId), user_id: UserId })

export const addParticipant = {
  address: 'POST /messages/conversations/:id/participants/add',
  auth: 'required',
  tag: 'messages',
  summary: 'Add a friend to a group; admins only; who left can only join again themselves',
  params: ConversationParam,
  body: ParticipantBody,
  replies: { 200: Conversation },
  refusals: ['conversation_not_found', 'direct_unmanageable', 'not_group_admin', 'not_addable', 'participant_left'],
  rateLimits: [{ by: 'person', max: 200, seconds: 3600 }],
} as const satisfies Operation

export const removeParticipant = {
  address: 'POST /messages/conversations/:id/participants/remove',
  auth: 'required',
  tag: 'messages',
  summary: 'Remove another member from a group; admins only',
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
  address: 'POST /messages/conversations/:id/leave',
  auth: 'required',
  tag: 'messages',
  summary: 'Leave a group; if the last admin leaves, another member becomes admin; an empty group is deleted',
  params: ConversationParam,
  replies: { 204: NoContent },
  refusals: ['conversation_not_found', 'direct_not_left'],
  rateLimits: [{ by: 'person', max: 200, seconds: 3600 }],
} as const satisfies Operation

export const deleteConversation = {
  address: 'DELETE /messages/conversations/:id',
  auth: 'required',
  tag: 'messages',
  summary: 'Delete a group with all its messages; admins only',
  params: ConversationParam,
  replies: { 204: NoContent },
  refusals: ['conversation_not_found', 'direct_unmanageable', 'not_group_admin'],
} as const satisfies Operation

export const renameConversation = {
  address: 'PUT /messages/conversations/:id/name',
  auth: 'required',
  tag: 'messages',
  summary: 'Rename a group; admins only',
  params: ConversationParam,
  body: Type.Object({ conversation_id: Type.Optional(ConversationId), name: NameInput }),
  replies: { 200: Conversation },
  refusals: ['conversation_not_found', 'direct_unmanageable', 'not_group_admin'],
  rateLimits: [{ by: 'person', max: 60, seconds: 600 }],
} as const satisfies Operation

export const markConversationRead = {
  address: 'PATCH /messages/conversations/:id/mark-read',
  auth: 'required',
  tag: 'messages',
  summary: 'Mark all messages of the conversation as read',
  params: ConversationParam,
  replies: { 200: Type.Object({ unread_count: Type.Integer() }) },
  refusals: ['conversation_not_found'],
} as const satisfies Operation

export const deleteMessage = {
  address: 'DELETE /messages/messages/:id',
  auth: 'required',
  tag: 'messages',
  summary: "Delete the caller's own message or, as a group admin, any message",
  params: Type.Object({ id: MessageId }),
  replies: { 204: NoContent },
  refusals: ['message_not_found', 'message_not_yours'],
} as const satisfies Operation

export const editMessage = {
  address: 'PATCH /messages/messages/:id',
  auth: 'required',
  tag: 'messages',
  summary: "Change the text or the caption of the caller's own message, until 15 minutes after it was sent",
  params: Type.Object({ id: MessageId }),
  body: Type.Object({ content: Content }),
  replies: { 200: Type.Object({ message: Message }) },
  refusals: ['message_not_found', 'not_messageable', 'message_not_editable', 'edit_too_late'],
  faults,
  rateLimits: [{ by: 'person', max: 60, seconds: 600 }],
} as const satisfies Operation

/** Shared by pinning and archiving, and by taking both back. */
const placementLimit = { by: 'person', max: 120, seconds: 3600, group: 'pin and archive' } as const

export const pinConversation = {
  address: 'PUT /messages/conversations/:id/pin',
  auth: 'required',
  tag: 'messages',
  summary: "Pin a conversation to the top of the caller's list, which takes it out of the archive; idempotent",
  params: ConversationParam,
  replies: { 204: NoContent },
  refusals: ['conversation_not_found', 'too_many_pinned_chats'],
  rateLimits: [placementLimit],
} as const satisfies Operation

export const unpinConversation = {
  address: 'DELETE /messages/conversations/:id/pin',
  auth: 'required',
  tag: 'messages',
  summary: 'Unpin a conversation; idempotent',
  params: ConversationParam,
  replies: { 204: NoContent },
  rateLimits: [placementLimit],
} as const satisfies Operation

export const archiveConversation = {
  address: 'PUT /messages/conversations/:id/archive',
  auth: 'required',
  tag: 'messages',
  summary: 'Archive a conversation for the caller until its next message, which unpins it; idempotent',
  params: ConversationParam,
  replies: { 204: NoContent },
  refusals: ['conversation_not_found'],
  rateLimits: [placementLimit],
} as const satisfies Operation

export const unarchiveConversation = {
  address: 'DELETE /messages/conversations/:id/archive',
  auth: 'required',
  tag: 'messages',
  summary: "Move a conversation from the archive back to the caller's list; idempotent",
  params: ConversationParam,
  replies: { 204: NoContent },
  rateLimits: [placementLimit],
} as const satisfies Operation

/** Shared by asking to keep a chat and by taking it back. */
const keepLimit = { by: 'person', max: 60, seconds: 3600, group: 'keep a chat' } as const

export const keepConversation = {
  address: 'PUT /messages/conversations/:id/keep',
  auth: 'required',
  tag: 'messages',
  summary: 'Ask to keep the chat of a ping: it stays if the owner of the ping or two of its members ask; idempotent',
  params: ConversationParam,
  replies: { 200: Conversation },
  refusals: ['conversation_not_found', 'chat_has_no_date'],
  rateLimits: [keepLimit],
} as const satisfies Operation

export const takeBackKeepRequest = {
  address: 'DELETE /messages/conversations/:id/keep',
  auth: 'required',
  tag: 'messages',
  summary: "Take back the caller's request to keep the chat of a ping, until it is kept; idempotent",
  params: ConversationParam,
  replies: { 204: NoContent },
  refusals: ['conversation_not_found'],
  rateLimits: [keepLimit],
} as const satisfies Operation
