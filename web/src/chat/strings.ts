import { refusals } from '@hither/contract/refusals.ts'
import { messageLimits, messageTexts } from '@hither/contract/runtime/messages.ts'

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

/** Pinned and archived chats. */
export const listStrings = {
  options: (name: string) => `More options for ${name}`,
  pin: 'Pin chat',
  unpin: 'Unpin chat',
  pinned: 'Pinned',
  archive: 'Archive chat',
  unarchive: 'Unarchive chat',
  archived: 'Chat archived',
  undo: 'Undo',
  moveFailed: 'Failed to change the list of chats',
  archivedRow: (count: number) => `Archived (${count})`,
  archivedTitle: 'Archived',
  noneArchived: 'No archived chats',
  archivedList: 'Archived chats',
  back: 'Back to messages',
} as const

export const newChatStrings = {
  title: 'Start New Chat',
  group: 'Create group chat',
  name: 'Group name',
  friends: 'Friends',
  circles: 'Circles',
  exists: 'Conversation exists',
  loading: 'Loading friends…',
  noFriends: 'No friends yet. Start by adding some friends!',
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
  friendsOnly: refusals.not_messageable.detail,
} as const

export const messageStrings = {
  list: 'Messages',
  none: 'No messages yet. Start the conversation!',
  loadingOlder: 'Loading older messages…',
  olderFailed: "Couldn't load older messages.",
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
  removeText: 'It will be deleted for everyone in this chat.',
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
  react: 'React',
  reply: 'Reply',
  edit: 'Edit',
  edited: 'Edited',
  deleted: 'Message deleted',
  /** The label of a quote. */
  replyTo: (name: string, text: string) => `Reply to ${name}: ${text}`,
  you: 'You',
  backToReply: 'Back to the reply',
  notSaved: (reason: string) => `Not saved. ${reason}`,
  loadingNewer: 'Loading newer messages…',
  newerFailed: "Couldn't load newer messages.",
} as const

export const composeStrings = {
  replyingTo: (name: string) => `Replying to ${name}`,
  replyingToYourself: 'Replying to yourself',
  cancelReply: 'Cancel reply',
  editTitle: 'Edit message',
  cancel: 'Cancel',
  save: 'Save',
} as const

export const reactionStrings = {
  title: 'Reactions',
  quick: 'React with',
  more: 'More emoji',
  picker: 'Choose an emoji',
  search: 'Search emoji',
  none: 'No emoji found',
  remove: 'Tap to remove',
  /** Stands for the name of a person who is no longer in the chat, until it is known. */
  formerMember: 'A former member',
  /** For screen readers: who reacted with an emoji. */
  reacted: (names: readonly string[], emojiName: string) => `${listOfNames(names)} reacted with ${emojiName}`,
  others: (count: number) => `${count} more emoji`,
} as const

/** At most two names, and the number of the others. */
function listOfNames(names: readonly string[]): string {
  const [first = '', second = ''] = names
  if (names.length < 2) return first
  if (names.length === 2) return `${first} and ${second}`
  return `${first}, ${second} and ${names.length - 2} ${names.length === 3 ? 'other' : 'others'}`
}
