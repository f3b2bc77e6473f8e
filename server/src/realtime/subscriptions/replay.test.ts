import { type FeedName, type Feeds, feedNames, type MessageRow } from '@hither/contract/feeds.ts'
import type { ConversationId, GuestId, MessageId, PingId } from '@hither/contract/ids.ts'
import type { PingRow } from '@hither/contract/pings.ts'
import { expect, test } from 'vitest'
import type { Change } from '../../events/bus.ts'
import { createRecentEvents } from '../../events/recent-events.ts'
import { feeds } from '../../feeds/feeds.ts'
import { ann, bob, committedAt, eve, userRow } from '../harness.ts'
import { bindingSetOf } from './binding-sets.ts'
import { replay } from './replay.ts'

type ChildFeed = { [F in FeedName]: (typeof feeds)[F]['parent'] extends null ? never : F }[FeedName]

const startMs = Date.parse('2026-11-21T12:00:00.000Z')
const first = '01900000-0000-7000-8000-000000000001'
const second = '01900000-0000-7000-8000-000000000002'
const everything = { event: '*', schema: 'public', table: '*' }

/** What of these changes, each in a row of the outbox, a client of this user receives that was connected before them. */
function replayed(changes: readonly object[], { as = ann, bindings = [everything], passedMs = 0, handled = 0 } = {}) {
  const recentEvents = createRecentEvents(() => 0)
  let after = recentEvents.position()
  for (const [index, change] of changes.entries()) {
    const complete = { audience: [ann, bob], committedAt, ...change } as unknown as Change
    recentEvents.add({
      id: index + 1,
      createdAtUs: startMs * 1000,
      events: [{ kind: 'changes', changes: [complete] }],
      bytes: 100,
    })
    if (index < handled) after = recentEvents.position()
  }
  const deps = { recentEvents, now: () => new Date(startMs + passedMs), placeKeepMs: 86_400_000 }
  const frames = replay(deps, { topic: 'realtime:all', bindings: bindingSetOf('2.0.0', bindings), userId: as, after })
  return frames?.map((frame) => {
    const text = frame.toString()
    const [, , , , { data }] = JSON.parse(text.slice(text.indexOf('[')))
    return data as {
      type: string
      table: string
      record?: Record<string, unknown>
      old_record?: Record<string, unknown>
    }
  })
}

const inserted = (table: FeedName, record: object) => ({ table, type: 'INSERT', record, oldRecord: null })
const updated = (table: FeedName, record: object, oldRecord = record) => ({ table, type: 'UPDATE', record, oldRecord })
const deleted = (table: FeedName, oldRecord: object) => ({ table, type: 'DELETE', record: null, oldRecord })

function messageRow(id: string, values: Partial<MessageRow> = {}): MessageRow {
  return {
    ...{ id: id as MessageId, conversation_id: first as ConversationId, sender_id: bob, sender_username: 'bob' },
    ...{ sender_display_name: null, content: 'Hello', created_at: committedAt, seq: 1, client_id: null },
    ...{ edited_at: null, reply_to: null, attachment: null },
    ...values,
  }
}

/** For each feed whose rows are visible through another row: a row of the parent with this id. */
const rowsOf: { [F in ChildFeed]: (parentId: string) => Feeds[F] } = {
  ping_responses: (parentId) => ({
    ...{ ping_id: parentId as PingId, user_id: bob, username: 'bob', display_name: null, response_type: 'accepted' },
    ...{ revision: 0, created_at: committedAt, updated_at: committedAt },
  }),
  ping_guests: (parentId) => ({
    ...{ id: `${parentId.slice(0, -1)}4` as GuestId, ping_id: parentId as PingId, user_id: null, name: 'Mia' },
    ...{ response_type: 'accepted', revision: 0, state: 'approved', created_at: committedAt, updated_at: committedAt },
  }),
  ping_trips: (parentId) => ({
    ...{ ping_id: parentId as PingId, user_id: bob, username: 'bob', state: 'en_route' },
    ...{ arrives_at: committedAt, started_at: committedAt, updated_at: committedAt },
  }),
  messages: (parentId) => messageRow(`${parentId.slice(0, -1)}3`, { conversation_id: parentId as ConversationId }),
  message_reactions: (parentId) => ({
    ...{ message_id: parentId as MessageId, conversation_id: '01900000-0000-7000-8000-000000000005' as ConversationId },
    ...{ user_id: bob, username: 'bob', emoji: '👍', created_at: committedAt },
  }),
  message_read_receipts: (parentId) => ({
    ...{ conversation_id: parentId as ConversationId, user_id: bob, last_read_seq: 1, read_at: committedAt },
  }),
}

