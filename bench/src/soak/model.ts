import {
  type ConversationId,
  type FriendRequestId,
  type FriendshipId,
  type MessageId,
  type PingId,
} from '@hither/contract/ids.ts'
import { type ResponseType } from '@hither/contract/pings.ts'

// What the server has acknowledged, in the rules of the product. People are numbers: their place in the cast.

export interface ModelMessage {
  readonly id: MessageId
  readonly sender: number
  readonly content: string
  isDeleted: boolean
}

export interface ModelChat {
  readonly id: ConversationId
  readonly type: 'direct' | 'group'
  /** Of a direct one, in order. */
  readonly pair: readonly [number, number] | null
  name: string | null
  isOver: boolean
  /** By standing: who, and up to which message they have read. */
  members: Map<number, { isAdmin: boolean; lastRead: number }>
  readonly removed: Set<number>
  /** By `seq`. */
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

export interface ModelRequest {
  readonly id: FriendRequestId
  readonly from: number
  readonly to: number
}

export interface Model {
  /** By pair. */
  readonly friendships: Map<string, FriendshipId>
  readonly requests: Map<string, ModelRequest>
  /** `a>b`: a has blocked b. */
  readonly blocks: Set<string>
  readonly pings: Map<PingId, ModelPing>
  readonly chats: Map<ConversationId, ModelChat>
  /** Who has a picture. */
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

export type Status = 'pending' | 'active' | 'expired'

export function statusOf({ activatesAt, expiresAt }: ModelPing, now: number): Status {
  if (now >= expiresAt) return 'expired'
  return activatesAt !== null && now < activatesAt ? 'pending' : 'active'
}

/** Guests who still are friends. */
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
  if (chat.isOver || !chat.members.has(viewer)) return false
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

/** What stands, in its order. */
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

/** The last admin's role passes to the member of longest standing; an empty group is over. */
export function exit(chat: ModelChat, who: number): void {
  chat.members.delete(who)
  const [first] = chat.members.values()
  if (!first) chat.isOver = true
  else if (![...chat.members.values()].some(({ isAdmin }) => isAdmin)) first.isAdmin = true
}
