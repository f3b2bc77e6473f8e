import { randomUUID } from 'node:crypto'
import { type UnsentPhoto, uploadMessagePhoto } from '@hither/contract/files.ts'
import { blockUser, listFriends, removeFriend, unblockUser } from '@hither/contract/friends.ts'
import type { ConversationId, MessageId, UserId } from '@hither/contract/ids.ts'
import {
  addParticipant,
  archiveConversation,
  type Conversation,
  createConversation,
  deleteConversation,
  deleteMessage,
  editMessage,
  getConversation,
  joinConversation,
  keepConversation,
  type LastMessage,
  leaveConversation,
  listConversationSummaries,
  listConversations,
  type Message,
  markConversationRead,
  pinConversation,
  removeParticipant,
  renameConversation,
  sendMessage,
  takeBackKeepRequest,
  unarchiveConversation,
  unpinConversation,
} from '@hither/contract/messages/messages.ts'
import { listReactions, removeReaction, setReaction } from '@hither/contract/messages/reactions.ts'
import type { Input } from '@hither/contract/operation.ts'
import { type CreatePing, createPing, deletePing, getPing, type Ping } from '@hither/contract/pings.ts'
import { filledPath } from '@hither/contract/runtime/address.ts'
import { kindOf } from '@hither/contract/runtime/messages/messages.ts'
import { deleteAccount, updateUser } from '@hither/contract/users.ts'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'

export const unknownId = '01900000-0000-7000-8000-000000000000'
export const noConversation = {
  status: 404,
  body: { detail: 'Conversation not found', code: 'conversation_not_found' },
}
export const noMessage = { status: 404, body: { detail: 'Message not found', code: 'message_not_found' } }
export const friendsOnly = { status: 403, body: { detail: 'You can only message friends', code: 'not_messageable' } }
export const adminsOnly = { status: 403, body: { detail: 'Only group admins can do this', code: 'not_group_admin' } }

/** ann, bob and cat are friends of one another; dan is a friend of ann alone; eve is a stranger to all. */
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
  return { server, ann, bob, cat, dan, eve, ...actionsOn(server) }
}

type Fields = Partial<Input<typeof createConversation>['body']>

export function actionsOn(server: TestServer) {
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
    /** Creates a conversation and fails the test if the server refuses it. */
    make,
    group: (who: Person, others: readonly Person[], fields: Fields = {}) =>
      make(who, others, { name: 'Walks', ...fields }),
    send,
    /** Sends a message and fails the test if the server refuses it. */
    async say(id: ConversationId, who: Person, content = 'Hello'): Promise<Message> {
      const { status, body } = await send(id, who, content)
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body.message
    },
    list: async (who: Person) => (await server.call(listConversations, {}, who)).body,
    summaries: async (who: Person) => (await server.call(listConversationSummaries, {}, who)).body,
    open: (id: ConversationId, who: Person, query: Input<typeof getConversation>['query'] = {}) =>
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
    pin: (id: ConversationId, who: Person) => server.call(pinConversation, { params: { id } }, who),
    unpin: (id: ConversationId, who: Person) => server.call(unpinConversation, { params: { id } }, who),
    archive: (id: ConversationId, who: Person) => server.call(archiveConversation, { params: { id } }, who),
    keep: (id: ConversationId, who: Person) => server.call(keepConversation, { params: { id } }, who),
    takeKeepBack: (id: ConversationId, who: Person) => server.call(takeBackKeepRequest, { params: { id } }, who),
    unarchive: (id: ConversationId, who: Person) => server.call(unarchiveConversation, { params: { id } }, who),
    markRead: (id: ConversationId, who: Person) => server.call(markConversationRead, { params: { id } }, who),
    edit: (id: MessageId, who: Person, content: string) =>
      server.call(editMessage, { params: { id }, body: { content } }, who),
    /** Sends a message with any fields. */
    post: (id: ConversationId, who: Person, fields: Omit<Input<typeof sendMessage>['body'], 'conversation_id'>) =>
      server.call(sendMessage, { body: { conversation_id: id, ...fields } }, who),
    /** Uploads a photo, which is not sent yet. */
    async upload(id: ConversationId, who: Person, bytes: Uint8Array | string, name = 'me.jpg') {
      const form = new FormData()
      form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'image/jpeg' }), name)
      const response = await fetch(`${server.url}/api${filledPath(uploadMessagePhoto.address, { id })}`, {
        method: 'POST',
        body: form,
        headers: { authorization: `Bearer ${who.session.access_token}` },
      })
      return { status: response.status, body: (await response.json()) as UnsentPhoto }
    },
    react: (id: MessageId, who: Person, emoji = '👍') =>
      server.call(setReaction, { params: { id }, body: { emoji } }, who),
    unreact: (id: MessageId, who: Person) => server.call(removeReaction, { params: { id } }, who),
    reactions: (id: MessageId, who: Person) => server.call(listReactions, { params: { id } }, who),
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

/** The fields of a message that lists of conversations show. */
export function lastMessageOf(message: Message | undefined): LastMessage | null {
  if (!message) return null
  const { edited_at: _, reply_to: __, reactions: ___, attachment, ...shown } = message
  return { ...shown, ...kindOf(attachment) }
}

export const chatTables = ['messages', 'message_reactions', 'message_read_receipts', 'chats', 'location_pins'] as const
