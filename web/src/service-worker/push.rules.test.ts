import type { PushPayload } from '@hither/contract/notifications.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dataOf, mustShow, notificationOf } from './push.rules.ts'
import { pathOf } from './push-paths.ts'

const id = '0198a1b2-0000-7000-8000-000000000001'
const nowMs = Date.UTC(2026, 10, 21, 12)
const ping = {
  kind: 'new_ping',
  title: 'ann dropped a pin',
  body: 'Coffee at Nero',
  tag: `ping:${id}`,
  url: `/pins/${id}`,
  timestamp: nowMs - 5000,
  ping_id: id,
  actions: [
    { action: 'accepted', title: 'Going' },
    { action: 'tentative', title: 'Maybe' },
    { action: 'declined', title: "Can't" },
  ],
} as unknown as PushPayload

describe('the notification of a push', () => {
  test('of a new ping shows the owner and name, opens the ping and has response buttons', () => {
    const { title, options } = notificationOf(ping, nowMs, 3)
    expect(title).toBe('ann dropped a pin')
    expect(options).toMatchObject({
      body: 'Coffee at Nero',
      tag: `ping:${id}`,
      renotify: true,
      timestamp: nowMs - 5000,
      icon: '/icons/icon-192.png',
      badge: '/icons/badge-96.png',
      data: {
        kind: 'new_ping',
        path: `/pins/${id}`,
        ping_id: id,
        revision: null,
        conversation_id: null,
        at: nowMs - 5000,
      },
    })
    expect(options.actions.map(({ title }) => title)).toEqual(['Going', 'Maybe', "Can't"])
  })

  test('has the buttons going and not going if the browser shows two, and none if it shows none', () => {
    const titles = (max: number) => notificationOf(ping, nowMs, max).options.actions.map(({ title }) => title)
    expect(titles(2)).toEqual(['Going', "Can't"])
    expect(titles(1)).toEqual(['Going'])
    expect(titles(0)).toEqual([])
  })

  test('of a changed ping has response buttons, and that of a canceled one replaces it without buttons', () => {
    const changed = {
      ...ping,
      kind: 'ping_changed',
      title: 'ann changed Coffee at Nero',
      body: 'New time. Still going?',
      tag: `change:${id}`,
    } as const
    const { title, options } = notificationOf({ ...changed, revision: 2 }, nowMs, 3)
    expect(options.data.revision).toBe(2)
    expect(dataOf({ ...options.data, revision: -1 }).revision).toBeNull()
    expect([title, options.body]).toEqual(['ann changed Coffee at Nero', 'New time. Still going?'])
    expect(options.actions.map(({ action }) => action)).toEqual(['accepted', 'tentative', 'declined'])
    const canceled = { ...changed, title: 'ann canceled Coffee at Nero', body: '', actions: [] }
    const shown = notificationOf(canceled, nowMs, 3)
    expect([shown.title, shown.options.body]).toEqual(['ann canceled Coffee at Nero', ''])
    expect(shown.options).toMatchObject({ tag: options.tag, renotify: true, actions: [] })
    expect(shown.options.data.path).toBe(`/pins/${id}`)
  })

  test('of a reminder opens the ping', () => {
    const reminder = {
      ...ping,
      kind: 'ping_reminder',
      title: 'Coffee at Nero starts in 15 min',
      body: 'by ann',
    } as const
    const { title, options } = notificationOf({ ...reminder, actions: [] }, nowMs, 3)
    expect([title, options.body, options.actions]).toEqual(['Coffee at Nero starts in 15 min', 'by ann', []])
    expect(options.data.path).toBe(`/pins/${id}`)
  })

  test('of a changed response replaces the first one without a sound', () => {
    expect(notificationOf({ ...ping, kind: 'ping_response' }, nowMs, 3).options.renotify).toBe(false)
  })

  test('has no buttons without a ping, and none for unknown responses', () => {
    expect(notificationOf({ ...ping, ping_id: undefined }, nowMs, 3).options.actions).toEqual([])
    const actions = [{ action: 'delete', title: 'Delete' }, { action: 'accepted' }, 'accepted', null]
    expect(notificationOf({ ...ping, actions }, nowMs, 3).options.actions).toEqual([])
  })

  test('shows a future time as now and keeps the original time in its data', () => {
    const { options } = notificationOf({ ...ping, timestamp: nowMs + 60_000 }, nowMs, 3)
    expect(options.timestamp).toBe(nowMs)
    expect(options.data.at).toBe(nowMs + 60_000)
  })

  test.each([[undefined], [null], ['text'], [7], [[]], [{}], [{ kind: 'younger', url: 'https://evil.example' }]])(
    'of the payload %j shows the default text and opens the home screen',
    (payload) => {
      const { title, options } = notificationOf(payload, nowMs, 3)
      expect([title, options.body, options.data.path]).toEqual(['Hither', 'There is something new for you.', '/'])
    },
  )

  test('of any payload has a title, a tag if it renotifies, and a path of the app', () => {
    const some = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.array(fc.anything(), { maxLength: 3 }))
    const payload = fc.record(
      { kind: some, title: some, body: some, tag: some, url: some, timestamp: some, actions: some, ping_id: some },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(payload, fc.anything()), (payload) => {
        const { title, options } = notificationOf(payload, nowMs, 2)
        expect(title.length).toBeGreaterThan(0)
        expect(options.tag.length).toBeGreaterThan(0)
        expect(options.data.path).toBe(pathOf(options.data.path))
        expect(dataOf(options.data)).toEqual(options.data)
      }),
    )
  })
})

describe('the path of a notification', () => {
  test.each(['/', '/chat', `/chat/${id}`, `/pins/${id}`, '/friends', '/friends?tab=received', '/profile'])(
    'is %s',
    (path) => expect(pathOf(path)).toBe(path),
  )

  test.each([
    'https://evil.example/',
    '//evil.example/chat',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/api/auth/logout',
    '/reset-password?token=1',
    '/confirm?token=1',
    '/login',
    '/pins/../api/pings',
    `/pins/${id}/..//evil`,
    `/chat/${id}x`,
    'chat',
    '',
    null,
    { href: '/chat' },
  ])('is the home screen for %j', (url) => expect(pathOf(url)).toBe('/'))

  test('has no query and no fragment', () => {
    expect(pathOf(`/pins/${id}?answer=accepted#x`)).toBe(`/pins/${id}`)
    expect(pathOf('/friends?tab=received&add=eve')).toBe('/friends')
  })
})

test('only Safari must show a notification for every push', () => {
  expect(mustShow('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) AppleWebKit/605.1.15 Version/18.0 Safari/604.1')).toBe(true)
  expect(mustShow('Mozilla/5.0 (X11) AppleWebKit/537.36 Chrome/148.0.0.0 Safari/537.36')).toBe(false)
  expect(mustShow('Mozilla/5.0 (X11; rv:150.0) Gecko/20100101 Firefox/150.0')).toBe(false)
})
