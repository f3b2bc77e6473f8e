import { createServer, type Server } from 'node:http'
import { type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type UserId } from '@hither/contract/ids.ts'
import { type Message } from '@hither/contract/messages.ts'
import { type User } from '@hither/contract/users.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { setBaseAddress } from '../api/base-address.ts'
import { clearStoredSession, storeTokens, storeUser } from '../api/stored-session.ts'
import { startSession } from '../auth/session.ts'
import { conversationQuery } from './chat.api.ts'
import { type OpenConversation } from './chat-changes.ts'
import { ann, bob, cafe, groupOf, messageFrom } from './harness.ts'
import { forgetKept } from './kept.ts'
import { outbox, putIntoOutbox, retryOutgoing } from './outbox.ts'
import { startOutbox } from './outbox-sender.ts'

interface Sent {
  content: string
  client_id: string
}

let server: Server
/** `null`: the connection breaks after the server has heard it all. */
let answerTo: (sent: Sent) => number | null
let heard: Sent[]
let queryClient: QueryClient
let sender: ReturnType<typeof startOutbox>

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = await text(request)
    if (!request.url?.endsWith('/send')) return response.writeHead(500).end('{}')
    const sent: Sent = JSON.parse(body)
    heard.push(sent)
    const status = answerTo(sent)
    if (status === null) return request.socket.destroy()
    response.writeHead(status, { 'Content-Type': 'application/json' })
    const reply = status < 300 ? { message: stored(sent) } : { detail: 'You can only message friends' }
    return response.end(JSON.stringify(reply))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  setBaseAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  startSession()
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

beforeEach(() => {
  heard = []
  answerTo = () => 201
  signIn(ann)
  queryClient = new QueryClient()
  const open: OpenConversation = {
    conversation: groupOf(ann, bob),
    messages: [],
    hasMore: false,
    lastSeq: 0,
    erased: [],
  }
  queryClient.setQueryData(conversationQuery(cafe).queryKey, open)
  sender = startOutbox(queryClient, ann)
})

afterEach(() => {
  sender.stop()
  clearStoredSession()
  forgetKept({})
})

test('what is written is sent in order, once each, and then stands in the conversation', async () => {
  for (const content of ['one', 'two', 'three']) write(content)
  await vi.waitFor(() => expect(outbox()).toEqual([]))
  expect(heard.map(({ content }) => content)).toEqual(['one', 'two', 'three'])
  expect(shown()).toEqual(['one', 'two', 'three'])
})

test('what got no answer is sent again under the same client_id, before what came after it', async () => {
  answerTo = () => null
  write('one')
  write('two')
  await vi.waitFor(() => expect(heard).toHaveLength(1))
  expect(outbox().map(({ state }) => state)).toEqual(['waiting', 'waiting'])

  answerTo = () => 200
  await vi.waitFor(() => {
    sender.wake()
    expect(outbox()).toEqual([])
  })
  expect(new Set(heard.map(({ client_id }) => client_id)).size).toBe(2)
  expect(heard.map(({ content }) => content).at(-1)).toBe('two')
  expect(shown()).toEqual(['one', 'two'])
})

test('a refused message waits for its writer, and holds up no other', async () => {
  answerTo = ({ content }) => (content === 'one' ? 403 : 201)
  write('one')
  write('two')
  await vi.waitFor(() => expect(outbox()).toHaveLength(1))
  expect(outbox()).toMatchObject([{ content: 'one', state: 'failed', reason: 'You can only message friends' }])

  answerTo = () => 201
  retryOutgoing(outbox()[0]?.client_id ?? '')
  await vi.waitFor(() => expect(outbox()).toEqual([]))
  expect(shown()).toEqual(['two', 'one'])
})

test('each account has its own, and what is left of another can be forgotten', async () => {
  answerTo = () => null
  write('mine')
  await vi.waitFor(() => expect(heard).toHaveLength(1))
  sender.stop()
  signIn(bob)
  expect(outbox()).toEqual([])
  signIn(ann)
  expect(outbox()).toHaveLength(1)
  signIn(bob)
  forgetKept({ butOf: bob })
  signIn(ann)
  sender = startOutbox(queryClient, ann)
  expect(outbox()).toEqual([])
})

function write(content: string) {
  putIntoOutbox({
    client_id: crypto.randomUUID(),
    conversation_id: cafe,
    content,
    created_at: new Date().toISOString(),
    state: 'waiting',
  })
}

function shown() {
  return queryClient.getQueryData(conversationQuery(cafe).queryKey)?.messages.map(({ content }) => content)
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
    has_image: false,
    auto_join_chats: true,
  }
  storeTokens({ access_token: `token of ${id}`, refresh_token: 'r', expires_at: Date.now() / 1000 + 3600 })
  storeUser(user)
}
