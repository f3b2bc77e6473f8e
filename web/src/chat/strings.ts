import { messageLimits, messageTexts } from '@hither/contract/messages.ts'
import { refusals } from '@hither/contract/refusals.ts'

const { contentMax } = messageLimits

export const chatStrings = {
  ...messageTexts,
  title: 'Messages',
  loading: 'Loading conversations...',
  empty: 'No conversations yet. Start chatting with your friends!',
  newChat: 'New chat',
  list: 'Conversations',
  unread: (count: number) => `${count} unread`,
  own: (text: string) => `You: ${text}`,
  of: (name: string, text: string) => `${name}: ${text}`,
  ownDraft: (text: string) => `Draft: ${text}`,
  blockedPreview: 'A message from someone you blocked',
  noneOpen: 'Choose a conversation, or start a new one.',
  navigateFailed: 'Failed to navigate to chat',
} as const

export const newChatStrings = {
  title: 'Start New Chat',
  group: 'Create group chat',
  name: 'Group name',
  friends: 'Friends',
  selected: 'Selected',
  search: 'Search friends',
  exists: 'Conversation exists',
  loading: 'Loading friends…',
  noFriends: 'No friends yet. Start by adding some friends!',
  noneFound: 'No friend of this name',
  unselect: (name: string) => `Remove ${name}`,
  createGroup: 'Create Group',
  start: 'Start Chat',
} as const

export const conversationStrings = {
  back: 'Back to messages',
  loading: 'Loading messages…',
  notFound: refusals.conversation_not_found.detail,
  toList: 'Back to messages',
  ended: (name: string) => `You are no longer in ${name}`,
  members: (count: number) => `${count} ${count === 1 ? 'member' : 'members'}`,
  viewProfile: 'Tap to view profile',
  rename: 'Rename group',
  newName: 'Enter new name',
  save: 'Save',
  participants: 'Participants',
  you: '(You)',
  roles: { admin: 'Admin', member: 'Member' },
  remove: (name: string) => `Remove ${name}`,
  add: 'Add Participant',
  addOne: (name: string) => `Add ${name}`,
  noneToAdd: 'No friends available to add.',
  options: 'More options',
  deleteGroup: 'Delete Group',
  leaveGroup: 'Leave Group',
  deleteTitle: 'Delete Group?',
  deleteText: (name: string) => `“${name}” and all its messages will be deleted for everyone.`,
  deleteCheck: 'I understand that this action is permanent and cannot be undone',
  leaveTitle: 'Leave Group?',
  leaveText: (name: string) => `You will no longer see the messages of “${name}”.`,
  memberSince: (month: string) => `Member since ${month}`,
  online: 'Online',
  profileFailed: 'Failed to load this profile',
  pin: (name: string) => `Pin: ${name}`,
  pinOver: 'Expired',
  pinLeft: (hours: number, minutes: number) => `${hours > 0 ? `${hours}h ` : ''}${minutes}m remaining`,
  pinLater: (time: string) => `Starts ${time}`,
  friendsOnly: refusals.not_messageable.detail,
} as const

export const messageStrings = {
  list: 'Messages',
  none: 'No messages yet. Start the conversation!',
  loadingOlder: 'Loading older messages…',
  olderFailed: 'Older messages could not be loaded.',
  newMessages: 'New messages',
  toNewest: 'Go to the newest message',
  placeholder: 'Type a message...',
  send: 'Send',
  tooLong: (length: number) => `${length}/${contentMax}`,
  options: 'Message options',
  copy: 'Copy text',
  copyFailed: 'Failed to copy the text',
  remove: 'Delete message',
  removeTitle: 'Delete message?',
  removeText: 'It will be erased for everyone in this chat.',
  removeConfirm: 'Delete',
  removeFailed: 'Failed to delete message',
  states: { waiting: 'Waiting to be sent', failed: 'Not sent', sent: 'Sent', read: 'Read' },
  notSent: (reason: string) => `Not sent. ${reason}`,
  retry: 'Retry',
  discard: 'Discard',
  folded: (count: number) =>
    count === 1 ? '1 message from someone you blocked' : `${count} messages from someone you blocked`,
  show: 'Show',
  typing: (names: readonly string[]) =>
    names.length === 1
      ? `${names[0]} is typing…`
      : names.length === 2
        ? `${names[0]} and ${names[1]} are typing…`
        : 'Several people are typing…',
  said: (name: string, text: string) => `${name}: ${text}`,
} as const
