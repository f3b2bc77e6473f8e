import type { FeedChange } from '@hither/contract/feeds.ts'
import type { ConversationId, MessageId, PingId, UserId } from '@hither/contract/ids.ts'
import type { Conversation, ConversationDetails, Message } from '@hither/contract/messages/messages.ts'
import type { Ping, PingResponse } from '@hither/contract/pings.ts'
import { type Api, CallError, type Person } from './api.ts'

const pageSize = 100

interface Chat {
  name: string | null
  role: string
  unreadCount: number
  updatedAt: string
  /** The last read `seq` by participant. */
  readonly members: Map<UserId, number>
  readonly messages: Map<MessageId, Pick<Message, 'seq' | 'sender_id' | 'content' | 'client_id'>>
}

interface ModelPing {
  ownerId: UserId
  status: string
  expiresAt: string
  conversationId: ConversationId | null
  readonly responses: Map<UserId, string>
}

/** What one user sees: their conversations with all messages, and the pings. */
export interface Model {
  readonly chats: Map<ConversationId, Chat>
  readonly pings: Map<PingId, ModelPing>
}

/** Reads everything over HTTP. */
export async function readModel(api: Api, person: Person): Promise<Model> {
  const chats: Model['chats'] = new Map()
  for (const { id } of await api.get<Conversation[]>(person, '/messages/conversations')) {
    const chat = await readChat(api, person, id)
    if (chat) chats.set(id, chat)
  }
  const pings: Model['pings'] = new Map()
  for (const path of ['/pings/', '/pings/my-pings'])
    for (const ping of await api.get<Ping[]>(person, path)) pings.set(ping.id, pingOf(ping, ping.responses))
  return { chats, pings }
}

/** Reads one conversation with all its messages; `null` if the user cannot see it. */
export async function readChat(api: Api, person: Person, id: ConversationId): Promise<Chat | null> {
  try {
    const path = `/messages/conversations/${id}?limit=${pageSize}`
    let page = await api.get<ConversationDetails>(person, path)
    const { name, participants, unread_count: unreadCount, updated_at: updatedAt } = page
    const role = participants.find(({ user_id }) => user_id === person.id)?.role ?? ''
    const members = new Map(participants.map(({ user_id, last_read_seq }) => [user_id, last_read_seq]))
    const chat: Chat = { name, role, unreadCount, updatedAt, members, messages: new Map() }
    for (;;) {
      const { messages, has_more } = page.message_details
      for (const message of messages) chat.messages.set(message.id, shownOf(message))
      const first = messages[0]
      if (!has_more || !first) return chat
      page = await api.get<ConversationDetails>(person, `${path}&before=${first.id}`)
    }
  } catch (error) {
    if (error instanceof CallError && error.status === 404) return null
    throw error
  }
}

/**
 * Applies a live change. It is idempotent, because each row replaces the earlier one. Returns the id of a conversation that
 * must be read over HTTP because the user has just joined it, otherwise `null`.
 */
export function applyChange({ chats, pings }: Model, change: FeedChange, viewerId: UserId): ConversationId | null {
  switch (change.table) {
    case 'messages': {
      if (change.eventType === 'DELETE')
        for (const { messages } of chats.values()) messages.delete(change.old.id as MessageId)
      else chats.get(change.new.conversation_id)?.messages.set(change.new.id, shownOf(change.new))
      return null
    }
    case 'message_read_receipts': {
      if (change.eventType === 'DELETE')
        chats.get(change.old.conversation_id as ConversationId)?.members.delete(change.old.user_id as UserId)
      else chats.get(change.new.conversation_id)?.members.set(change.new.user_id, change.new.last_read_seq)
      return null
    }
    case 'chats': {
      if (change.eventType === 'DELETE') {
        chats.delete(change.old.id as ConversationId)
        return null
      }
      const { id, user_id, name, role, unread_count: unreadCount, updated_at: updatedAt } = change.new
      if (user_id !== viewerId) return null
      if (change.eventType === 'INSERT') return id
      const chat = chats.get(id)
      if (chat) Object.assign(chat, { name, role, unreadCount, updatedAt })
      return null
    }
    case 'location_pins': {
      if (change.eventType === 'DELETE') pings.delete(change.old.id as PingId)
      else {
        const known = pings.get(change.new.id)
        pings.set(change.new.id, { ...pingOf(change.new, []), ...(known && { responses: known.responses }) })
      }
      return null
    }
    case 'ping_responses': {
      if (change.eventType === 'DELETE')
        pings.get(change.old.ping_id as PingId)?.responses.delete(change.old.user_id as UserId)
      else pings.get(change.new.ping_id)?.responses.set(change.new.user_id, change.new.response_type)
      return null
    }
    default:
      return null
  }
}

