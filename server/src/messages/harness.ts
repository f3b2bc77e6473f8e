import { randomUUID } from 'node:crypto'
import { blockUser, listFriends, removeFriend, unblockUser } from '@hither/contract/friends.ts'
import { type ConversationId, type MessageId, type UserId } from '@hither/contract/ids.ts'
import {
  addParticipant,
  type Conversation,
  createConversation,
  deleteConversation,
  deleteMessage,
  getConversation,
  joinConversation,
  leaveConversation,
  listConversationSummaries,
  listConversations,
  type Message,
  markConversationRead,
  removeParticipant,
  renameConversation,
  sendMessage,
} from '@hither/contract/messages.ts'
import { type Input } from '@hither/contract/operation.ts'
import { type CreatePing, createPing, deletePing, getPing, type Ping } from '@hither/contract/pings.ts'
import { deleteAccount, updateUser } from '@hither/contract/users.ts'
import { type Heard, type Listener, type Person, password, startServer, type TestServer } from '../../test/harness.ts'

export const nobodys = '01900000-0000-7000-8000-000000000000'
export const noConversation = { status: 404, body: { detail: 'Conversation not found' } }
export const noMessage = { status: 404, body: { detail: 'Message not found' } }
export const friendsOnly = { status: 403, body: { detail: 'You can only message friends' } }
export const adminsOnly = { status: 403, body: { detail: 'Only group admins can do this' } }

/** ann, bob and cat, friends of one another; dan, a friend of ann alone; eve, a stranger to all. */
export type Cast = Awaited<ReturnType<typeof startCast>>

export async function startCast() {
  const server = await startServer()
  const [ann, bob, cat, dan, eve] = await Promise.all([
    server.signUp('ann'),
    server.signUp('bob'),
    server.signUp('cat'),
    server.signUp('dan'),
    server.signUp('eve'),
  ])
  await server.befriend(ann, bob)
  await server.befriend(ann, cat)
  await server.befriend(bob, cat)
  await server.befriend(ann, dan)
  return { server, ann, bob, cat, dan, eve, ...deedsOn(server) }
}

export type Fields = Partial<Input<typeof createConversation>['body']>

export function deedsOn(server: TestServer) {
  const create = (who: Person, others: readonly Person[], fields: Fields = {}) =>
    server.call(createConversation, { body: { participant_ids: others.map(({ id }) => id), ...fields } }, who)
  const make = async (who: Person, others: readonly Person[], fields: Fields = {}): Promise<Conversation> => {
    const { status, body } = await create(who, others, fields)
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
    return body
  }
  const send = (id: ConversationId, who: Person, content = 'Hello', client_id: string = randomUUID()) =>
    server.call(sendMessage, { body: { conversation_id: id, content, client_id } }, who)
  return {
    create,
    /** A conversation that must come to be. */
    make,
    group: (who: Person, others: readonly Person[], fields: Fields = {}) =>
      make(who, others, { name: 'Walks', ...fields }),
    send,
    /** A message that must arrive. */
    async say(id: ConversationId, who: Person, content = 'Hello'): Promise<Message> {
      const { status, body } = await send(id, who, content)
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body.message
    },
    list: async (who: Person) => (await server.call(listConversations, {}, who)).body,
    summaries: async (who: Person) => (await server.call(listConversationSummaries, {}, who)).body,
    open: (id: ConversationId, who: Person, query: { limit?: number; offset?: number; before?: MessageId } = {}) =>
      server.call(getConversation, { params: { id }, query }, who),
    join: (id: ConversationId, who: Person) => server.call(joinConversation, { params: { id } }, who),
    add: (id: ConversationId, who: Person, whom: { id: UserId }) =>
      server.call(addParticipant, { params: { id }, body: { conversation_id: id, user_id: whom.id } }, who),
    remove: (id: ConversationId, who: Person, whom: { id: UserId }) =>
      server.call(removeParticipant, { params: { id }, body: { conversation_id: id, user_id: whom.id } }, who),
    leave: (id: ConversationId, who: Person) => server.call(leaveConversation, { params: { id } }, who),
    end: (id: ConversationId, who: Person) => server.call(deleteConversation, { params: { id } }, who),
    rename: (id: ConversationId, who: Person, name: string) =>
      server.call(renameConversation, { params: { id }, body: { conversation_id: id, name } }, who),
    markRead: (id: ConversationId, who: Person) => server.call(markConversationRead, { params: { id } }, who),
    erase: (id: MessageId, who: Person) => server.call(deleteMessage, { params: { id } }, who),
    async drop(who: Person, guests: readonly Person[], fields: Partial<CreatePing> = {}): Promise<Ping> {
      const place = { name: 'Coffee', latitude: 45.52, longitude: -122.68, duration_minutes: 30 as const }
      const recipient_ids = guests.map(({ id }) => id)
      const { status, body } = await server.call(createPing, { body: { ...place, recipient_ids, ...fields } }, who)
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body
    },
    readPing: (ping: Ping, who: Person) => server.call(getPing, { params: { id: ping.id } }, who),
    removePing: (ping: Ping, who: Person) => server.call(deletePing, { params: { id: ping.id } }, who),
    autoJoin: (who: Person, auto_join_chats: boolean) =>
      server.call(updateUser, { params: { id: who.id }, body: { auto_join_chats } }, who),
    async unfriend(who: Person, other: Person) {
      const { body } = await server.call(listFriends, {}, who)
      const id = body.find((friend) => friend.user_id === other.id)?.id
      if (id) await server.call(removeFriend, { params: { id } }, who)
    },
    block: (who: Person, other: Person) => server.call(blockUser, { params: { username: other.username } }, who),
    unblock: (who: Person, other: Person) => server.call(unblockUser, { params: { username: other.username } }, who),
    eraseAccount: (who: Person) => server.call(deleteAccount, { body: { password } }, who),
    clear: () => server.db`truncate chats, chat_members, messages, chat_removals, location_pins cascade`,
  }
}

export const chatTables = ['messages', 'message_read_receipts', 'chats', 'location_pins'] as const

let marks = 0

/**
 * What a listener to the tables of chat and to users has heard by now, without users. A last change of the person's own,
 * which they hear after whatever was said before, marks the moment.
 */
export async function heardBy(server: TestServer, person: Person, listener: Listener): Promise<Heard[]> {
  const username = `${person.username}-${++marks}`
  const isMark = (change: Heard) => change.table === 'users' && change.new['username'] === username
  await server.call(updateUser, { params: { id: person.id }, body: { username } }, person)
  await listener.until(isMark)
  await server.call(updateUser, { params: { id: person.id }, body: { username: person.username } }, person)
  return listener.heard.filter((change) => change.table !== 'users')
}
