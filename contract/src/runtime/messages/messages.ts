import type { ConversationId } from '../../ids.ts'
import type { Attachment, Shows } from '../../messages/message-parts.ts'

export const messageLimits = {
  contentMax: 4000,
  /** Of one person. */
  perDay: 5000,
  groupNameMax: 80,
  /** Not counting the user who creates the group. */
  groupOthersMin: 2,
  participantsMax: 5000,
  pageDefault: 20,
  pageMax: 100,
  placeNameMax: 80,
  placeAddressMax: 300,
  /** Of the quoted message, in code points. */
  excerptMax: 140,
  /** How long after it was sent a message can be edited. */
  editableMs: 900_000,
  pinnedMax: 5,
} as const

export const messageTexts = {
  groupIncomplete: 'Group chat requires a name and at least 2 friends',
  directNeedsOne: 'Please select exactly one friend for direct chat',
  /** Replaces the name of a sender who has deleted their account. */
  deletedUser: 'Deleted user',
  participantsNotInvited: 'You can only add people who are invited to this ping.',
  nameInvalid: 'Please enter a name of 1 to 80 characters.',
  pageAmbiguous: 'Use only one of before, after, around and offset.',
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
  reactFailed: 'Failed to save the reaction',
  editFailed: 'Failed to save the message',
  startFailed: 'Failed to start new chat',
  friendsFailed: 'Failed to load friends',
} as const

/** The errors of the chat with status 422: the texts by the `type` of the error. */
export const messageFaults = {
  emoji_invalid: 'Please choose an emoji.',
  message_invalid: 'Please enter a message of 1 to 4000 characters.',
  reply_to_unavailable: "The message you're replying to is no longer available.",
  photo_unavailable: 'This photo is no longer available. Please choose it again.',
  one_attachment: 'Send either a photo or a place.',
  query_invalid: 'Please enter 2 to 100 characters with at least one letter or number.',
  cursor_invalid: 'This page of results is no longer valid. Please search again.',
} as const
export type MessageFault = keyof typeof messageFaults

/** The `content` of a photo without caption. */
export const photoContent = '📷 Photo'

/** Returns the `content` of a place without caption. */
export const placeContent = (name: string | null) => `📍 ${name ?? 'Place'}`

/** Returns the kind of a message, and what its `content` is. */
export function kindOf(attachment: Attachment | null): { kind: 'text' | Attachment['type']; shows: Shows } {
  if (attachment === null) return { kind: 'text', shows: 'text' }
  const { type: kind, caption } = attachment
  if (caption !== '') return { kind, shows: 'caption' }
  return { kind, shows: attachment.type === 'place' && attachment.name !== null ? 'name' : 'kind' }
}

/** Returns the name that others see of the sender of a message. */
export function shownSender(message: { sender_username: string; sender_display_name: string | null }): string {
  return message.sender_display_name ?? message.sender_username
}

/** The live channel of a conversation, with the broadcast event `typing`. Only its participants may join it. */
export const conversationTopic = (id: ConversationId) => `conversation:${id}`
export const typingEvent = 'typing'