const children = feedNames.filter((feed): feed is ChildFeed => feeds[feed].parent !== null)

test.each(children)('a user who lost access to the parent row receives no earlier changes of %s', (table) => {
  const { feed } = feeds[table].parent
  const frames = replayed([
    inserted(table, rowsOf[table](first)),
    inserted(table, rowsOf[table](second)),
    deleted(feed, { id: first, user_id: ann }),
  ])
  expect(frames?.map((frame) => [frame.type, frame.table, JSON.stringify(frame).includes(first)])).toEqual([
    ['INSERT', table, false],
    ['DELETE', feed, true],
  ])
})

test('changes of a row that was deleted and inserted again are replayed from its last deletion on', () => {
  const names = ['one', 'two', 'three', 'four'].map((username) => userRow(eve, { username }))
  const [one = {}, two = {}, three = {}, four = {}] = names
  const frames = replayed([
    inserted('users', one),
    deleted('users', one),
    inserted('users', two),
    deleted('users', two),
    inserted('users', three),
    updated('users', four, three),
  ])
  expect(frames?.map(({ type, record, old_record }) => [type, record?.['username'] ?? old_record])).toEqual([
    ['DELETE', { id: eve }],
    ['INSERT', 'four'],
    ['UPDATE', 'four'],
  ])
})

test('every change of a row is replayed with its newest contents, those that were handled are not', () => {
  const [one, two, three] = ['one', 'two', 'three'].map((username) => userRow(eve, { username })) as [
    object,
    object,
    object,
  ]
  const changes = [inserted('users', one), updated('users', two, one), updated('users', three, two)]
  const seen = (handled: number) =>
    replayed(changes, { handled })?.map(({ type, record }) => `${type} ${record?.['username']}`)
  expect(seen(0)).toEqual(['INSERT three', 'UPDATE three', 'UPDATE three'])
  expect(seen(1)).toEqual(['UPDATE three', 'UPDATE three'])
  expect(seen(3)).toEqual([])
})

test('a row that left the filter of a client and whose later changes it may not receive is announced to it', () => {
  const pingIn = (conversation_id: string | null, name: string) =>
    ({ ...pingRow('area'), conversation_id, name }) as object
  const changes = [
    updated('location_pins', pingIn(null, 'Tea'), pingIn(second, 'Coffee')),
    updated('location_pins', pingIn(null, 'Cake'), pingIn(null, 'Tea')),
  ]
  const bindings = [{ event: '*', schema: 'public', table: 'location_pins', filter: `id=eq.${eve}` }]
  expect(replayed(changes, { bindings })).toHaveLength(2)
  const inChat = [{ event: '*', schema: 'public', table: 'location_pins', filter: `conversation_id=eq.${second}` }]
  expect(replayed(changes, { bindings: inChat })?.map(({ type, old_record }) => [type, old_record])).toEqual([
    ['DELETE', { id: eve }],
  ])
})

test.each([
  ['for inserts', { event: 'INSERT' }, ['INSERT See you at 9']],
  ['for all events', { event: '*' }, ['INSERT See you at 9', 'UPDATE See you at 9']],
])('a listener %s receives a message that was edited in the meantime with its current text only', (_, of, expected) => {
  const [sent, edited] = [
    messageRow(first, { content: 'See you at 8' }),
    messageRow(first, { content: 'See you at 9', edited_at: committedAt }),
  ]
  const { id, conversation_id } = sent
  const changes = [inserted('messages', sent), updated('messages', edited, { id, conversation_id } as MessageRow)]
  const frames = replayed(changes, { bindings: [{ schema: 'public', table: 'messages', ...of }] })
  expect(frames?.map(({ type, record }) => `${type} ${record?.['content']}`)).toEqual(expected)
})

