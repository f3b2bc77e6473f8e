import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FeedChange } from '@hither/contract/feeds.ts'
import type { GuestId, PingId, RecipientId, UserId } from '@hither/contract/ids.ts'
import type {
  AnonymousPing,
  Guest,
  InvitedPing,
  OwnPing,
  Ping,
  PingResponse,
  PingRow,
  PublicPing,
  ShownPing,
} from '@hither/contract/pings.ts'
import type { Trip } from '@hither/contract/trips.ts'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { setBaseAddress } from '../api/base-address.ts'
import * as images from '../api/images.ts'
import { keepInvalidated } from '../api/keep-invalidated.ts'
import { pingRow as row } from './harness.ts'
import { myPingsQuery, pingQuery, pingsQuery } from './pings.api.ts'
import {
  applyGuestChange,
  applyPingChange,
  applyPingResponseChange,
  applyTripChange,
  responseNotice,
} from './pings.live.ts'

type ChangeOf<T extends FeedChange['table']> = Extract<FeedChange, { table: T }>

const ann = 'ann' as UserId
const bob = 'bob' as UserId
const eve = 'eve' as UserId
const at = '2026-11-21T12:00:00.000Z'

const answer: PingResponse = {
  ping_id: row.id,
  user_id: ann,
  username: 'ann',
  display_name: null,
  response_type: 'accepted',
  revision: 0,
  created_at: at,
  updated_at: at,
}
/** The ping of bob as ann sees it. */
const ping: InvitedPing = {
  ...row,
  access: 'invitee',
  can_respond: true,
  recipients: [{ id: 'r1' as RecipientId, recipient_id: ann, recipient_username: 'ann', recipient_display_name: null }],
  responses: [answer],
  guests: [],
  trips: [],
}
const audience = { circle_ids: [], recipient_ids: [], former_friend_count: 0 }
const own: OwnPing = { ...ping, access: 'owner', can_respond: false, invited_all: true, audience, place_known_by: [] }

let server: Server
/** The paths of all requests of a test. */
let requested: string[]
let reply: { status: number; body: unknown }
let queryClient: QueryClient

