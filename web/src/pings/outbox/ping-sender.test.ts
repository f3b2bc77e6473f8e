import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ShownPlace } from '@hither/contract/areas.ts'
import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { InvitedPing } from '@hither/contract/pings.ts'
import { refusals } from '@hither/contract/refusals.ts'
import type { User } from '@hither/contract/users.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { setBaseAddress } from '../../api/base-address.ts'
import { clearStoredSession, storeTokens, storeUser } from '../../api/stored-session.ts'
import { clearPersistentQueues } from '../../outbox/persistent-queue.ts'
import { startSession } from '../../session/session.ts'
import { type Notice, subscribeToNotices } from '../../ui/notices/notices.ts'
import { isBusy, postpone, undo, undoPeriodOf, whenFree } from '../one-tap/undo-period.ts'
import { pingQuery, pingsQuery } from '../pings.api.ts'
import { type WaitingPing, type WaitingResponse, withPing, withWaitingResponse } from './outbox.rules.ts'
import { droppedHere, waitingPings, waitingResponses } from './ping-outbox.ts'
import { startPingOutbox, startResponseOutbox } from './ping-sender.ts'
import { sendResponse } from './send-response.ts'
import { sendWithOutbox } from './send-with-outbox.ts'

interface Asked {
  path: string
  token: string
  body: { name: string; client_id: string; ping_id: string; response_type: string; revision?: number }
}

const [ann, bob] = ['ann', 'bob'] as [UserId, UserId]
const supper = 'supper' as PingId

