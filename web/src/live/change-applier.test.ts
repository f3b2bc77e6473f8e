import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FeedChange } from '@hither/contract/feeds.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import { setBaseAddress } from '../api/base-address.ts'
import { summariesQuery } from '../chat/chat.api.ts'
import { refetchOutdatedList } from '../chat/chat.cache.ts'
import { friendsQuery } from '../friends/friends.api.ts'
import { pingRow as row } from '../pings/harness.ts'
import { myPingsQuery, pingsQuery } from '../pings/pings.api.ts'
import { type ChangeApplier, createChangeApplier, refetchFailedAfterMs } from './change-applier.ts'

const [ann, bob, eve] = ['ann', 'bob', 'eve'] as UserId[] as [UserId, UserId, UserId]
const { queryKey } = friendsQuery()

function friend(user_id: UserId, is_online: boolean) {
  return { id: `with ${user_id}`, user_id, username: user_id, has_image: false, is_online, created_at: '' }
}

function presence(id: UserId, is_online: boolean): FeedChange {
  const row = { id, username: id, has_image: false }
  const change = { table: 'users', eventType: 'UPDATE', new: { ...row, is_online }, old: row }
  return change as unknown as FeedChange
}

let queryClient: QueryClient
let changes: ChangeApplier
let respond: (friends: unknown) => void
let isLive: boolean

beforeEach(() => {
  isLive = true
  queryClient = new QueryClient()
  changes = createChangeApplier(queryClient, ann, () => isLive)
})

/** Starts a request whose response the test gives with `respond`. */
function request(): Promise<unknown> {
  const queryFn = () =>
    new Promise((resolve) => {
      respond = resolve
    })
  return queryClient.fetchQuery({ queryKey: [...queryKey], queryFn, staleTime: 0 })
}

/** Shows the list until the end of the test. Returns the functions that respond to its requests, in their order. */
function showFriends(): readonly ((friends: unknown) => void)[] {
  const responses: ((friends: unknown) => void)[] = []
  const queryFn = () => new Promise((resolve) => responses.push(resolve))
  onTestFinished(new QueryObserver(queryClient, { queryKey: [...queryKey], queryFn }).subscribe(() => undefined))
  return responses
}

const online = () =>
  (queryClient.getQueryData(queryKey) ?? []).filter(({ is_online }) => is_online).map(({ user_id }) => user_id)

it('a change that arrives during a request survives an older response', async () => {
  const first = request()
  changes.apply(presence(bob, true))
  respond([friend(bob, false), friend(eve, false)])
  await first
  expect(online()).toEqual([bob])

  const second = request()
  changes.apply(presence(bob, false))
  changes.apply(presence(eve, true))
  expect(online()).toEqual([eve])
  respond([friend(bob, true), friend(eve, false)])
  await second
  expect(online()).toEqual([eve])
})

it('a change from before a request does not overwrite the newer response', async () => {
  const first = request()
  changes.apply(presence(bob, true))
  respond([friend(bob, false)])
  await first
  const second = request()
  respond([friend(bob, false)])
  await second
  expect(online()).toEqual([])
})

it('a first request that was running when changes were missed is followed by another', async () => {
  const responses = showFriends()
  changes.refetchAll()
  responses[0]?.([friend(bob, false)])
  await vi.waitFor(() => expect(responses).toHaveLength(2))
  responses[1]?.([friend(bob, true)])
  await vi.waitFor(() => expect(online()).toEqual([bob]))
  expect(queryClient.isFetching()).toBe(0)
  expect(responses).toHaveLength(2)
})

it('a first read that fails makes its attempts once, also if changes were missed meanwhile', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const queryFn = vi.fn(async () => Promise.reject(new ApiError(503, '')))
  const options = { queryKey: [...queryKey], queryFn, retry: 2 }
  onTestFinished(new QueryObserver(queryClient, options).subscribe(() => undefined))
  changes.refetchAll()
  await vi.advanceTimersByTimeAsync(3000)
  expect(queryClient.getQueryState(queryKey)?.status).toBe('error')
  await vi.advanceTimersByTimeAsync(4 * refetchFailedAfterMs)
  expect(queryFn).toHaveBeenCalledTimes(3)
})

it('a repeated request that was running when changes were missed is replaced by one other', async () => {
  queryClient.setQueryData(queryKey, [], { updatedAt: 1 })
  const responses = showFriends()
  changes.refetchAll()
  await vi.waitFor(() => expect(responses).toHaveLength(2))
  responses[1]?.([friend(bob, true)])
  await vi.waitFor(() => expect(online()).toEqual([bob]))
  responses[0]?.([friend(bob, false)])
  expect(online()).toEqual([bob])
  expect(responses).toHaveLength(2)
})

