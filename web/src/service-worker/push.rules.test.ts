import { type PushPayload } from '@hither/contract/notifications.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pathOf } from '../notifications/push-paths.ts'
import { dataOf, mustShow, notificationOf } from './push.rules.ts'

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

describe('what is shown of a push', () => {
  test('a new ping says who and what, leads to it and can be answered', () => {
    const { title, options } = notificationOf(ping, nowMs, 3)
    expect(title).toBe('ann dropped a pin')
    expect(options).toMatchObject({
      body: 'Coffee at Nero',
      tag: `ping:${id}`,
      renotify: true,
      timestamp: nowMs - 5000,
      icon: '/icons/icon-192.png',
      badge: '/icons/badge-96.png',
      data: { kind: 'new_ping', path: `/pins/${id}`, ping_id: id, conversation_id: null, at: nowMs - 5000 },
    })
    expect(options.actions.map(({ title }) => title)).toEqual(['Going', 'Maybe', "Can't"])
  })

  test('where there is room for two buttons, they are yes and no; where there is none, none', () => {
    const titles = (max: number) => notificationOf(ping, nowMs, max).options.actions.map(({ title }) => title)
    expect(titles(2)).toEqual(['Going', "Can't"])
    expect(titles(1)).toEqual(['Going'])
    expect(titles(0)).toEqual([])
  })

  test('a second answer of the same person takes the place of the first without a sound', () => {
    expect(notificationOf({ ...ping, kind: 'ping_response' }, nowMs, 3).options.renotify).toBe(false)
  })

  test('no button is offered without a ping to answer, and none that is no answer', () => {
    expect(notificationOf({ ...ping, ping_id: undefined }, nowMs, 3).options.actions).toEqual([])
    const actions = [{ action: 'delete', title: 'Delete' }, { action: 'accepted' }, 'accepted', null]
    expect(notificationOf({ ...ping, actions }, nowMs, 3).options.actions).toEqual([])
  })

  test('a time to come, by a clock that is late, is now; what it tells of keeps its own', () => {
    const { options } = notificationOf({ ...ping, timestamp: nowMs + 60_000 }, nowMs, 3)
    expect(options.timestamp).toBe(nowMs)
    expect(options.data.at).toBe(nowMs + 60_000)
  })

  test.each([[undefined], [null], ['text'], [7], [[]], [{}], [{ kind: 'younger', url: 'https://evil.example' }]])(
    'of %j, what can be said is that there is something new, which leads home',
    (payload) => {
      const { title, options } = notificationOf(payload, nowMs, 3)
      expect([title, options.body, options.data.path]).toEqual(['Hither', 'There is something new for you.', '/'])
    },
  )

  test('whatever comes, there is a title, a tag where it rings again, and a way into the app', () => {
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

describe('where a notification leads', () => {
  test.each(['/', '/chat', `/chat/${id}`, `/pins/${id}`, '/friends', '/friends?tab=received', '/profile'])(
    'to %s',
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
  ])('not to %j but home', (url) => expect(pathOf(url)).toBe('/'))

  test('without what else stood in the address', () => {
    expect(pathOf(`/pins/${id}?answer=accepted#x`)).toBe(`/pins/${id}`)
    expect(pathOf('/friends?tab=received&add=eve')).toBe('/friends')
  })
})

test('Safari alone takes the permission away where nothing is shown', () => {
  expect(mustShow('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) AppleWebKit/605.1.15 Version/18.0 Safari/604.1')).toBe(true)
  expect(mustShow('Mozilla/5.0 (X11) AppleWebKit/537.36 Chrome/148.0.0.0 Safari/537.36')).toBe(false)
  expect(mustShow('Mozilla/5.0 (X11; rv:150.0) Gecko/20100101 Firefox/150.0')).toBe(false)
})
