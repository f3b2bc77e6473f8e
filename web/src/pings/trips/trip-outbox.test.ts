import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { InvitedPing } from '@hither/contract/pings.ts'
import type { Trip } from '@hither/contract/trips.ts'
import type { User } from '@hither/contract/users.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { setBaseAddress } from '../../api/base-address.ts'
import { clearStoredSession, storeTokens, storeUser } from '../../api/stored-session.ts'
import { clearPersistentQueues } from '../../outbox/persistent-queue.ts'
import { startSession } from '../../session/session.ts'
import { currentEstimate } from '../../trips/estimation/estimation.ts'
import { type Notice, subscribeToNotices } from '../../ui/notices/notices.ts'
import { pingsQuery } from '../pings.api.ts'
import { findOwnTrip, putOwnTrip } from './own-trips.ts'
import { sendOrQueue } from './send-or-queue.ts'
import { unsentTrips } from './unsent-trips.ts'

interface Asked {
  method: string
  path: string
  body: unknown
}

const viewerId = 'bob' as UserId
const pingId = 'coffee' as PingId
const nowMs = Date.parse('2026-11-21T19:00:00.000Z')
const trip = (arrives_at: string): Trip => ({
  ping_id: pingId,
  user_id: viewerId,
  username: 'bob',
  state: 'en_route',
  arrives_at,
  started_at: '2026-11-21T18:50:00.000Z',
  updated_at: '2026-11-21T18:50:00.000Z',
})
const [before, predicted] = [trip('2026-11-21T19:05:00.000Z'), trip('2026-11-21T19:10:00.000Z')]

let server: Server
let isOnline: boolean
/** How many of the next requests the server answers with an error of its own. */
let serverErrors: number
let requests: Asked[]
let notices: Notice[]
let queryClient: QueryClient
let unsubscribe: () => void

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = await text(request)
    const path = (request.url ?? '').replace(/^\/api/, '')
    if (!isOnline || !path.endsWith('/trip')) return request.socket.destroy()
    requests.push({ method: request.method ?? '', path, body: body === '' ? null : JSON.parse(body) })
    if (serverErrors > 0) {
      serverErrors--
      response.writeHead(503, { 'Content-Type': 'application/json' })
      return response.end('{}')
    }
    const isShare = request.method === 'PUT'
    response.writeHead(isShare ? 200 : 204, { 'Content-Type': 'application/json' })
    return response.end(isShare ? JSON.stringify(predicted) : undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  setBaseAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  startSession()
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

beforeEach(() => {
  vi.useFakeTimers({ now: nowMs, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  isOnline = false
  serverErrors = 0
  requests = []
  notices = []
  unsubscribe = subscribeToNotices((notice) => notices.push(notice))
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const ping = { id: pingId, access: 'invitee', trips: [] as Trip[] } as unknown as InvitedPing
  queryClient.setQueryData(pingsQuery().queryKey, [ping])
  storeTokens({ access_token: 'token', refresh_token: 'refresh', expires_at: nowMs / 1000 + 86_400 })
  storeUser({ id: viewerId, username: 'bob' } as User)
})

afterEach(async () => {
  unsubscribe()
  clearStoredSession()
  await clearPersistentQueues({})
  vi.useRealTimers()
})

const share = (minutes: number, before: Trip | null = null) =>
  sendOrQueue({ kind: 'share', pingId, minutes }, { queryClient, viewerId, before })
const stop = () => sendOrQueue({ kind: 'stop', pingId }, { queryClient, viewerId, before: null })
const shown = () => findOwnTrip(queryClient, pingId, viewerId)

/** Lets time pass in steps of a second, with requests in between. */
async function pass(seconds: number) {
  for (let passed = 0; passed < seconds; passed++) {
    await vi.advanceTimersByTimeAsync(1000)
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  }
}

/** Lets time pass until nothing waits to be sent. */
async function passUntilEmpty(secondsMax: number) {
  for (let passed = 0; passed < secondsMax && unsentTrips.items().length > 0; passed++) await pass(1)
  expect(unsentTrips.items()).toEqual([])
}

/** What the app shows before the server has answered. */
function predict(trip: Trip | null) {
  putOwnTrip(queryClient, pingId, viewerId, trip)
}

test('a start with a network is sent at once and leaves the outbox', async () => {
  isOnline = true
  expect(await share(10)).toEqual(predicted)
  expect(requests).toEqual([{ method: 'PUT', path: '/pings/coffee/trip', body: { eta_minutes: 10 } }])
  expect(unsentTrips.items()).toEqual([])
})

test('a start without a network is sent after a minute with one minute less', async () => {
  predict(predicted)
  expect(await share(10)).toBeNull()
  await pass(50)
  expect(unsentTrips.items()).toHaveLength(1)
  isOnline = true
  await passUntilEmpty(40)
  expect(requests).toEqual([{ method: 'PUT', path: '/pings/coffee/trip', body: { eta_minutes: 9 } }])
  expect(shown()).toEqual(predicted)
  expect(notices).toEqual([])
})

test('a start that waited for two minutes is dropped with a notice, and the former trip is shown again', async () => {
  for (const former of [null, before]) {
    predict(predicted)
    expect(await share(10, former)).toBeNull()
    await pass(119)
    expect(unsentTrips.items()).toHaveLength(1)
    await passUntilEmpty(5)
    expect(shown()).toEqual(former ?? undefined)
  }
  const text = "Your arrival time wasn't shared because you're offline."
  expect(notices.map((notice) => notice.text)).toEqual([text, text])
  isOnline = true
  await pass(60)
  expect(requests).toEqual([])
})

test('only the latest decision without a network is sent, and a stop removes a start', async () => {
  await share(10)
  await share(20)
  expect(unsentTrips.items()).toHaveLength(1)
  await stop()
  expect(unsentTrips.items()).toMatchObject([{ kind: 'stop' }])
  await pass(600)
  expect(unsentTrips.items()).toHaveLength(1)
  isOnline = true
  await passUntilEmpty(60)
  expect(requests).toEqual([{ method: 'DELETE', path: '/pings/coffee/trip', body: null }])
  expect(notices).toEqual([])
})

test('a stop is kept until the server has taken it, however often it fails', async () => {
  isOnline = true
  serverErrors = 8
  predict(null)
  expect(await stop()).toBeNull()
  expect(unsentTrips.items()).toMatchObject([{ kind: 'stop' }])
  await passUntilEmpty(300)
  expect(requests).toHaveLength(9)
  expect(notices).toEqual([])
})

test('a start from the position of the device is estimated, also if it waited for the network', async () => {
  const byCar = { kind: 'share', pingId, minutes: 10, mode: 'drive' } as const
  expect(await sendOrQueue(byCar, { queryClient, viewerId, before: null })).toBeNull()
  expect(currentEstimate()).toBeNull()
  isOnline = true
  await passUntilEmpty(60)
  expect(currentEstimate()).toEqual({ ping_id: pingId, started_at: predicted?.started_at, mode: 'drive' })
})
