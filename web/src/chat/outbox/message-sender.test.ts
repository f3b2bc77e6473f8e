import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { UserId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import type { User } from '@hither/contract/users.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { setBaseAddress } from '../../api/base-address.ts'
import { clearStoredSession, storeTokens, storeUser } from '../../api/stored-session.ts'
import { clearPersistentQueues } from '../../outbox/persistent-queue.ts'
import { startSession } from '../../session/session.ts'
import { conversationQuery } from '../chat.api.ts'
import type { OpenConversation } from '../chat-changes.ts'
import { clearChatStorage, readChatStorage, writeChatStorage } from '../chat-storage.ts'
import { ann, at, bob, cafe, groupOf, messageFrom } from '../harness.ts'
import { quoteOf } from '../quotes.ts'
import { type Outgoing, putEdit, putIntoOutbox, putReaction, retryOutgoing, waitingMessages } from './message-outbox.ts'
import { startMessageOutbox } from './message-sender.ts'

const gone = { detail: 'Conversation not found', code: 'conversation_not_found' }

interface Sent {
  content: string
  client_id: string
  reply_to_id?: string
}

let server: Server
/** `null`: the connection breaks after the server has processed the request. */
let answerTo: (sent: Sent) => number | null
let requests: Sent[]
/** Method, address and body of the calls that change a message. */
let changes: [string, string, unknown][]
let changeStatus: number
let queryClient: QueryClient
let sender: ReturnType<typeof startMessageOutbox>

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = await text(request)
    if (request.url?.includes('/messages/messages/')) {
      changes.push([request.method ?? '', request.url.split('/messages/messages/')[1] ?? '', body && JSON.parse(body)])
      const status = changeStatus
      response.writeHead(status, { 'Content-Type': 'application/json' })
      return response.end(status === 204 ? undefined : JSON.stringify(changeReply(request.method ?? '', body)))
    }
    if (!request.url?.endsWith('/send')) return response.writeHead(500).end('{}')
    const sent: Sent = JSON.parse(body)
    requests.push(sent)
    const status = answerTo(sent)
    if (status === null) return request.socket.destroy()
    response.writeHead(status, { 'Content-Type': 'application/json' })
    const fault = { loc: ['body', 'reply_to_id'], msg: 'No longer available', type: 'reply_to_unavailable' }
    const detail = status === 422 ? [fault] : 'You can only message friends'
    const reply = status < 300 ? { message: stored(sent) } : status === 404 ? gone : { detail }
    return response.end(JSON.stringify(reply))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  setBaseAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  startSession()
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

beforeEach(() => {
  requests = []
  changes = []
  changeStatus = 200
  answerTo = () => 201
  signIn(ann)
  queryClient = new QueryClient()
  const open: OpenConversation = {
    conversation: groupOf(ann, bob),
    messages: [],
    hasMore: false,
    lastSeq: 0,
    erased: [],
    window: null,
  }
  queryClient.setQueryData(conversationQuery(cafe).queryKey, open)
  sender = startMessageOutbox(queryClient, ann)
})

afterEach(async () => {
  sender.stop()
  clearStoredSession()
  clearChatStorage({})
  await clearPersistentQueues({})
})

test('messages are sent in order, once each, and added to the conversation', async () => {
  for (const content of ['one', 'two', 'three']) await write(content)
  await vi.waitFor(() => expect(waitingMessages.items()).toEqual([]))
  expect(requests.map(({ content }) => content)).toEqual(['one', 'two', 'three'])
  expect(shown()).toEqual(['one', 'two', 'three'])
})

test('a message without a response is sent again with the same client_id, before later messages', async () => {
  answerTo = () => null
  await write('one')
  await write('two')
  await vi.waitFor(() => expect(requests).toHaveLength(1))
  expect(waitingMessages.items().map(({ state }) => state)).toEqual(['waiting', 'waiting'])

  answerTo = () => 200
  await vi.waitFor(() => {
    sender.wake()
    expect(waitingMessages.items()).toEqual([])
  })
  expect(new Set(requests.map(({ client_id }) => client_id)).size).toBe(2)
  expect(requests.map(({ content }) => content).at(-1)).toBe('two')
  expect(shown()).toEqual(['one', 'two'])
})

test('a refused message stays in the queue and does not block later messages', async () => {
  answerTo = ({ content }) => (content === 'one' ? 403 : 201)
  await write('one')
  await write('two')
  await vi.waitFor(() => expect(waitingMessages.items()).toHaveLength(1))
  expect(waitingMessages.items()).toMatchObject([
    { content: 'one', state: 'failed', reason: 'You can only message friends' },
  ])

  answerTo = () => 201
  await retryOutgoing(ann, waitingMessages.items()[0]?.client_id ?? '')
  await vi.waitFor(() => expect(waitingMessages.items()).toEqual([]))
  expect(shown()).toEqual(['two', 'one'])
})

test('a message to a conversation that is gone is dropped with all others that wait for it', async () => {
  answerTo = () => 404
  await write('one')
  await write('two')
  await vi.waitFor(() => expect(waitingMessages.items()).toEqual([]))
  expect(requests.map(({ content }) => content)).toEqual(['one'])
  expect(queryClient.getQueryData(conversationQuery(cafe).queryKey)).toBeNull()
})

test('each account has its own messages, and those of other accounts can be deleted', async () => {
  answerTo = () => null
  await write('mine')
  await vi.waitFor(() => expect(requests).toHaveLength(1))
  sender.stop()
  signIn(bob)
  await waitingMessages.reread()
  expect(waitingMessages.items()).toEqual([])
  signIn(ann)
  await waitingMessages.reread()
  expect(waitingMessages.items()).toHaveLength(1)
  signIn(bob)
  await clearPersistentQueues({ butOf: bob })
  signIn(ann)
  await waitingMessages.reread()
  expect(waitingMessages.items()).toEqual([])
})

test('messages that an earlier version stored are sent first, once each', async () => {
  sender.stop()
  const [one, two] = [messageOf('one'), messageOf('two')]
  writeChatStorage('outbox', ann, [one, two, { content: 'without an id' }])
  writeChatStorage('outbox', bob, [messageOf('of bob')])
  await putIntoOutbox(ann, two)
  await write('three')
  sender = startMessageOutbox(queryClient, ann)
  await vi.waitFor(() => expect(requests.map(({ content }) => content)).toEqual(['one', 'two', 'three']))
  await vi.waitFor(() => expect(waitingMessages.items()).toEqual([]))
  expect(readChatStorage('outbox', ann)).toBeNull()
  expect(readChatStorage('outbox', bob)).toHaveLength(1)
})

test('a reply names its message, and reactions and edits are sent in the order with messages', async () => {
  answerTo = () => null
  const quoted = messageFrom(bob, 1)
  await putIntoOutbox(ann, { ...messageOf('reply'), reply_to: quoteOf(quoted) })
  await vi.waitFor(() => expect(requests).toHaveLength(1))
  // Only the last choice and the last text are sent.
  await putReaction(ann, quoted, '👍')
  await putEdit(ann, messageFrom(ann, 2), 'first')
  await putReaction(ann, quoted, '🎉')
  await putEdit(ann, messageFrom(ann, 2), 'second')
  expect(changes).toEqual([])

  answerTo = () => 201
  await vi.waitFor(() => {
    sender.wake()
    expect(waitingMessages.items()).toEqual([])
  })
  expect(requests.at(-1)).toMatchObject({ content: 'reply', reply_to_id: quoted.id })
  expect(changes).toEqual([
    ['PUT', `${quoted.id}/reaction`, { emoji: '🎉' }],
    ['PATCH', 'm2', { content: 'second' }],
  ])
})

test('a reply to a deleted message stays with the reason, and a retry sends its text without the reply', async () => {
  answerTo = ({ reply_to_id }) => (reply_to_id === undefined ? 201 : 422)
  await putIntoOutbox(ann, { ...messageOf('reply'), reply_to: quoteOf(messageFrom(bob, 1)) })
  await vi.waitFor(() =>
    expect(waitingMessages.items()).toMatchObject([{ state: 'failed', reason: 'No longer available' }]),
  )
  await retryOutgoing(ann, waitingMessages.items()[0]?.client_id ?? '')
  await vi.waitFor(() => expect(waitingMessages.items()).toEqual([]))
  expect(requests.map(({ content, reply_to_id }) => [content, reply_to_id])).toEqual([
    ['reply', 'm1'],
    ['reply', undefined],
  ])
})

test('a removed reaction is sent as such', async () => {
  changeStatus = 204
  await putReaction(ann, messageFrom(bob, 1), null)
  await vi.waitFor(() => expect(waitingMessages.items()).toEqual([]))
  expect(changes).toEqual([['DELETE', 'm1/reaction', '']])
})

test('a refused edit stays with its reason, and changes of a deleted message are dropped', async () => {
  changeStatus = 409
  await putEdit(ann, messageFrom(ann, 1), 'late')
  await vi.waitFor(() =>
    expect(waitingMessages.items()).toMatchObject([{ state: 'failed', reason: 'You can only message friends' }]),
  )
  changeStatus = 404
  await putEdit(ann, messageFrom(ann, 1), 'deleted')
  await putReaction(ann, messageFrom(ann, 2), '👍')
  await vi.waitFor(() => expect(waitingMessages.items()).toEqual([]))
})

function write(content: string) {
  return putIntoOutbox(ann, messageOf(content))
}

function messageOf(content: string): Outgoing {
  return {
    client_id: crypto.randomUUID(),
    conversation_id: cafe,
    content,
    created_at: new Date().toISOString(),
    state: 'waiting',
  }
}

function shown() {
  return queryClient.getQueryData(conversationQuery(cafe).queryKey)?.messages.map(({ content }) => content)
}

function changeReply(method: string, body: string): object {
  if (changeStatus >= 300) return { detail: 'You can only message friends' }
  if (method === 'PATCH') return { message: messageFrom(ann, 2, { ...JSON.parse(body), edited_at: at(3) }) }
  return {}
}

let lastSeq = 0

function stored({ content, client_id }: Sent): Message {
  lastSeq++
  return messageFrom(ann, lastSeq, { content, client_id })
}

function signIn(id: UserId) {
  const user: User = {
    id,
    email: `${id}@example.org`,
    email_confirmed_at: null,
    created_at: '',
    updated_at: '',
    username: id,
    display_name: null,
    has_image: false,
    auto_join_chats: true,
    locale: null,
  }
  storeTokens({ access_token: `token of ${id}`, refresh_token: 'r', expires_at: Date.now() / 1000 + 3600 })
  storeUser(user)
}
