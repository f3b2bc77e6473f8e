import type { ConversationId, FriendRequestId, FriendshipId, MessageId, PingId } from '@hither/contract/ids.ts'
import type { ResponseType } from '@hither/contract/pings.ts'

// A model of the acknowledged state with the rules of the product. Users are numbers: their index in the cast.

interface ModelMessage {
  readonly id: MessageId
  readonly sender: number
  readonly content: string
  isDeleted: boolean
}

export interface ModelChat {
  readonly id: ConversationId
  readonly type: 'direct' | 'group'
  /** The two participants of a direct conversation, in ascending order. */
  readonly pair: readonly [number, number] | null
  name: string | null
  isDeleted: boolean
  /** The participants in the order of joining, with the last message that each has read. */
  members: Map<number, { isAdmin: boolean; lastRead: number }>
  readonly removed: Set<number>
  /** The messages by `seq`. */
  readonly messages: Map<number, ModelMessage>
  lastSeq: number
}

export interface ModelPing {
  readonly id: PingId
  readonly owner: number
  readonly name: string
  readonly message: string | null
  readonly guests: readonly number[]
  readonly isPublic: boolean
  readonly responsesVisible: boolean
  readonly createdAt: number
  readonly activatesAt: number | null
  expiresAt: number
  hasImage: boolean
  chat: ConversationId | null
  readonly answers: Map<number, ResponseType>
}

interface ModelRequest {
  readonly id: FriendRequestId
  readonly from: number
  readonly to: number
}

export interface Model {
  /** The friendships by pair. */
  readonly friendships: Map<string, FriendshipId>
  readonly requests: Map<string, ModelRequest>
  /** The key `a>b` means that a has blocked b. */
  readonly blocks: Set<string>
  readonly pings: Map<PingId, ModelPing>
  readonly chats: Map<ConversationId, ModelChat>
  /** The users with a picture. */
  readonly pictured: Set<number>
}

export function newModel(): Model {
  return {
    friendships: new Map(),
    requests: new Map(),
    blocks: new Set(),
    pings: new Map(),
    chats: new Map(),
    pictured: new Set(),
  }
}

export const pairOf = (a: number, b: number) => `${Math.min(a, b)}+${Math.max(a, b)}`

export const areFriends = (model: Model, a: number, b: number) => model.friendships.has(pairOf(a, b))

export const isBlocked = (model: Model, a: number, b: number) =>
  model.blocks.has(`${a}>${b}`) || model.blocks.has(`${b}>${a}`)

export function friendsOf(model: Model, who: number): number[] {
  return [...model.friendships.keys()].flatMap((pair) => {
    const [a, b] = pair.split('+').map(Number) as [number, number]
    return a === who ? [b] : b === who ? [a] : []
  })
}

type Status = 'pending' | 'active' | 'expired'

export function statusOf({ activatesAt, expiresAt }: ModelPing, now: number): Status {
  if (now >= expiresAt) return 'expired'
  return activatesAt !== null && now < activatesAt ? 'pending' : 'active'
}

/** The invitees who are still friends of the owner. */
export function audienceOf(model: Model, ping: ModelPing): number[] {
  return ping.guests.filter((guest) => areFriends(model, ping.owner, guest))
}

export function canSeePing(model: Model, ping: ModelPing, viewer: number): boolean {
  return viewer === ping.owner || audienceOf(model, ping).includes(viewer)
}

export function answersShownTo(model: Model, ping: ModelPing, viewer: number): string[] {
  const audience = audienceOf(model, ping)
  const seesAll = viewer === ping.owner || ping.responsesVisible
  return [...ping.answers]
    .filter(([who]) => audience.includes(who) && (seesAll || who === viewer))
    .map(([who, type]) => `${who} ${type}`)
    .sort()
}

/** A direct conversation is hidden from both while one has blocked the other. */
export function canSeeChat(model: Model, chat: ModelChat, viewer: number): boolean {
  if (chat.isDeleted || !chat.members.has(viewer)) return false
  return chat.pair === null || !isBlocked(model, ...chat.pair)
}

export function canSend(model: Model, chat: ModelChat, sender: number): boolean {
  return canSeeChat(model, chat, sender) && (chat.pair === null || areFriends(model, ...chat.pair))
}

export function unreadOf(chat: ModelChat, viewer: number): number {
  const lastRead = chat.members.get(viewer)?.lastRead ?? 0
  let count = 0
  for (const [seq, { isDeleted, sender }] of chat.messages)
    if (!isDeleted && sender !== viewer && seq > lastRead) count++
  return count
}

/** The messages that were not deleted, in order. */
export function historyOf(chat: ModelChat): string[] {
  return [...chat.messages]
    .filter(([, { isDeleted }]) => !isDeleted)
    .sort(([a], [b]) => a - b)
    .map(([seq, { sender, content }]) => `${seq} ${sender} ${content}`)
}

export function enter(chat: ModelChat, who: number): void {
  chat.removed.delete(who)
  chat.members.set(who, { isAdmin: false, lastRead: chat.lastSeq })
}

/** Removes a participant. The role of the last admin passes to the participant who joined first, and an empty group is deleted. */
export function exit(chat: ModelChat, who: number): void {
  chat.members.delete(who)
  const [first] = chat.members.values()
  if (!first) chat.isDeleted = true
  else if (![...chat.members.values()].some(({ isAdmin }) => isAdmin)) first.isAdmin = true
}
