import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { OwnPing } from '@hither/contract/pings.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clientConfigQuery } from '../../api/client-config.ts'
import type { PersistentQueue } from '../../outbox/persistent-queue.ts'
import { pingRow } from '../harness.ts'
import { myPingsQuery, pingQuery } from '../pings.api.ts'
import { markDeleted, removeFromLists } from '../pings.cache.ts'
import { clearSuggestions, rememberRemoval } from '../suggestions/stored-suggestions.ts'
import type { PinRecord } from './pin-records.rules.ts'

const stored = vi.hoisted(() => ({ items: [] as readonly unknown[] }))
vi.mock('./pin-records.ts', () => ({
  pinRecords: {
    items: () => stored.items as readonly PinRecord[],
    subscribe: () => () => {},
    reread: async () => {},
    edit: async (_owner, change) => {
      stored.items = change(stored.items as readonly PinRecord[])
    },
  } satisfies PersistentQueue<PinRecord>,
}))
const { watchPinRecords } = await import('./watch-pin-records.ts')

const owner = 'ann' as UserId
const hourMs = 3_600_000
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const pinOf = (id: string, change: Partial<OwnPing> = {}) =>
  ({
    ...pingRow,
    id: id as PingId,
    access: 'owner',
    created_at: inMs(-hourMs),
    expires_at: inMs(hourMs),
    updated_at: inMs(-hourMs),
    place_radius_m: null,
    invited_all: true,
    audience: { circle_ids: [], recipient_ids: [], former_friend_count: 0 },
    place_known_by: [],
    recipients: [],
    responses: [],
    guests: [],
    trips: [],
    ...change,
  }) as OwnPing
const idsOf = () => (stored.items as readonly PinRecord[]).map(({ ping_id }) => ping_id).sort()

let queryClient: QueryClient
let stop: () => void

beforeEach(async () => {
  stored.items = []
  queryClient = new QueryClient()
  queryClient.setQueryData(clientConfigQuery().queryKey, { erasure: { place_hours: 24, ping_days: 7 } } as never)
  queryClient.setQueryData(myPingsQuery().queryKey, [pinOf('first')])
  stop = await watchPinRecords(queryClient, owner)
})
afterEach(() => stop())

const setMine = (...pins: OwnPing[]) => queryClient.setQueryData(myPingsQuery().queryKey, pins)

test('own pins with their exact places are recorded, those of the cache and those that follow', () => {
  expect(idsOf()).toEqual(['first'])
  setMine(pinOf('second'), pinOf('first'), pinOf('erased', { place_radius_m: 1000 }), pinOf('temp-third'))
  queryClient.setQueryData(pingQuery('opened' as PingId).queryKey, pinOf('opened'))
  expect(idsOf()).toEqual(['first', 'opened', 'second'])
})

test('pins from before the records were removed are not recorded again', () => {
  rememberRemoval(owner, Date.now() - hourMs / 2)
  stored.items = []
  setMine(pinOf('first'), pinOf('newer', { created_at: inMs(-60_000) }))
  expect(idsOf()).toEqual(['newer'])
  clearSuggestions({ of: owner })
})

test('the pins of others are not recorded', () => {
  const invited = { ...pinOf('of a friend'), access: 'invitee' } as unknown as OwnPing
  queryClient.setQueryData(pingQuery(invited.id).queryKey, invited)
  expect(idsOf()).toEqual(['first'])
})

test.each([
  { how: 'deleted in the lists', remove: () => removeFromLists(queryClient, 'first' as PingId) },
  { how: 'missing in the list of the server', remove: () => setMine() },
])('the record of a pin that is $how before its place is erased is deleted', ({ remove }) => {
  remove()
  expect(idsOf()).toEqual([])
})

test('the record of a pin whose page shows that it is deleted is deleted', () => {
  const id = 'opened' as PingId
  queryClient.setQueryData(pingQuery(id).queryKey, pinOf(id))
  markDeleted(queryClient, id)
  expect(idsOf()).toEqual(['first'])
})

test('the record stays after the place is erased, also when the pin is deleted then', () => {
  setMine(pinOf('first', { place_radius_m: 1000, latitude: 1, longitude: 2 }))
  setMine()
  expect(stored.items).toMatchObject([{ ping_id: 'first', latitude: pingRow.latitude }])
})

test('the record stays when the pin is gone after its retention time', () => {
  setMine(pinOf('first', { expires_at: inMs(-7 * 24 * hourMs - 1000) }))
  setMine()
  expect(idsOf()).toEqual(['first'])
})
