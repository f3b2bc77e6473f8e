import { type FeedChange } from '@hither/contract/feeds.ts'
import { type PingId, type RecipientId, type UserId } from '@hither/contract/ids.ts'
import { type AnonymousPing, type Ping, type PingResponse, type PingRow } from '@hither/contract/pings.ts'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import * as images from '../api/images.ts'
import { myPingsQuery, pingQuery, pingsQuery } from './pings.api.ts'
import { applyPingChange, applyPingResponseChange } from './pings.live.ts'

type ChangeOf<T extends FeedChange['table']> = Extract<FeedChange, { table: T }>

const ann = 'ann' as UserId
const bob = 'bob' as UserId
const eve = 'eve' as UserId
const at = '2026-11-21T12:00:00.000Z'

const row: PingRow = {
  id: 'p1' as PingId,
  user_id: bob,
  username: 'bob',
  user_has_image: false,
  name: 'Coffee at Nero',
  latitude: 40.7589,
  longitude: -73.9851,
  created_at: at,
  activates_at: null,
  expires_at: '2026-11-21T12:30:00.000Z',
  message: null,
  has_image: false,
  status: 'active',
  address: null,
  is_public: false,
  responses_visible: true,
  conversation_id: null,
}
const answer: PingResponse = {
  ping_id: row.id,
  user_id: ann,
  username: 'ann',
  response_type: 'accepted',
  created_at: at,
  updated_at: at,
}
const ping: Ping = {
  ...row,
  recipients: [{ id: 'r1' as RecipientId, recipient_id: ann, recipient_username: 'ann' }],
  responses: [answer],
}

let queryClient: QueryClient

beforeEach(() => {
  queryClient = new QueryClient()
  queryClient.setQueryData(pingsQuery().queryKey, [])
  queryClient.setQueryData(myPingsQuery().queryKey, [])
})

const list = () => queryClient.getQueryData(pingsQuery().queryKey)
const mine = () => queryClient.getQueryData(myPingsQuery().queryKey)
const one = () => queryClient.getQueryData(pingQuery(row.id).queryKey)
const isListStale = () => queryClient.getQueryState(pingsQuery().queryKey)?.isInvalidated

function hold(held: Ping) {
  queryClient.setQueryData(pingsQuery().queryKey, [held])
  queryClient.setQueryData(pingQuery(row.id).queryKey, held)
}

describe('a ping', () => {
  const insert: ChangeOf<'location_pins'> = { table: 'location_pins', eventType: 'INSERT', new: row, old: {} }
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

  test('of a friend appears at once, and only once', () => {
    applyPingChange(queryClient, insert, ann)
    applyPingChange(queryClient, insert, ann)
    expect(list()).toEqual([{ ...row, recipients: [], responses: [] }])
    expect(mine()).toEqual([])
  })

  test('that is new is read again, for its row names no guests', () => {
    applyPingChange(queryClient, insert, ann)
    expect(isListStale()).toBe(true)
  })

  test('that is known already is not read again', () => {
    hold(ping)
    applyPingChange(queryClient, insert, ann)
    expect(isListStale()).toBe(false)
  })

  test('of my own, made on another device, joins My Pins too', () => {
    applyPingChange(queryClient, insert, bob)
    expect(mine()).toHaveLength(1)
    expect(list()).toHaveLength(1)
  })

  test('keeps its guests and their answers when its row changes', () => {
    hold(ping)
    applyPingChange(queryClient, renamed, ann)
    applyPingChange(queryClient, renamed, ann)
    expect(list()).toEqual([{ ...ping, name: 'Tea at Nero' }])
    expect(one()).toEqual({ ...ping, name: 'Tea at Nero' })
  })

  test('whose insertion was missed appears with its next change', () => {
    applyPingChange(queryClient, renamed, ann)
    expect(list()).toMatchObject([{ name: 'Tea at Nero' }])
  })

  test('that is over does not appear anew', () => {
    applyPingChange(queryClient, { ...renamed, new: { ...row, status: 'expired' } }, ann)
    expect(list()).toEqual([])
  })

  test('that is deleted leaves every list, and its page says so', () => {
    hold(ping)
    queryClient.setQueryData(myPingsQuery().queryKey, [ping])
    applyPingChange(queryClient, removal, ann)
    applyPingChange(queryClient, removal, ann)
    expect(list()).toEqual([])
    expect(mine()).toEqual([])
    expect(one()).toBeNull()
  })

  test('opened as a visitor learns nothing more from the feed', () => {
    const { id, name, username, latitude, longitude, address, created_at, activates_at, expires_at, status } = row
    const visible = { id, name, username, latitude, longitude, address, created_at, activates_at, expires_at, status }
    const visitors: AnonymousPing = { ...visible, is_public: true, has_image: false }
    queryClient.setQueryData(pingQuery(row.id).queryKey, visitors)
    applyPingChange(queryClient, renamed, ann)
    expect(Object.keys(one() ?? {}).sort()).toEqual(Object.keys(visitors).sort())
  })

  test('leaves lists unread that were never read', () => {
    const fresh = new QueryClient()
    applyPingChange(fresh, insert, ann)
    expect(fresh.getQueryData(pingsQuery().queryKey)).toBeUndefined()
  })
})

describe('an answer', () => {
  const coming: ChangeOf<'ping_responses'> = { table: 'ping_responses', eventType: 'INSERT', new: answer, old: {} }

  test('is added once, and a changed one takes its place', () => {
    hold({ ...ping, responses: [] })
    applyPingResponseChange(queryClient, coming, bob)
    applyPingResponseChange(queryClient, coming, bob)
    expect(list()?.[0]?.responses).toEqual([answer])

    const changed = { ...answer, response_type: 'declined' as const }
    applyPingResponseChange(queryClient, { ...coming, eventType: 'UPDATE', new: changed }, bob)
    expect(list()?.[0]?.responses).toEqual([changed])
    expect(one()).toMatchObject({ responses: [changed] })
  })

  test('that is taken back leaves those of the others', () => {
    const eves = { ...answer, user_id: eve, username: 'eve' }
    hold({ ...ping, responses: [answer, eves] })
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

  test('to a ping that is not held changes nothing', () => {
    applyPingResponseChange(queryClient, coming, bob)
    expect(list()).toEqual([])
  })
})

test('the live row of an own new pin takes the place of its stand-in, and of no other', () => {
  const standIn = { ...ping, id: 'temp-1' as PingId, recipients: [], responses: [] }
  const elsewhere = { ...standIn, id: 'temp-2' as PingId, latitude: 41 }
  queryClient.setQueryData(pingsQuery().queryKey, [standIn, elsewhere])
  applyPingChange(queryClient, { table: 'location_pins', eventType: 'INSERT', new: row, old: {} }, bob)
  expect(list()?.map(({ id }) => id)).toEqual([row.id, 'temp-2'])
})

test('a changed row asks for the picture again, since another may have taken its place', () => {
  const refresh = vi.spyOn(images, 'refreshPingImage').mockResolvedValue()
  const change = { table: 'location_pins', eventType: 'UPDATE', new: { ...row, has_image: true }, old: {} } as const
  applyPingChange(queryClient, change, ann)
  expect(refresh.mock.calls).toEqual([[row.id]])
  applyPingChange(queryClient, { ...change, new: row }, ann)
  expect(refresh).toHaveBeenCalledTimes(1)
})
