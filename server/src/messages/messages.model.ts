import type { ConversationId, MessageId } from '@hither/contract/ids.ts'

// A small model of the product rules for conversations. Tests compare the server with it.

export const names = ['ann', 'bob', 'cat', 'dan'] as const
export type Name = (typeof names)[number]

export interface ModelMessage {
  id: MessageId
  clientId: string
  sender: Name
  content: string
  sentAt: number
  isDeleted: boolean
  /** The other members who have read the message: they joined after it or marked all as read. */
  readBy: Set<Name>
}

export interface ModelChat {
  id: ConversationId
  type: 'direct' | 'group'
  name: string | null
  hasPing: boolean
  madeAt: number
  isDeleted: boolean
  /** Members in the order in which they joined. */
  members: { who: Name; isAdmin: boolean }[]
  removed: Set<Name>
  /** Those who left and have not come back. */
  left: Set<Name>
  /** Messages by position; the first has position 1. */
  messages: ModelMessage[]
}

export const isIn = (chat: ModelChat, who: Name) => !chat.isDeleted && chat.members.some((one) => one.who === who)

const isAdmin = (chat: ModelChat, who: Name) => chat.members.some((one) => one.who === who && one.isAdmin)

function addMember(chat: ModelChat, who: Name) {
  chat.members.push({ who, isAdmin: false })
  for (const message of chat.messages) message.readBy.add(who)
}

function exit(chat: ModelChat, who: Name) {
  chat.members = chat.members.filter((one) => one.who !== who)
  const [first] = chat.members
  if (!first) chat.isDeleted = true
  else if (!chat.members.some((one) => one.isAdmin)) first.isAdmin = true
}

// Each function returns the status that the server must answer with. The model changes only on success.

export function send(chat: ModelChat, message: ModelMessage): number {
  if (!isIn(chat, message.sender)) return 404
  chat.messages.push(message)
  return 201
}

export function repeat(chat: ModelChat, message: ModelMessage): number {
  return isIn(chat, message.sender) && !message.isDeleted ? 200 : 404
}

export function markRead(chat: ModelChat, who: Name): number {
  if (!isIn(chat, who)) return 404
  for (const message of chat.messages) message.readBy.add(who)
  return 200
}

export function erase(chat: ModelChat, who: Name, message: ModelMessage): number {
  if (!isIn(chat, who) || message.isDeleted) return 404
  if (message.sender !== who && !(chat.type === 'group' && isAdmin(chat, who))) return 403
  message.isDeleted = true
  return 204
}

export function join(chat: ModelChat, who: Name): number {
  if (chat.isDeleted) return 404
  if (isIn(chat, who)) return 200
  if (chat.removed.has(who) || !(chat.hasPing || chat.left.has(who))) return 404
  chat.left.delete(who)
  addMember(chat, who)
  return 200
}

export function leave(chat: ModelChat, who: Name): number {
  if (!isIn(chat, who)) return 404
  if (chat.type === 'direct') return 400
  exit(chat, who)
  chat.left.add(who)
  return 204
}

function manage(chat: ModelChat, who: Name): number | null {
  if (!isIn(chat, who)) return 404
  return chat.type === 'direct' || !isAdmin(chat, who) ? 403 : null
}

export function add(chat: ModelChat, who: Name, whom: Name): number {
  const refused = manage(chat, who)
  if (refused !== null) return refused
  if (!isIn(chat, whom)) {
    if (chat.left.has(whom)) return 409
    chat.removed.delete(whom)
    addMember(chat, whom)
  }
  return 200
}

export function remove(chat: ModelChat, who: Name, whom: Name): number {
  const refused = manage(chat, who)
  if (refused !== null) return refused
  if (who === whom) return 400
  if (!isIn(chat, whom)) return 404
  exit(chat, whom)
  chat.removed.add(whom)
  return 200
}

export function rename(chat: ModelChat, who: Name, name: string): number {
  const refused = manage(chat, who)
  if (refused === null) chat.name = name
  return refused ?? 200
}

export function unreadOf(chat: ModelChat, viewer: Name): number {
  return chat.messages.filter((one) => !one.isDeleted && one.sender !== viewer && !one.readBy.has(viewer)).length
}

/** Returns the messages that are not deleted, in order. */
export function historyOf(chat: ModelChat, viewer: Name) {
  const others = chat.members.map((one) => one.who).filter((who) => who !== viewer)
  return chat.messages.flatMap(({ isDeleted, sender, content, readBy }, index) => {
    if (isDeleted) return []
    const read = sender === viewer ? others.length > 0 && others.every((who) => readBy.has(who)) : readBy.has(viewer)
    return [{ seq: index + 1, sender, content, read }]
  })
}

/** Lists the conversations of a viewer, the one with the latest message first. */
export function listOf(chats: readonly ModelChat[], viewer: Name): ModelChat[] {
  const latest = (chat: ModelChat) => chat.messages.findLast((one) => !one.isDeleted)?.sentAt ?? chat.madeAt
  return chats.filter((chat) => isIn(chat, viewer)).sort((a, b) => latest(b) - latest(a))
}