function shownOf({ seq, sender_id, content, client_id }: Pick<Message, 'seq' | 'sender_id' | 'content' | 'client_id'>) {
  return { seq, sender_id, content, client_id }
}

function pingOf(
  { user_id, status, expires_at, conversation_id }: Pick<Ping, 'user_id' | 'status' | 'expires_at' | 'conversation_id'>,
  responses: readonly PingResponse[],
): ModelPing {
  return {
    ownerId: user_id,
    status,
    expiresAt: expires_at,
    conversationId: conversation_id,
    responses: new Map(responses.map(({ user_id, response_type }) => [user_id, response_type])),
  }
}

/** The differences between the HTTP API and the state of a listener, as sentences; empty if there are none. */
export function differencesOf(http: Model, listener: Model, viewerId: UserId): string[] {
  return [
    ...compare('conversation', http.chats, listener.chats, (wanted, found, name) => [
      ...compareFields(name, wanted, found, ['name', 'role', 'unreadCount', 'updatedAt']),
      ...compare(`member of ${name}`, readStates(wanted), readStates(found), compareValues),
      ...compare(`message of ${name}`, wanted.messages, found.messages, compareValues),
    ]),
    ...compare('ping', shownPings(http, viewerId), shownPings(listener, viewerId), (wanted, found, name) => [
      ...compareFields(name, wanted, found, ['status', 'expiresAt', 'conversationId']),
      ...compare(`response to ${name} of`, wanted.responses, found.responses, compareValues),
    ]),
  ]
}

/**
 * The last message of another user that each participant has read. Sending a message also advances the sender's own read
 * position, but this is not visible to anybody and not announced.
 */
function readStates({ members, messages }: Chat): Map<UserId, string> {
  const all = [...messages.values()].sort((a, b) => b.seq - a.seq)
  return new Map(
    [...members].map(([userId, lastRead]) => {
      const read = all.find(({ seq, sender_id }) => seq <= lastRead && sender_id !== userId)
      return [userId, `has read up to message ${read?.seq ?? 0}`]
    }),
  )
}

/** Leaves out expired pings of others, which the API does not list. */
function shownPings({ pings }: Model, viewerId: UserId): Model['pings'] {
  return new Map([...pings].filter(([, { ownerId, status }]) => ownerId === viewerId || status !== 'expired'))
}

function compare<K extends string, V>(
  what: string,
  wanted: ReadonlyMap<K, V>,
  found: ReadonlyMap<K, V>,
  compareEntry: (wanted: V, found: V, name: string) => string[],
): string[] {
  const differences: string[] = []
  for (const [key, value] of wanted) {
    const other = found.get(key)
    if (other === undefined) differences.push(`${what} ${key} is missing: ${describe(value)}`)
    else differences.push(...compareEntry(value, other, `${what} ${key}`))
  }
  for (const [key, value] of found)
    if (!wanted.has(key)) differences.push(`${what} ${key} should not be there: ${describe(value)}`)
  return differences
}

function compareFields<V extends object>(name: string, wanted: V, found: V, fields: readonly (keyof V & string)[]) {
  return fields.flatMap((field) => compareValues(wanted[field], found[field], `${field} of ${name}`))
}

function compareValues(wanted: unknown, found: unknown, name: string): string[] {
  const [a, b] = [describe(wanted), describe(found)]
  return a === b ? [] : [`${name} is ${b} instead of ${a}`]
}

function describe(value: unknown): string {
  return JSON.stringify(value, (_, part) => (part instanceof Map ? `${part.size} entries` : part))
}
