import type { ShownPlace } from '@hither/contract/areas.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { InvitedPing, OwnPing, PublicPing, ShownPing } from '@hither/contract/pings.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { clientConfigQuery } from '../../api/client-config.ts'
import { keepInvalidated } from '../../api/keep-invalidated.ts'
import { pingRow } from '../harness.ts'
import { myPingsQuery, pingQuery, pingsQuery } from '../pings.api.ts'
import { applyPingChange } from '../pings.live.ts'
import { hideDuePlaces } from './due-places.ts'
import { watchHiddenPlaces } from './hidden-places.ts'

const exact: ShownPlace = {
  latitude: 40.758912,
  longitude: -73.985123,
  address: '1564 Broadway',
  place_radius_m: null,
}
const area: ShownPlace = {
  latitude: 40.755,
  longitude: -73.986799,
  address: 'near Hoboken, New Jersey, US',
  place_radius_m: 1000,
}
const exactDigits = /758912|985123|1564/
const minuteMs = 60_000
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

const shown = {
  ...pingRow,
  ...exact,
  created_at: inMs(-minuteMs),
  expires_at: inMs(30 * minuteMs),
  is_public: true,
  guest_policy: 'open',
  can_respond: true,
  exact_place_for: 'going',
  updated_at: inMs(-minuteMs),
} as const
const invited: InvitedPing = { ...shown, access: 'invitee', recipients: [], responses: [], guests: [], trips: [] }
const linked: PublicPing = { ...shown, access: 'link', guest: null, response_counts: null }
const audience = { circle_ids: [], recipient_ids: [], former_friend_count: 0 }
const own: OwnPing = {
  ...invited,
  access: 'owner',
  can_respond: false,
  invited_all: true,
  audience,
  place_known_by: [],
}

let queryClient: QueryClient
let stop: () => void

beforeEach(() => {
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  stop = watchHiddenPlaces(queryClient)
})
afterEach(() => stop())

const one = () => queryClient.getQueryData(pingQuery(shown.id).queryKey)
const list = () => queryClient.getQueryData(pingsQuery().queryKey)
const stored = () =>
  JSON.stringify(
    queryClient
      .getQueryCache()
      .getAll()
      .map(({ state }) => state.data),
  )

/** Reads a query whose response is `data`. */
const read = (query: { queryKey: readonly unknown[] }, data: unknown) =>
  queryClient.query({ queryKey: query.queryKey, queryFn: () => data, staleTime: 0 })

function store(ping: ShownPing) {
  queryClient.setQueryData(pingsQuery().queryKey, ping.access === 'invitee' ? [ping] : [])
  queryClient.setQueryData(pingQuery(ping.id).queryKey, ping)
}

test('a live change that removes the exact place overwrites all copies', () => {
  store(invited)
  const { access: _a, can_respond: _c, recipients: _r, responses: _s, guests: _g, ...row } = { ...invited, ...area }
  applyPingChange(queryClient, { table: 'location_pins', eventType: 'UPDATE', new: row, old: {} }, 'ann' as UserId)
  expect(one()).toMatchObject(area)
  expect(list()).toMatchObject([area])
  expect(stored()).not.toMatch(exactDigits)
})

test('a page that is read without the exact place overwrites the copy of the list, and the other way round', async () => {
  store(invited)
  await read(pingQuery(shown.id), { ...invited, ...area })
  expect(list()).toMatchObject([area])
  store(invited)
  await read(pingsQuery(), [{ ...invited, ...area }])
  expect(one()).toMatchObject(area)
  expect(stored()).not.toMatch(exactDigits)
})

test('a list that must be read again must still be read again after its copy was overwritten', async () => {
  onTestFinished(keepInvalidated(queryClient))
  store(invited)
  await queryClient.invalidateQueries({ queryKey: pingsQuery().queryKey })
  await read(pingQuery(shown.id), { ...invited, ...area })
  expect(queryClient.getQueryState(pingsQuery().queryKey)?.isInvalidated).toBe(true)
})

test('the place of a ping that the viewer no longer sees becomes its area', async () => {
  store(invited)
  await read(pingsQuery(), [])
  expect(one()).toMatchObject({ ...area, address: null })
  store(invited)
  await read(pingQuery(shown.id), null)
  expect(list()).toEqual([])
  expect(stored()).not.toMatch(exactDigits)
})

