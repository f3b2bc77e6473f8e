import { messageLimits } from '@hither/contract/runtime/messages/messages.ts'
import { listText } from '../i18n/format.ts'
import { t } from '../i18n/translate.ts'

const { contentMax } = messageLimits

export const chatStrings = {
  listFailed: t('chat.listFailed'),
  createFailed: t('chat.createFailed'),
  addFailed: t('chat.addFailed'),
  removeFailed: t('chat.removeFailed'),
  leaveFailed: t('chat.leaveFailed'),
  deleteFailed: t('chat.deleteFailed'),
  renameFailed: t('chat.renameFailed'),
  loadFailed: t('chat.loadFailed'),
  sendFailed: t('chat.sendFailed'),
  reactFailed: t('chat.reactFailed'),
  editFailed: t('chat.editFailed'),
  startFailed: t('chat.startFailed'),
  friendsFailed: t('chat.friendsFailed'),
  title: t('chat.title'),
  loading: t('chat.loading'),
  empty: t('chat.empty'),
  newChat: t('chat.newChat'),
  list: t('chat.list'),
  unread: (count: number) => t('chat.unread', { count }),
  own: (text: string) => t('chat.own', { text }),
  of: (name: string, text: string) => t('chat.of', { name, text }),
  ownDraft: (text: string) => t('chat.ownDraft', { text }),
  blockedPreview: t('chat.blockedPreview'),
  noneOpen: t('chat.noneOpen'),
  navigateFailed: t('chat.navigateFailed'),
} as const

/** Pinned and archived chats. */
export const listStrings = {
  options: (name: string) => t('chat.list.options', { name }),
  pin: t('chat.list.pin'),
  unpin: t('chat.list.unpin'),
  pinned: t('chat.list.pinned'),
  archive: t('chat.list.archive'),
  unarchive: t('chat.list.unarchive'),
  archived: t('chat.list.archived'),
  undo: t('chat.list.undo'),
  moveFailed: t('chat.list.moveFailed'),
  archivedRow: (count: number) => t('chat.list.archivedRow', { count }),
  archivedTitle: t('chat.list.archivedTitle'),
  noneArchived: t('chat.list.noneArchived'),
  archivedList: t('chat.list.archivedList'),
  back: t('chat.list.back'),
} as const

export const newChatStrings = {
  title: t('chat.newChat.title'),
  group: t('chat.newChat.group'),
  name: t('chat.newChat.name'),
  friends: t('chat.newChat.friends'),
  circles: t('chat.newChat.circles'),
  exists: t('chat.newChat.exists'),
  loading: t('chat.newChat.loading'),
  noFriends: t('chat.newChat.noFriends'),
  createGroup: t('chat.newChat.createGroup'),
  start: t('chat.newChat.start'),
} as const

export const conversationStrings = {
  back: t('chat.conversation.back'),
  loading: t('chat.conversation.loading'),
  notFound: t('errors.conversation_not_found'),
  hasLeft: t('errors.conversation_left'),
  joinAgain: t('chat.conversation.joinAgain'),
  participantLeft: t('errors.participant_left'),
  toList: t('chat.conversation.toList'),
  ended: (name: string) => t('chat.conversation.ended', { name }),
  members: (count: number) => t('chat.conversation.members', { count }),
  viewProfile: t('chat.conversation.viewProfile'),
  rename: t('chat.conversation.rename'),
  newName: t('chat.conversation.newName'),
  save: t('chat.conversation.save'),
  participants: t('chat.conversation.participants'),
  you: t('chat.conversation.you'),
  roles: { admin: t('chat.conversation.roles.admin'), member: t('chat.conversation.roles.member') },
  remove: (name: string) => t('chat.conversation.remove', { name }),
  add: t('chat.conversation.add'),
  addOne: (name: string) => t('chat.conversation.addOne', { name }),
  noneToAdd: t('chat.conversation.noneToAdd'),
  options: t('chat.conversation.options'),
  deleteGroup: t('chat.conversation.deleteGroup'),
  leaveGroup: t('chat.conversation.leaveGroup'),
  deleteTitle: t('chat.conversation.deleteTitle'),
  deleteText: (name: string) => t('chat.conversation.deleteText', { name }),
  deleteCheck: t('chat.conversation.deleteCheck'),
  leaveTitle: t('chat.conversation.leaveTitle'),
  leaveText: (name: string) => t('chat.conversation.leaveText', { name }),
  friendsOnly: t('errors.not_messageable'),
} as const