let server: Server
/** `null`: the connection breaks after the server has processed the request. */
let answerTo: (asked: Asked) => number | null
/** Resolves when the server may respond. */
let delay: () => Promise<unknown>
let requests: Asked[]
let refusal: string
/** The place in the answers to responses. */
let place: ShownPlace | undefined
let notices: Notice[]
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
    requests.push(asked)
    await delay()
    const status = answerTo(asked)
    if (status === null) return request.socket.destroy()
    response.writeHead(status, { 'Content-Type': 'application/json' })
    return response.end(JSON.stringify(status < 300 ? made(asked) : { detail: refusal }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  setBaseAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  startSession()
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

beforeEach(() => {
  requests = []
  place = undefined
  refusal = 'This ping has expired.'
  notices = []
  answerTo = () => 201
  delay = async () => undefined
  unsubscribe = subscribeToNotices((notice) => notices.push(notice))
  signIn(ann)
})

afterEach(async () => {
  for (const sender of senders) sender.stop()
  senders = []
  unsubscribe()
  clearStoredSession()
  await clearPersistentQueues({})
})

function made({ path, body }: Asked): object {
  if (path.startsWith('/messages')) return { id: 'chat', name: body.name }
  if (path.endsWith('/respond')) return place === undefined ? body : { ...body, place }
  const recipients = ['b', 'c'].map((recipient_id) => ({ recipient_id }))
  return {
    id: `id of ${body.name}`,
    access: 'owner',
    name: body.name,
    recipients,
    activates_at: null,
    is_public: false,
    expires_at: '2100-01-01T00:00:00Z',
  }
}

function start(viewerId = ann) {
  const queryClient = new QueryClient()
  senders = [startPingOutbox(queryClient, viewerId), startResponseOutbox(queryClient, viewerId)]
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

function answer(response_type: WaitingResponse['response_type']): WaitingResponse {
  return { client_id: crypto.randomUUID(), ping_id: supper, ping_name: 'Supper', response_type }
}

function put(answer: WaitingResponse) {
  return waitingResponses.edit(ann, (answers) => withWaitingResponse(answers, answer))
}

const names = () => requests.map(({ body }) => body.name)

test('waiting pings are sent in order, once each', async () => {
  for (const name of ['one', 'two', 'three']) await write(name)
  start()
  await vi.waitFor(() => expect(waitingPings.items()).toEqual([]))
  expect(names()).toEqual(['one', 'two', 'three'])
  expect(notices).toHaveLength(3)
})

test('a ping without a response is sent again with the same client_id, before later pings', async () => {
  answerTo = () => null
  await write('one')
  await write('two')
  start()
  await vi.waitFor(() => expect(requests).toHaveLength(1))
  answerTo = () => 200
  await vi.waitFor(() => {
    wake()
    expect(waitingPings.items()).toEqual([])
  })
  expect(new Set(requests.map(({ body }) => body.client_id)).size).toBe(2)
  expect(names().at(-1)).toBe('two')
})

test('a one-tap ping is sent at the end of its undo period, and a refusal removes it', async () => {
  answerTo = ({ body }) => (body.name === 'refused' ? 409 : 201)
  const dueAt = Date.now() + 1000
  await write('sent', { send_after: dueAt })
  await write('refused', { send_after: dueAt })
  start()
  await write('without a wait')
  await vi.waitFor(() => expect(waitingPings.items()).toEqual([]))
  expect(Date.now()).toBeGreaterThanOrEqual(dueAt)
  expect(names()).toEqual(['without a wait', 'sent', 'refused'])
  expect(notices.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Shared with 2 friends until /),
    expect.stringMatching(/^Shared with 2 friends until /),
    'This ping has expired.',
  ])
})

test('a refused one-tap ping of a suggestion stays, so that it can be edited', async () => {
  answerTo = () => 409
  await write('Coffee at Nero', { button: 'a suggestion', send_after: Date.now() })
  start()
  await vi.waitFor(() => expect(waitingPings.items()).toMatchObject([{ refusal: 'This ping has expired.' }]))
  expect(waitingPings.items()[0]?.send_after).toBeUndefined()
})

test('a button is busy until its pin is sent, refused or could not be sent', async () => {
  const sent = { button: 'quick', send_after: Date.now() }
  await write('My Pin', sent)
  expect(['quick', 'another'].map(isBusy)).toEqual([true, false])
  let answer: () => void = () => undefined
  const slow = new Promise<void>((resolve) => {
    answer = resolve
  })
  delay = () => slow
  start()
  await vi.waitFor(() => expect(names()).toEqual(['My Pin']))
  expect(isBusy('quick')).toBe(true)
  answer()
  await whenFree('quick')
  await vi.waitFor(() => expect(waitingPings.items()).toEqual([]))

  delay = async () => undefined
  answerTo = () => 409
  await write('Coffee at Nero', { ...sent, button: 'a suggestion' })
  expect(isBusy('a suggestion')).toBe(true)
  await whenFree('a suggestion')
  await vi.waitFor(() => expect(waitingPings.items()).toMatchObject([{ refusal }]))

  answerTo = () => null
  await write('My Pin', sent)
  await whenFree('quick')
  expect(waitingPings.items()).toHaveLength(2)
})

test('a button is not busy with a pin that waited too long to be sent', async () => {
  await write('My Pin', { button: 'quick', send_after: Date.now() - 31 * 60_000, written_at: Date.now() - 31 * 60_000 })
  expect(isBusy('quick')).toBe(false)
})

test('a pin is neither postponed nor undone after another page has made it due, whatever this page still shows', async () => {
  const dueLater = Date.now() + 60_000
  for (const change of [() => postpone(ann, 'a', 120_000), async () => expect(await undo(ann, 'a')).toBe(false)]) {
    await write('soup', { client_id: 'a', send_after: dueLater })
    // The change and the end of the undo period are stored in the order of these calls, before this page reads either.
    const dueAt = Date.now()
    const ended = waitingPings.edit(ann, (pings) => pings.map((ping) => ({ ...ping, send_after: dueAt })))
    await Promise.all([ended, change()])
    expect(waitingPings.items()).toMatchObject([{ client_id: 'a', send_after: dueAt }])
  }
})

test('hiding the page ends the undo periods of its own pins only', async () => {
  const dueLater = Date.now() + 60_000
  await write('mine', { client_id: 'mine', send_after: dueLater })
  await write('of another window', { client_id: 'theirs', send_after: dueLater })
  droppedHere.add('mine')
  const page = Object.assign(new EventTarget(), { visibilityState: 'hidden' })
  vi.stubGlobal('document', page)
  try {
    start()
    page.dispatchEvent(new Event('visibilitychange'))
    await vi.waitFor(() => expect(names()).toEqual(['mine']))
    await vi.waitFor(() => expect(waitingPings.items()).toMatchObject([{ client_id: 'theirs', send_after: dueLater }]))
  } finally {
    for (const sender of senders) sender.stop()
    vi.unstubAllGlobals()
  }
})

test('a one-tap ping that is undone is never sent, and one that is sent can no longer be undone', async () => {
  await write('undone', { client_id: 'a', send_after: Date.now() + 60_000 })
  start()
  expect(await undo(ann, 'a')).toBe(true)
  expect(waitingPings.items()).toEqual([])
  await write('late', { client_id: 'b', send_after: Date.now() })
  await undoPeriodOf('b')
  expect(await undo(ann, 'b')).toBe(false)
  await vi.waitFor(() => expect(names()).toEqual(['late']))
})

test('a one-tap ping that could not be sent waits like any other', async () => {
  answerTo = () => null
  await write('soup', { send_after: Date.now() })
  start()
  await vi.waitFor(() => expect(waitingPings.items()[0]).toMatchObject({ send_after: undefined }))
  expect(notices.map(({ text }) => text)).toEqual(["We'll send your pin when you're back online."])
})

test('a refused ping stays in the queue with the reason and does not block later pings', async () => {
  answerTo = ({ body }) => (body.name === 'one' ? 409 : 201)
  await write('one')
  await write('two')
  start()
  await vi.waitFor(() => expect(names()).toEqual(['one', 'two']))
  await vi.waitFor(() => expect(waitingPings.items()).toHaveLength(1))
  expect(waitingPings.items()).toMatchObject([{ input: { name: 'one' }, refusal: 'This ping has expired.' }])
  expect(notices).toContainEqual({ kind: 'error', text: 'This ping has expired.' })
})

test('an expired ping is not sent', async () => {
  await write('expired', { written_at: Date.now() - 31 * 60_000 })
  await write('in time')
  start()
  await vi.waitFor(() => expect(names()).toEqual(['in time']))
  await vi.waitFor(() => expect(waitingPings.items()).toMatchObject([{ input: { name: 'expired' } }]))
})

test('a chat without a response is created later, and the ping is not created again', async () => {
  answerTo = ({ path }) => (path.startsWith('/messages') ? null : 201)
  await write('one', { wants_chat: true })
  start()
  await vi.waitFor(() => expect(requests.length).toBeGreaterThan(1))
  answerTo = () => 200
  await vi.waitFor(() => {
    wake()
    expect(waitingPings.items()).toEqual([])
  })
  expect(requests.filter(({ path }) => path === '/pings/')).toHaveLength(1)
  expect(requests.at(-1)?.body).toMatchObject({ ping_id: 'id of one', participant_ids: ['b', 'c'] })
})

test('a ping that was deleted on another device before the response is removed from the queue', async () => {
  answerTo = () => 404
  refusal = refusals.ping_not_found.detail
  await write('one')
  start()
  await vi.waitFor(() => expect(waitingPings.items()).toEqual([]))
  expect(notices).toEqual([])
})

test('a ping for a circle that was deleted meanwhile is refused, and stays to be edited', async () => {
  answerTo = () => 404
  refusal = refusals.circle_not_found.detail
  await write('Coffee at Nero')
  start()
  await vi.waitFor(() => expect(waitingPings.items()).toMatchObject([{ refusal }]))
  expect(notices).toEqual([{ kind: 'error', text: refusal }])
})

test('items of one account are neither sent by nor visible to the next account', async () => {
  await write('mine')
  await put(answer('accepted'))
  start()
  for (const sender of senders) sender.stop()
  requests = []
  signIn(bob)
  expect(waitingPings.items()).toEqual([])
  expect(waitingResponses.items()).toEqual([])
  await write('of ann again', {}, ann)
  expect(waitingPings.items()).toEqual([])
  signIn(ann)
  await waitingPings.reread()
  expect(waitingPings.items().map(({ input }) => input.name)).toEqual(['mine'])
  signIn(bob)
  start(bob)
  await write('of bob', {}, bob)
  await vi.waitFor(() => expect(names()).toEqual(['of bob']))
  expect(requests[0]?.token).toBe('Bearer token of bob')
  await clearPersistentQueues({ butOf: bob })
  signIn(ann)
  await waitingPings.reread()
  expect(waitingPings.items()).toEqual([])
})

test('a sender of a former user sends no items of the next user', async () => {
  start(ann)
  signIn(bob)
  await write('of bob', {}, bob)
  wake()
  await waitingPings.reread()
  await new Promise(setImmediate)
  expect(requests).toEqual([])
  expect(waitingPings.items()).toHaveLength(1)
})

test('the last of several responses is sent, also if it is given while another is being sent', async () => {
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
  await vi.waitFor(() => expect(waitingResponses.items()).toEqual([]))
  expect(requests.map(({ body }) => body.response_type)).toEqual(['accepted', 'tentative'])
})

test('a response is sent with the revision that the user saw, and without one if an earlier version stored it', async () => {
  await put({ ...answer('accepted'), revision: 2 })
  await put({ ...answer('declined'), ping_id: 'brunch' as PingId })
  start()
  await vi.waitFor(() => expect(waitingResponses.items()).toEqual([]))
  expect(requests.map(({ body }) => body)).toEqual([
    { ping_id: supper, response_type: 'accepted', revision: 2 },
    { ping_id: 'brunch', response_type: 'declined' },
  ])
})

test('a response to an expired ping is removed from the queue with a notice', async () => {
  answerTo = () => 409
  await put(answer('accepted'))
  start()
  await vi.waitFor(() => expect(waitingResponses.items()).toEqual([]))
  expect(notices).toEqual([{ kind: 'error', text: 'Supper: This ping has expired.' }])
})

test('the place in the answer to a response replaces that of every cached copy', async () => {
  const queryClient = new QueryClient()
  const area: ShownPlace = { latitude: 40.755, longitude: -73.986799, address: null, place_radius_m: 1000 }
  const ping = { id: supper, access: 'invitee', ...area } as InvitedPing
  queryClient.setQueryData(pingsQuery().queryKey, [ping])
  queryClient.setQueryData(pingQuery(supper).queryKey, ping)
  place = { latitude: 40.7589, longitude: -73.9851, address: '1564 Broadway', place_radius_m: null }
  await sendResponse(queryClient, answer('accepted'))
  expect(queryClient.getQueryData(pingsQuery().queryKey)).toEqual([{ ...ping, ...place }])
  expect(queryClient.getQueryData(pingQuery(supper).queryKey)).toEqual({ ...ping, ...place })
  place = undefined
  await sendResponse(queryClient, answer('accepted'))
  expect(queryClient.getQueryData(pingQuery(supper).queryKey)).toMatchObject({ address: '1564 Broadway' })
})

test('an item sent directly stays in the queue without a response and leaves it with one', async () => {
  const item = answer('accepted')
  const request = {
    item,
    owner: ann,
    queue: waitingResponses,
    lock: 'answers',
    put: (answers: readonly WaitingResponse[]) => withWaitingResponse(answers, item),
    send: async () => {
      // The item is stored before it is sent.
      expect(waitingResponses.items()).toEqual([item])
      await sendResponse(new QueryClient(), item)
      return true
    },
  }
  answerTo = () => null
  expect(await sendWithOutbox(request)).toBeNull()
  expect(waitingResponses.items()).toEqual([item])
  answerTo = () => 409
  await expect(sendWithOutbox(request)).rejects.toThrow('This ping has expired.')
  expect(waitingResponses.items()).toEqual([])
  answerTo = () => 200
  expect(await sendWithOutbox(request)).toBe(true)
  expect(waitingResponses.items()).toEqual([])
})

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