test.each([
  ['edited', { kind: 'text', excerpt: 'See you at 9' }],
  ['deleted', { kind: 'deleted', excerpt: null }],
])('a quote of a message that was %s in the meantime shows what is left of it', (how, expected) => {
  const former = messageRow(first, { content: 'See you at 8' })
  const reply_to = { id: former.id, kind: 'text', excerpt: 'See you at 8', sender_username: 'bob' } as never
  const quoting = messageRow(second, { reply_to })
  const edited = { ...former, content: 'See you at 9', edited_at: committedAt }
  const last = how === 'edited' ? updated('messages', edited, former) : deleted('messages', former)
  const frames = replayed([inserted('messages', former), inserted('messages', quoting), last], { handled: 1 })
  expect(JSON.stringify(frames)).not.toContain('at 8')
  expect(frames?.[0]?.record?.['reply_to']).toMatchObject(expected)
})

const exactLatitude = 40.7437251
const areaLatitude = 40.745

/** A ping of bob whose exact place is not for everyone; exact or with its area. It ends after a minute. */
function pingRow(place: 'exact' | 'area', values: Partial<PingRow> = {}): PingRow {
  return {
    ...{ id: eve as string as PingRow['id'], user_id: bob, username: 'bob', display_name: null, user_has_image: false },
    ...{
      name: 'Coffee',
      is_unnamed: false,
      message: null,
      address: null,
      exact_place_for: 'going',
      area_km: 1,
      longitude: -74.028745,
    },
    ...(place === 'exact'
      ? { latitude: exactLatitude, place_radius_m: null }
      : { latitude: areaLatitude, place_radius_m: 1000 }),
    ...{ created_at: committedAt, activates_at: null, expires_at: '2026-11-21T12:01:00.000Z', status: 'active' },
    ...{ is_public: false, has_image: false, guest_policy: 'off', responses_visible: true, conversation_id: null },
    ...{ updated_at: committedAt, revision: 0, place_revision: 0, time_revision: 0 },
    ...{ canceled_at: null, cancel_message: null },
    ...values,
  }
}

const latitudes = (...[changes, options]: Parameters<typeof replayed>) =>
  replayed(changes, options)?.map(({ record }) => record?.['latitude'])
const exact = updated('location_pins', pingRow('exact'))
const area = updated('location_pins', pingRow('area'))

test('an exact place that was hidden in the meantime is not replayed, and the area is', () => {
  const other = updated('location_pins', pingRow('exact', { id: bob as string as PingRow['id'] }))
  expect(latitudes([exact, other, area])).toEqual([areaLatitude, exactLatitude, areaLatitude])
  expect(latitudes([area, exact])).toEqual([exactLatitude, exactLatitude])
})

test('the exact place of a ping that has ended is replayed to its owner only, also if the end is not announced', () => {
  const everyone = { exact_place_for: 'everyone', id: ann as string as PingRow['id'] } as const
  const changes = [exact, updated('location_pins', pingRow('exact', everyone))]
  expect(latitudes(changes, { passedMs: 59_999 })).toEqual([exactLatitude, exactLatitude])
  expect(latitudes(changes, { passedMs: 60_000 })).toEqual([exactLatitude])
  expect(latitudes(changes, { passedMs: 60_000, as: bob })).toEqual([exactLatitude, exactLatitude])
})

test('the exact place of an ended ping is replayed to nobody from the time of its erasure on', () => {
  const ended = [exact, updated('location_pins', pingRow('exact', { exact_place_for: 'everyone' }))]
  for (const as of [ann, bob]) {
    expect(latitudes(ended, { as, passedMs: 60_000 + 86_400_000 })).toEqual([])
    expect(latitudes([...ended, area], { as, passedMs: 60_000 + 86_400_000 })).toEqual([
      areaLatitude,
      areaLatitude,
      areaLatitude,
    ])
  }
})