beforeAll(async () => {
  server = createServer((request, response) => {
    requested.push(request.url ?? '')
    response.writeHead(reply.status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(reply.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  setBaseAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

beforeEach(() => {
  requested = []
  reply = { status: 200, body: ping }
  queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } })
  queryClient.setQueryData(pingsQuery().queryKey, [])
  queryClient.setQueryData(myPingsQuery().queryKey, [])
})

// Requests of one test must not be counted by the next.
afterEach(() => vi.waitFor(() => expect(queryClient.isFetching()).toBe(0)))

const list = () => queryClient.getQueryData(pingsQuery().queryKey)
const mine = () => queryClient.getQueryData(myPingsQuery().queryKey)
const one = () => queryClient.getQueryData(pingQuery(row.id).queryKey)
const isPageStale = () => queryClient.getQueryState(pingQuery(row.id).queryKey)?.isInvalidated
const isListStale = () => queryClient.getQueryState(pingsQuery().queryKey)?.isInvalidated

/** Caches the list as if the server had sent these pings. */
async function loadList(pings: Ping[]): Promise<Ping[]> {
  await queryClient.query({ ...pingsQuery(), queryFn: () => pings, staleTime: 0 })
  return list() ?? []
}

function cachePing(ping: Ping) {
  queryClient.setQueryData(pingsQuery().queryKey, [ping])
  queryClient.setQueryData(pingQuery(row.id).queryKey, ping)
}

describe('a ping', () => {
  const insert: ChangeOf<'location_pins'> = { table: 'location_pins', eventType: 'INSERT', new: row, old: {} }
  /** Bob has invited ann after the creation. */
  const shownLater: ChangeOf<'location_pins'> = { ...insert, new: { ...row, updated_at: '2026-11-21T12:01:00.000Z' } }
  const renamed: ChangeOf<'location_pins'> = {
    table: 'location_pins',
    eventType: 'UPDATE',
    new: { ...row, name: 'Tea at Nero' },
    old: {},
  }
  const removal: ChangeOf<'location_pins'> = {
    table: 'location_pins',
    eventType: 'DELETE',
    new: {},
    old: { id: row.id },
  }

  test('of a friend is added at once, and only once', () => {
    applyPingChange(queryClient, insert, ann)
    applyPingChange(queryClient, insert, ann)
    expect(list()).toEqual([
      { ...row, access: 'invitee', can_respond: true, recipients: [], responses: [], guests: [], trips: [] },
    ])
    expect(mine()).toEqual([])
  })

  test('that is added leaves every other ping the same object, so that its row does not render again', async () => {
    const others = ['p2', 'p3', 'p4'].map((id) => ({ ...ping, id: id as PingId, name: `Ping ${id}` }))
    const before = await loadList(others)
    applyPingChange(queryClient, insert, ann)
    const after = list() ?? []
    expect(after.map(({ id }) => id)).toEqual(['p1', 'p2', 'p3', 'p4'])
    for (const [index, other] of before.entries()) expect(after[index + 1]).toBe(other)
  })

  test('that is in another order in the next response stays the same object', async () => {
    const others = ['p2', 'p3'].map((id) => ({ ...ping, id: id as PingId, name: `Ping ${id}` }))
    const [first, second] = await loadList(others)
    const response = [
      { ...ping, ...second, name: 'Renamed' },
      { ...ping, ...first },
    ]
    const again = await loadList(response)
    expect(again).toEqual(response)
    expect(again[1]).toBe(first)
    expect(await loadList(structuredClone(response))).toBe(again)
  })

  test('that a friend has just created needs no request', async () => {
    applyPingChange(queryClient, insert, ann)
    expect(list()).toHaveLength(1)
    expect(queryClient.isFetching()).toBe(0)
    await queryClient.query(pingQuery(row.id))
    expect(requested).toEqual(['/api/pings/p1'])
  })

  test('that becomes visible later is completed by one request, and the lists that are shown are not read again', async () => {
    const answered = { ...ping, updated_at: shownLater.new.updated_at }
    reply = { status: 200, body: answered }
    const stops = [
      new QueryObserver(queryClient, pingsQuery()).subscribe(() => undefined),
      new QueryObserver(queryClient, myPingsQuery()).subscribe(() => undefined),
    ]
    applyPingChange(queryClient, shownLater, ann)
    applyPingChange(queryClient, shownLater, ann)
    await vi.waitFor(() => expect(list()).toEqual([answered]))
    expect(requested).toEqual(['/api/pings/p1'])
    expect(isListStale()).toBe(false)
    for (const stop of stops) stop()
  })

  test('with other recipients is requested if only one of its copies is older', async () => {
    const changed = { ...ping, updated_at: shownLater.new.updated_at, recipients: [] }
    reply = { status: 200, body: changed }
    queryClient.setQueryData(pingsQuery().queryKey, [ping])
    queryClient.setQueryData(pingQuery(row.id).queryKey, changed)
    applyPingChange(queryClient, { ...renamed, new: shownLater.new }, ann)
    await vi.waitFor(() => expect(list()).toEqual([changed]))
    expect(requested).toEqual(['/api/pings/p1'])
  })

  test('that cannot be completed marks the lists as stale', async () => {
    reply = { status: 500, body: { detail: 'x' } }
    applyPingChange(queryClient, shownLater, ann)
    await vi.waitFor(() => expect(isListStale()).toBe(true))
    expect(list()).toHaveLength(1)
  })

  test('that is completed leaves a list stale that may have missed other changes', async () => {
    onTestFinished(keepInvalidated(queryClient))
    applyPingChange(queryClient, shownLater, ann)
    await queryClient.invalidateQueries({ ...pingsQuery(), refetchType: 'none' })
    await vi.waitFor(() => expect(list()).toEqual([ping]))
    expect(isListStale()).toBe(true)
  })

  test('that is cached is not requested', async () => {
    cachePing(ping)
    applyPingChange(queryClient, insert, ann)
    expect(isListStale()).toBe(false)
    expect(queryClient.isFetching()).toBe(0)
  })

  test('of the viewer, created on another device, is added to My Pins', () => {
    applyPingChange(queryClient, insert, bob)
    expect(mine()).toMatchObject([{ access: 'owner' }])
    expect(list()).toEqual(mine())
  })

  test('of the viewer, that one of the two lists has is added to the other one', () => {
    for (const { queryKey } of [pingsQuery(), myPingsQuery()]) {
      queryClient.setQueryData(pingsQuery().queryKey, [own])
      queryClient.setQueryData(myPingsQuery().queryKey, [own])
      queryClient.setQueryData<Ping[]>(queryKey, [])
      applyPingChange(queryClient, insert, bob)
      expect(mine()).toEqual([own])
      expect(list()).toEqual([own])
    }
  })

  test('of the viewer that has ended does not return to the list of current pings', () => {
    queryClient.setQueryData(myPingsQuery().queryKey, [own])
    applyPingChange(queryClient, { ...renamed, new: { ...row, status: 'expired' } }, bob)
    expect(list()).toEqual([])
    expect(mine()).toHaveLength(1)
  })

  test('keeps its recipients and responses when its row changes', () => {
    cachePing(ping)
    applyPingChange(queryClient, renamed, ann)
    applyPingChange(queryClient, renamed, ann)
    expect(list()).toEqual([{ ...ping, name: 'Tea at Nero' }])
    expect(one()).toEqual({ ...ping, name: 'Tea at Nero' })
  })

  test('whose recipients may have changed is read again', async () => {
    cachePing({ ...ping, recipients: [] })
    const changed = { ...renamed, new: { ...row, updated_at: '2026-11-21T12:01:00.000Z' } }
    applyPingChange(queryClient, changed, ann)
    await vi.waitFor(() => expect(list()).toEqual([ping]))
    expect(requested).toEqual(['/api/pings/p1'])
  })

  test('whose page alone is cached marks the page as stale if its recipients may have changed', () => {
    queryClient.setQueryData(pingQuery(row.id).queryKey, own)
    const canceled_at = '2026-11-21T12:01:00.000Z'
    const canceled: PingRow = { ...row, status: 'expired', canceled_at, updated_at: canceled_at }
    applyPingChange(queryClient, { ...renamed, new: canceled }, bob)
    expect(one()).toMatchObject({ access: 'owner', status: 'expired', canceled_at })
    expect(isPageStale()).toBe(true)
  })

  test('does not return to an earlier state by a row that arrives late', () => {
    const newer = { ...ping, name: 'Lunch', updated_at: '2026-11-21T12:01:00.000Z' }
    cachePing(newer)
    applyPingChange(queryClient, renamed, ann)
    expect(list()).toEqual([newer])
  })

  test('whose insertion was missed is added by its next change', () => {
    applyPingChange(queryClient, renamed, ann)
    expect(list()).toMatchObject([{ name: 'Tea at Nero' }])
  })

  test('that has expired is not added again', () => {
    applyPingChange(queryClient, { ...renamed, new: { ...row, status: 'expired' } }, ann)
    expect(list()).toEqual([])
  })

  test('that is deleted is removed from every list and marked as deleted on its page', () => {
    cachePing(ping)
    queryClient.setQueryData(myPingsQuery().queryKey, [own])
    applyPingChange(queryClient, removal, bob)
    applyPingChange(queryClient, removal, bob)
    expect(list()).toEqual([])
    expect(mine()).toEqual([])
    expect(one()).toBeNull()
  })

  test('opened with the public link gets no further fields from the feed and is read again', () => {
    const { user_id: _user, user_has_image: _image, message: _message, ...rest } = row
    const { responses_visible: _visible, conversation_id: _conversation, ...visible } = rest
    const visitors: AnonymousPing = {
      ...visible,
      ...{ access: 'visitor', can_respond: false, is_public: true, avatar_color: 0 },
    }
    const strangers: PublicPing = {
      ...row,
      ...{ access: 'link', can_respond: false, is_public: true, guest: null, response_counts: null },
    }
    for (const shown of [visitors, strangers] satisfies ShownPing[]) {
      queryClient.setQueryData(pingQuery(row.id).queryKey, shown)
      applyPingChange(queryClient, renamed, ann)
      expect(one()).toEqual(shown)
      expect(isPageStale()).toBe(true)
    }
    cachePing(ping)
    applyPingChange(queryClient, renamed, ann)
    expect(isPageStale()).toBe(false)
  })

  test('does not create lists that are not cached', () => {
    const fresh = new QueryClient()
    applyPingChange(fresh, insert, ann)
    expect(fresh.getQueryData(pingsQuery().queryKey)).toBeUndefined()
  })
})

describe('a response', () => {
  test('that gives somebody the exact place stays on record for the owner after it is taken back', () => {
    const hidden: OwnPing = { ...own, exact_place_for: 'going', responses: [] }
    const guest: Guest = {
      ...{ id: 'g1' as GuestId, ping_id: own.id, user_id: null, name: 'Mia', response_type: 'accepted' },
      ...{ state: 'waiting', revision: 0, created_at: at, updated_at: at },
    }
    const apply = (
      eventType: 'INSERT' | 'UPDATE',
      response_type: PingResponse['response_type'],
      state: Guest['state'],
    ) => {
      applyPingResponseChange(
        queryClient,
        { table: 'ping_responses', eventType, new: { ...answer, response_type }, old: {} },
        bob,
      )
      applyGuestChange(queryClient, { table: 'ping_guests', eventType, new: { ...guest, state }, old: {} })
    }
    const known = () => (one() as OwnPing).place_known_by
    cachePing(hidden)
    apply('INSERT', 'tentative', 'waiting')
    expect(known()).toEqual([])
    for (const _ of [1, 2]) apply('UPDATE', 'accepted', 'approved')
    const viewers = [
      { user_id: ann, guest_id: null, name: 'ann', first_at: at },
      { user_id: null, guest_id: 'g1', name: 'Mia', first_at: at },
    ]
    expect(known()).toEqual(viewers)
    const taken = { ping_id: own.id, user_id: ann }
    applyPingResponseChange(queryClient, { table: 'ping_responses', eventType: 'DELETE', new: {}, old: taken }, bob)
    applyGuestChange(queryClient, { table: 'ping_guests', eventType: 'DELETE', new: {}, old: { id: guest.id } })
    expect(known()).toEqual(viewers)
    cachePing({ ...hidden, exact_place_for: 'everyone' })
    apply('UPDATE', 'accepted', 'approved')
    expect(known()).toEqual([])
  })

  const coming: ChangeOf<'ping_responses'> = { table: 'ping_responses', eventType: 'INSERT', new: answer, old: {} }

  test('is added once, and a changed one replaces it', () => {
    cachePing({ ...ping, responses: [] })
    applyPingResponseChange(queryClient, coming, bob)
    applyPingResponseChange(queryClient, coming, bob)
    expect(list()?.[0]?.responses).toEqual([answer])

    const changed = { ...answer, response_type: 'declined' as const }
    applyPingResponseChange(queryClient, { ...coming, eventType: 'UPDATE', new: changed }, bob)
    expect(list()?.[0]?.responses).toEqual([changed])
    expect(one()).toMatchObject({ responses: [changed] })
  })

  test('that is removed leaves the responses of others', () => {
    const eves = { ...answer, user_id: eve, username: 'eve' }
    cachePing({ ...ping, responses: [answer, eves] })
    const taken: ChangeOf<'ping_responses'> = {
      table: 'ping_responses',
      eventType: 'DELETE',
      new: {},
      old: { ping_id: row.id, user_id: ann },
    }
    applyPingResponseChange(queryClient, taken, bob)
    applyPingResponseChange(queryClient, taken, bob)
    expect(list()?.[0]?.responses).toEqual([eves])
  })

  test('to a ping that is not cached changes nothing', () => {
    applyPingResponseChange(queryClient, coming, bob)
    expect(list()).toEqual([])
  })
})

test('the live row of an own new ping replaces its temporary ping and no other', () => {
  const temporary: OwnPing = { ...own, id: 'temp-1' as PingId, recipients: [], responses: [] }
  const elsewhere = { ...temporary, id: 'temp-2' as PingId, latitude: 41 }
  queryClient.setQueryData(pingsQuery().queryKey, [temporary, elsewhere])
  applyPingChange(queryClient, { table: 'location_pins', eventType: 'INSERT', new: row, old: {} }, bob)
  expect(list()?.map(({ id }) => id)).toEqual([row.id, 'temp-2'])
})

test('a changed row refetches the image, because the image may have been replaced', () => {
  const refresh = vi.spyOn(images, 'refreshPingImage').mockResolvedValue()
  const change = { table: 'location_pins', eventType: 'UPDATE', new: { ...row, has_image: true }, old: {} } as const
  applyPingChange(queryClient, change, ann)
  expect(refresh.mock.calls).toEqual([[row.id]])
  applyPingChange(queryClient, { ...change, new: row }, ann)
  expect(refresh).toHaveBeenCalledTimes(1)
})

test('the owner of a ping reads each new response of a friend once, and nobody else does', async () => {
  const change = (response: Partial<PingResponse>): ChangeOf<'ping_responses'> => ({
    table: 'ping_responses',
    eventType: 'INSERT',
    new: { ...answer, ...response },
    old: {},
  })
  const going = change({})
  cachePing({ ...ping, responses: [] })
  expect(await responseNotice(queryClient, going, eve)).toBeNull()

  cachePing({ ...own, responses: [] })
  expect(await responseNotice(queryClient, going, bob)).toBe('ann is going')
  expect(await responseNotice(queryClient, change({ response_type: 'tentative' }), bob)).toBe('ann might come')
  expect(await responseNotice(queryClient, change({ response_type: 'declined' }), bob)).toBe("ann can't make it")
  expect(await responseNotice(queryClient, going, ann)).toBeNull()
  expect(await responseNotice(queryClient, { ...going, eventType: 'DELETE', new: {}, old: answer }, bob)).toBeNull()

  applyPingResponseChange(queryClient, going, bob)
  expect(await responseNotice(queryClient, going, bob)).toBeNull()
  cachePing({ ...ping, responses: [] })
  expect(await responseNotice(queryClient, going, eve)).toBeNull()
  for (const { queryKey } of [pingsQuery(), myPingsQuery()]) queryClient.setQueryData(queryKey, [])
  expect(await responseNotice(queryClient, going, bob)).toBeNull()
})

test('a guest is added, replaced and removed in every cached copy, each time with the effect of once', () => {
  queryClient.setQueryData(myPingsQuery().queryKey, [own])
  queryClient.setQueryData(pingQuery(own.id).queryKey, own)
  const guest: Guest = {
    ...{ id: 'g1' as GuestId, ping_id: own.id, user_id: null, name: 'Mia', response_type: 'accepted' },
    ...{ state: 'waiting', revision: 0, created_at: at, updated_at: at },
  }
  const approved: Guest = { ...guest, state: 'approved' }
  const steps: [ChangeOf<'ping_guests'>, Guest[]][] = [
    [{ table: 'ping_guests', eventType: 'INSERT', new: guest, old: {} }, [guest]],
    [{ table: 'ping_guests', eventType: 'UPDATE', new: approved, old: { id: guest.id } }, [approved]],
    [{ table: 'ping_guests', eventType: 'DELETE', new: {}, old: { id: guest.id } }, []],
  ]
  for (const [change, guests] of steps) {
    for (const _ of [1, 2]) applyGuestChange(queryClient, change)
    expect(queryClient.getQueryData(myPingsQuery().queryKey)).toEqual([{ ...own, guests }])
    expect(queryClient.getQueryData(pingQuery(own.id).queryKey)).toEqual({ ...own, guests })
  }
})

test('a trip is added, replaced and removed in every cached copy, sorted by arrival, each time with the effect of once', () => {
  queryClient.setQueryData(myPingsQuery().queryKey, [own])
  queryClient.setQueryData(pingQuery(own.id).queryKey, own)
  const minuteOf = (minute: number) => `2026-11-21T12:${minute}:00.000Z`
  const first: Trip = {
    ...{ ping_id: own.id, user_id: ann, username: 'ann', state: 'en_route' },
    ...{ arrives_at: minuteOf(20), started_at: at, updated_at: at },
  }
  const other: Trip = { ...first, user_id: 'cat' as UserId, username: 'cat', arrives_at: minuteOf(15) }
  const later: Trip = { ...other, arrives_at: minuteOf(25) }
  const old = { ping_id: own.id, user_id: ann }
  const steps: [ChangeOf<'ping_trips'>, Trip[]][] = [
    [{ table: 'ping_trips', eventType: 'INSERT', new: first, old: {} }, [first]],
    [{ table: 'ping_trips', eventType: 'INSERT', new: other, old: {} }, [other, first]],
    [
      { table: 'ping_trips', eventType: 'UPDATE', new: later, old: { ping_id: own.id, user_id: later.user_id } },
      [first, later],
    ],
    [{ table: 'ping_trips', eventType: 'DELETE', new: {}, old }, [later]],
  ]
  for (const [change, trips] of steps) {
    for (const _ of [1, 2]) applyTripChange(queryClient, change)
    expect(queryClient.getQueryData(myPingsQuery().queryKey)).toEqual([{ ...own, trips }])
    expect(queryClient.getQueryData(pingQuery(own.id).queryKey)).toEqual({ ...own, trips })
  }
})