/** The date of the chat of a pin. */
export const dateStrings = {
  membersUntilDay: (count: number, date: string) => t('chat.date.header', { count, date }),
  membersUntilTime: (count: number, time: string) => t('chat.date.headerToday', { count, time }),
  title: (date: string, time: string) => t('chat.date.title', { date, time }),
  /** `days` is undefined if the server erases no new chats, or if it is unknown. */
  text: (days: number | undefined) => (days ? t('chat.date.text', { days }) : t('chat.date.textWithoutDays')),
  keep: t('chat.date.keep'),
  staysForAll: (count: number) => t('chat.date.staysForAll', { count }),
  staysWithAnother: t('chat.date.staysWithAnother'),
  asked: t('chat.date.asked'),
  takeBack: t('chat.date.takeBack'),
  someoneAsked: t('chat.date.someoneAsked'),
  confirmTitle: (count: number) => t('chat.date.confirmTitle', { count }),
  confirmText: t('chat.date.confirmText'),
  confirm: t('chat.date.confirm'),
  stays: t('chat.date.stays'),
  keptNotice: t('chat.date.keptNotice'),
  ok: t('chat.date.ok'),
  ended: (name: string) => t('chat.date.ended', { name }),
  offline: t('chat.date.offline'),
  keepFailed: t('chat.date.keepFailed'),
  takeBackFailed: t('chat.date.takeBackFailed'),
} as const

export const messageStrings = {
  list: t('chat.message.list'),
  none: t('chat.message.none'),
  loadingOlder: t('chat.message.loadingOlder'),
  olderFailed: t('chat.message.olderFailed'),
  newMessages: t('chat.message.newMessages'),
  toNewest: t('chat.message.toNewest'),
  placeholder: t('chat.message.placeholder'),
  send: t('chat.message.send'),
  tooLong: (length: number) => `${length}/${contentMax}`,
  options: t('chat.message.options'),
  copy: t('chat.message.copy'),
  copyFailed: t('chat.message.copyFailed'),
  remove: t('chat.message.remove'),
  removeTitle: t('chat.message.removeTitle'),
  removeText: t('chat.message.removeText'),
  removeConfirm: t('chat.message.removeConfirm'),
  removeFailed: t('chat.message.removeFailed'),
  states: {
    waiting: t('chat.message.states.waiting'),
    failed: t('chat.message.states.failed'),
    sent: t('chat.message.states.sent'),
    read: t('chat.message.states.read'),
  },
  notSent: (reason: string) => t('chat.message.notSent', { reason }),
  retry: t('chat.message.retry'),
  discard: t('chat.message.discard'),
  folded: (count: number) => t('chat.message.folded', { count }),
  show: t('chat.message.show'),
  typing: (names: readonly string[]) =>
    names.length === 1
      ? t('chat.message.typingOne', { name: names[0] ?? '' })
      : names.length === 2
        ? t('chat.message.typingTwo', { first: names[0] ?? '', second: names[1] ?? '' })
        : t('chat.message.typingSeveral'),
  said: (name: string, text: string) => t('chat.message.said', { name, text }),
  photo: t('chat.photo.content'),
  place: t('chat.place.content'),
  deletedUser: t('chat.deletedUser'),
  react: t('chat.message.react'),
  reply: t('chat.message.reply'),
  edit: t('chat.message.edit'),
  edited: t('chat.message.edited'),
  deleted: t('chat.message.deleted'),
  /** The label of a quote. */
  replyTo: (name: string, text: string) => t('chat.message.replyTo', { name, text }),
  you: t('chat.message.you'),
  backToReply: t('chat.message.backToReply'),
  notSaved: (reason: string) => t('chat.message.notSaved', { reason }),
  loadingNewer: t('chat.message.loadingNewer'),
  newerFailed: t('chat.message.newerFailed'),
} as const

export const composeStrings = {
  replyingTo: (name: string) => t('chat.compose.replyingTo', { name }),
  replyingToYourself: t('chat.compose.replyingToYourself'),
  cancelReply: t('chat.compose.cancelReply'),
  editTitle: t('chat.compose.editTitle'),
  cancel: t('chat.compose.cancel'),
  save: t('chat.compose.save'),
} as const

export const reactionStrings = {
  /** The groups of the picker, in its order. */
  groups: [
    t('chat.emojiGroups.smileys'),
    t('chat.emojiGroups.people'),
    t('chat.emojiGroups.animals'),
    t('chat.emojiGroups.food'),
    t('chat.emojiGroups.travel'),
    t('chat.emojiGroups.activities'),
    t('chat.emojiGroups.objects'),
    t('chat.emojiGroups.symbols'),
    t('chat.emojiGroups.flags'),
  ],
  title: t('chat.reaction.title'),
  quick: t('chat.reaction.quick'),
  more: t('chat.reaction.more'),
  picker: t('chat.reaction.picker'),
  search: t('chat.reaction.search'),
  none: t('chat.reaction.none'),
  remove: t('chat.reaction.remove'),
  /** Stands for the name of a person who is no longer in the chat, until it is known. */
  formerMember: t('chat.reaction.formerMember'),
  /** For screen readers: who reacted with an emoji. */
  reacted: (names: readonly string[], emojiName: string) =>
    t('chat.reaction.reacted', { names: listOfNames(names), emoji: emojiName }),
  others: (count: number) => t('chat.reaction.others', { count }),
} as const

/** At most two names, and the number of the others. */
function listOfNames(names: readonly string[]): string {
  const [first = '', second = ''] = names
  if (names.length < 2) return first
  if (names.length === 2) return listText(names)
  return t('chat.reaction.andOthers', { first, second, count: names.length - 2 })
}