test('the place of a ping that has ended becomes its area, also with the public link', async () => {
  store({ ...linked, expires_at: inMs(-1) })
  await read(pingsQuery(), [])
  expect(one()).toMatchObject({ ...area, address: null })
})

test.each([
  { which: 'of the owner', ping: own },
  { which: 'with the public link before the end', ping: linked },
  { which: 'that everyone sees exactly', ping: { ...invited, exact_place_for: 'everyone' } as const },
])('a copy $which stays exact', async ({ ping }) => {
  store(ping)
  queryClient.setQueryData(myPingsQuery().queryKey, [own])
  await read(pingsQuery(), [])
  expect(one()).toMatchObject(exact)
  expect(queryClient.getQueryData(myPingsQuery().queryKey)).toMatchObject([exact])
})

test('responses that came before the watch began count, and stored data of an earlier session does not', async () => {
  stop()
  store(invited)
  queryClient.setQueryData(pingsQuery().queryKey, [{ ...invited, ...area }])
  await queryClient.invalidateQueries({ queryKey: pingsQuery().queryKey, refetchType: 'none' })
  stop = watchHiddenPlaces(queryClient)
  expect(one()).toMatchObject(exact)
  stop()
  queryClient.setQueryData(pingsQuery().queryKey, [{ ...invited, ...area }])
  stop = watchHiddenPlaces(queryClient)
  expect(one()).toMatchObject(area)
})

const hourMs = 60 * minuteMs

describe('the exact place of an ended ping', () => {
  const ended = { ...own, exact_place_for: 'everyone', expires_at: inMs(-24 * hourMs - 1) } as const

  function store(ping: OwnPing) {
    queryClient.setQueryData(clientConfigQuery().queryKey, { erasure: { place_hours: 24, ping_days: 7 } } as never)
    queryClient.setQueryData(myPingsQuery().queryKey, [ping])
    queryClient.setQueryData(pingQuery(ping.id).queryKey, ping)
  }
  const mine = () => queryClient.getQueryData(myPingsQuery().queryKey)

  test('becomes its area in all copies when it is due, without a network', () => {
    store(ended)
    hideDuePlaces(queryClient)
    expect(mine()).toMatchObject([{ ...area, address: null }])
    expect(one()).toMatchObject({ ...area, address: null })
    expect(stored()).not.toMatch(exactDigits)
  })

  test('becomes its area while the app is open', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    stop()
    stop = watchHiddenPlaces(queryClient)
    store({ ...ended, expires_at: inMs(-24 * hourMs + 30_000) })
    expect(mine()).toMatchObject([exact])
    vi.advanceTimersByTime(60_000)
    expect(mine()).toMatchObject([{ ...area, address: null }])
  })

  test('stays until it is due, and on a server that erases no places', () => {
    store({ ...ended, expires_at: inMs(-24 * hourMs + minuteMs) })
    hideDuePlaces(queryClient)
    expect(mine()).toMatchObject([exact])
    store(ended)
    queryClient.setQueryData(clientConfigQuery().queryKey, {} as never)
    hideDuePlaces(queryClient)
    expect(mine()).toMatchObject([exact])
  })

  test('does not return with a row or a response that was sent before its erasure', async () => {
    const lately = { ...ended, expires_at: inMs(-minuteMs) }
    store(lately)
    const row = (place: ShownPlace) => {
      const {
        access: _a,
        can_respond: _c,
        recipients: _r,
        responses: _s,
        guests: _g,
        ...fields
      } = { ...lately, ...place }
      return { table: 'location_pins', eventType: 'UPDATE', new: { ...fields, status: 'expired' }, old: {} } as const
    }
    applyPingChange(queryClient, row(area), lately.user_id)
    applyPingChange(queryClient, row(exact), lately.user_id)
    expect(mine()).toMatchObject([area])
    await read(myPingsQuery(), [lately])
    expect(mine()).toMatchObject([area])
    await read(pingQuery(lately.id), lately)
    expect(stored()).not.toMatch(exactDigits)
  })
})
