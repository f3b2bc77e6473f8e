import { createServer, type Server } from 'node:http'
import { type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type PingId, type UserId } from '@hither/contract/ids.ts'
import { type User } from '@hither/contract/users.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { setBaseAddress } from '../api/base-address.ts'
import { clearStoredSession, storeTokens, storeUser } from '../api/stored-session.ts'
import { startSession } from '../auth/session.ts'
import { type Notice, subscribeToNotices } from '../outbox/notices.ts'
import { clearShelves } from '../outbox/shelf.ts'
import { sendAnswer } from './answers.ts'
import { sendByHand } from './by-hand.ts'
import { waitingAnswers, waitingPings } from './ping-outbox.ts'
import { startAnswerOutbox, startPingOutbox } from './ping-sender.ts'
import { type WaitingAnswer, type WaitingPing, withAnswer, withPing } from './waiting.rules.ts'

interface Asked {
  path: string
  token: string
  body: { name: string; client_id: string; ping_id: string; response_type: string }
}

const [ann, bob] = ['ann', 'bob'] as [UserId, UserId]
const supper = 'supper' as PingId

let server: Server
/** `null`: the connection breaks after the server has heard it all. */
let answerTo: (asked: Asked) => number | null
let heard: Asked[]
let told: Notice[]
let senders: ReturnType<typeof startPingOutbox>[] = []
let unsubscribe: () => void

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = await text(request)
    if (request.method !== 'POST') return response.writeHead(500).end('{}')
    const asked: Asked = {
      path: (request.url ?? '').replace(/^\/api/, ''),
      token: String(request.headers.authorization),
      body: JSON.parse(body),
    }
    if (asked.path.startsWith('/auth')) return response.writeHead(401).end('{}')
    heard.push(asked)
    const status = answerTo(asked)
    if (status === null) return request.socket.destroy()
    response.writeHead(status, { 'Content-Type': 'application/json' })
    return response.end(JSON.stringify(status < 300 ? made(asked) : { detail: 'This ping has expired.' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  setBaseAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  startSession()
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

beforeEach(() => {
  heard = []
  told = []
  answerTo = () => 201
  unsubscribe = subscribeToNotices((notice) => told.push(notice))
  signIn(ann)
})

afterEach(async () => {
  for (const sender of senders) sender.stop()
  senders = []
  unsubscribe()
  clearStoredSession()
  await clearShelves({})
})

function made({ path, body }: Asked): object {
  if (path.startsWith('/messages')) return { id: 'chat', name: body.name }
  if (path.endsWith('/respond')) return body
  return { id: `id of ${body.name}`, name: body.name, recipients: ['b', 'c'].map((recipient_id) => ({ recipient_id })) }
}

function start(viewerId = ann) {
  const queryClient = new QueryClient()
  senders = [startPingOutbox(queryClient, viewerId), startAnswerOutbox(queryClient, viewerId)]
}

function wake() {
  for (const sender of senders) sender.wake()
}

function write(name: string, change: Partial<WaitingPing> = {}, owner = ann) {
  const ping: WaitingPing = {
    client_id: crypto.randomUUID(),
    written_at: Date.now(),
    input: { name, latitude: 0, longitude: 0, duration_minutes: 30 },
    image: null,
    wants_chat: false,
    refusal: null,
    made: null,
    ...change,
  }
  return waitingPings.edit(owner, (pings) => withPing(pings, ping))
}

function answer(response_type: WaitingAnswer['response_type']): WaitingAnswer {
  return { client_id: crypto.randomUUID(), ping_id: supper, ping_name: 'Supper', response_type }
}

function put(answer: WaitingAnswer) {
  return waitingAnswers.edit(ann, (answers) => withAnswer(answers, answer))
}

const names = () => heard.map(({ body }) => body.name)

test('what waits is sent in order, once each', async () => {
  for (const name of ['one', 'two', 'three']) await write(name)
  start()
  await vi.waitFor(() => expect(waitingPings.items()).toEqual([]))
  expect(names()).toEqual(['one', 'two', 'three'])
  expect(told).toHaveLength(3)
})

test('what got no answer is sent again under the same client_id, before what came after it', async () => {
  answerTo = () => null
  await write('one')
  await write('two')
  start()
  await vi.waitFor(() => expect(heard).toHaveLength(1))
  answerTo = () => 200
  await vi.waitFor(() => {
    wake()
    expect(waitingPings.items()).toEqual([])
  })
  expect(new Set(heard.map(({ body }) => body.client_id)).size).toBe(2)
  expect(names().at(-1)).toBe('two')
})

test('what was refused waits for its writer with the reason, and holds up no other', async () => {
  answerTo = ({ body }) => (body.name === 'one' ? 409 : 201)
  await write('one')
  await write('two')
  start()
  await vi.waitFor(() => expect(names()).toEqual(['one', 'two']))
  await vi.waitFor(() => expect(waitingPings.items()).toHaveLength(1))
  expect(waitingPings.items()).toMatchObject([{ input: { name: 'one' }, refusal: 'This ping has expired.' }])
  expect(told).toContainEqual({ kind: 'error', text: 'This ping has expired.' })
})

test('what was not sent in time is left alone', async () => {
  await write('late', { written_at: Date.now() - 31 * 60_000 })
  await write('in time')
  start()
  await vi.waitFor(() => expect(names()).toEqual(['in time']))
  await vi.waitFor(() => expect(waitingPings.items()).toMatchObject([{ input: { name: 'late' } }]))
})

test('a chat that could not be started for lack of an answer is started later, and the pin not made again', async () => {
  answerTo = ({ path }) => (path.startsWith('/messages') ? null : 201)
  await write('one', { wants_chat: true })
  start()
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(1))
  answerTo = () => 200
  await vi.waitFor(() => {
    wake()
    expect(waitingPings.items()).toEqual([])
  })
  expect(heard.filter(({ path }) => path === '/pings/')).toHaveLength(1)
  expect(heard.at(-1)?.body).toMatchObject({ ping_id: 'id of one', participant_ids: ['b', 'c'] })
})

test('a pin that was deleted elsewhere before its answer came is let go of', async () => {
  answerTo = () => 404
  await write('one')
  start()
  await vi.waitFor(() => expect(waitingPings.items()).toEqual([]))
  expect(told).toEqual([])
})

test('of one account nothing is sent in the name of the next, nor left for them', async () => {
  await write('mine')
  await put(answer('accepted'))
  start()
  for (const sender of senders) sender.stop()
  heard = []
  signIn(bob)
  expect(waitingPings.items()).toEqual([])
  expect(waitingAnswers.items()).toEqual([])
  await write('of ann again', {}, ann)
  expect(waitingPings.items()).toEqual([])
  signIn(ann)
  await waitingPings.reread()
  expect(waitingPings.items().map(({ input }) => input.name)).toEqual(['mine'])
  signIn(bob)
  start(bob)
  await write('of bob', {}, bob)
  await vi.waitFor(() => expect(names()).toEqual(['of bob']))
  expect(heard[0]?.token).toBe('Bearer token of bob')
  await clearShelves({ butOf: bob })
  signIn(ann)
  await waitingPings.reread()
  expect(waitingPings.items()).toEqual([])
})

test('a sender whose person has gone sends nothing of who came', async () => {
  start(ann)
  signIn(bob)
  await write('of bob', {}, bob)
  wake()
  await waitingPings.reread()
  await new Promise(setImmediate)
  expect(heard).toEqual([])
  expect(waitingPings.items()).toHaveLength(1)
})

test('of several answers the last one is sent, also where it comes while another is being sent', async () => {
  await put(answer('declined'))
  await put(answer('accepted'))
  const later = answer('tentative')
  let isReplaced = false
  answerTo = () => {
    if (!isReplaced) void put(later)
    isReplaced = true
    return 200
  }
  start()
  await vi.waitFor(() => expect(waitingAnswers.items()).toEqual([]))
  expect(heard.map(({ body }) => body.response_type)).toEqual(['accepted', 'tentative'])
})

test('an answer that comes too late is let go of and said to have', async () => {
  answerTo = () => 409
  await put(answer('accepted'))
  start()
  await vi.waitFor(() => expect(waitingAnswers.items()).toEqual([]))
  expect(told).toEqual([{ kind: 'error', text: 'Supper: This ping has expired.' }])
})

test('what is done by hand waits where no answer comes, and leaves nothing where one does', async () => {
  const item = answer('accepted')
  const deed = {
    item,
    owner: ann,
    shelf: waitingAnswers,
    lock: 'answers',
    put: (answers: readonly WaitingAnswer[]) => withAnswer(answers, item),
    send: async () => {
      // Kept before it is tried.
      expect(waitingAnswers.items()).toEqual([item])
      await sendAnswer(item)
      return true
    },
  }
  answerTo = () => null
  expect(await sendByHand(deed)).toBeNull()
  expect(waitingAnswers.items()).toEqual([item])
  answerTo = () => 409
  await expect(sendByHand(deed)).rejects.toThrow('This ping has expired.')
  expect(waitingAnswers.items()).toEqual([])
  answerTo = () => 200
  expect(await sendByHand(deed)).toBe(true)
  expect(waitingAnswers.items()).toEqual([])
})

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