describe('data on the screen that could not be read again', () => {
  const unavailable = new ApiError(503, '')

  /** Shows the list, whose requests fail as long as `failures` has errors. Returns how many requests there were. */
  function showFailing(failures: unknown[]): () => number {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    queryClient.setQueryData(queryKey, [])
    let count = 0
    const queryFn = () => {
      count++
      const failure = failures.shift()
      return failure === undefined ? Promise.resolve([friend(bob, true)]) : Promise.reject(failure)
    }
    const options = { queryKey: [...queryKey], queryFn, retry: false, staleTime: 60_000 }
    onTestFinished(new QueryObserver(queryClient, options).subscribe(() => undefined))
    return () => count
  }

  it('is requested again until a response arrives, also if a change is written to it meanwhile', async () => {
    const count = showFailing([unavailable, unavailable])
    changes.refetchAll()
    await vi.advanceTimersByTimeAsync(0)
    queryClient.setQueryData(queryKey, (friends) => friends && [...friends])
    await vi.advanceTimersByTimeAsync(refetchFailedAfterMs)
    expect(count()).toBe(2)
    expect(online()).toEqual([])
    await vi.advanceTimersByTimeAsync(refetchFailedAfterMs)
    expect(online()).toEqual([bob])
    await vi.advanceTimersByTimeAsync(4 * refetchFailedAfterMs)
    expect(count()).toBe(3)
  })

  it('is not requested without a connection, and once there is one', async () => {
    const count = showFailing([unavailable])
    isLive = false
    changes.refetchAll()
    await vi.advanceTimersByTimeAsync(4 * refetchFailedAfterMs)
    expect(count()).toBe(1)
    changes.refetchFailed()
    await vi.advanceTimersByTimeAsync(0)
    expect(online()).toEqual([bob])
  })

  it('is not requested again if the server refuses it', async () => {
    const count = showFailing([new ApiError(403, 'Not yours')])
    changes.refetchAll()
    await vi.advanceTimersByTimeAsync(4 * refetchFailedAfterMs)
    expect(count()).toBe(1)
  })
})

it('a request that was running before the live connection started is covered', async () => {
  const early = request()
  changes.stop()
  changes = createChangeApplier(queryClient, ann, () => isLive)
  changes.apply(presence(bob, true))
  respond([friend(bob, false)])
  await early
  expect(online()).toEqual([bob])
})

it('a query that may have missed changes needs a response, whatever is written to it or canceled before', async () => {
  const isOutdated = () => queryClient.getQueryState(queryKey)?.isInvalidated
  queryClient.setQueryData(queryKey, [])
  changes.refetchAll()
  expect(isOutdated()).toBe(true)
  queryClient.setQueryData(queryKey, (friends) => friends)
  expect(isOutdated()).toBe(true)

  const canceled = request().catch(() => undefined)
  changes.apply(presence(bob, true))
  await queryClient.cancelQueries({ queryKey })
  await canceled
  expect(isOutdated()).toBe(true)

  const next = request()
  respond([])
  await next
  expect(isOutdated()).toBe(false)
})

it('a list of conversations that may have missed changes is read again after its read was canceled', async () => {
  const { queryKey } = summariesQuery()
  const responses: ((summaries: never[]) => void)[] = []
  const queryFn = () => new Promise<never[]>((resolve) => responses.push(resolve))
  queryClient.setQueryData(queryKey, [])
  const list = new QueryObserver<unknown>(queryClient, { queryKey: [...queryKey], queryFn, staleTime: 60_000 })
  onTestFinished(list.subscribe(() => undefined))
  changes.refetchAll()
  await vi.waitFor(() => expect(responses).toHaveLength(1))

  // As marking as read, pinning and archiving do.
  await queryClient.cancelQueries({ queryKey })
  refetchOutdatedList(queryClient)
  await vi.waitFor(() => expect(responses).toHaveLength(2))
  responses[1]?.([])
  await vi.waitFor(() => expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(false))
  refetchOutdatedList(queryClient)
  expect(queryClient.isFetching()).toBe(0)
})

/** Serves every request with this JSON until the end of the test. */
async function serve(json: () => unknown) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(json()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  setBaseAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

it('a new pin of the viewer survives an older response to one of the two lists that have it', async () => {
  const own = { ...row, user_id: ann }
  await serve(() => ({ ...own, access: 'owner', recipients: [], responses: [], guests: [], trips: [] }))
  for (const query of [pingsQuery(), myPingsQuery()]) {
    for (const { queryKey } of [pingsQuery(), myPingsQuery()]) queryClient.setQueryData(queryKey, [])
    let respondWith: (pings: never[]) => void = () => undefined
    const queryFn = () =>
      new Promise<never[]>((resolve) => {
        respondWith = resolve
      })
    const older = queryClient.fetchQuery<unknown>({ queryKey: [...query.queryKey], queryFn, staleTime: 0 })
    changes.apply({ table: 'location_pins', eventType: 'INSERT', new: own, old: {} })
    // Only the older request is still running.
    await vi.waitFor(() => expect(queryClient.isFetching()).toBe(1))
    respondWith([])
    await older
    for (const { queryKey } of [pingsQuery(), myPingsQuery()])
      expect(queryClient.getQueryData(queryKey)).toMatchObject([{ id: 'p1', access: 'owner' }])
  }
})

it.each([
  ['deleted', []],
  ['renamed', ['Tea at Nero']],
])(
  'leaves a pin that became visible %s if that happened during the request for its other fields',
  async (change, names) => {
    // Shown to ann after its creation.
    const shown = { ...row, updated_at: '2026-11-21T12:01:00.000Z' }
    await serve(() => {
      changes.apply(
        change === 'deleted'
          ? { table: 'location_pins', eventType: 'DELETE', new: {}, old: { id: row.id } }
          : { table: 'location_pins', eventType: 'UPDATE', new: { ...shown, name: 'Tea at Nero' }, old: {} },
      )
      return { ...shown, access: 'invitee', recipients: [{ recipient_id: ann }], responses: [] }
    })
    for (const { queryKey } of [pingsQuery(), myPingsQuery()]) queryClient.setQueryData(queryKey, [])

    changes.apply({ table: 'location_pins', eventType: 'INSERT', new: shown, old: {} })
    const cached = () => queryClient.getQueryData(pingsQuery().queryKey) ?? []
    await vi.waitFor(() => expect(cached().every(({ recipients }) => recipients.length === 1)).toBe(true))
    await vi.waitFor(() => expect(cached().map(({ name }) => name)).toEqual(names))
  },
)
