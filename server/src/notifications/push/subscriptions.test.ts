import { endOtherSessions, endSession, listSessions, logout, refresh } from '@hither/contract/auth/auth.ts'
import { getConfig } from '@hither/contract/config.ts'
import { type PushSubscription, subscribeToPush, unsubscribeFromPush } from '@hither/contract/notifications.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, startServer } from '../../../test/harness.ts'
import { type Cast, startCast } from '../harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

beforeEach(() => cast.reset())

afterAll(() => cast.close())

function subscribe(who: Person | undefined, body: unknown) {
  return cast.server.request('PUT', '/api/notifications/subscription', { body, ...(who && { as: who }) })
}

/** The endpoint of bob's device. */
async function devicesOfBob(): Promise<string[]> {
  await cast.drop(cast.ann, [cast.bob])
  return (await cast.arrivals()).map(({ device }) => device)
}

describe('a push subscription', () => {
  it('belongs to one device of the caller; a second device has another one', async () => {
    const tablet = await cast.signInAgain(cast.bob)
    await cast.subscribe(tablet, 'tablet')
    expect(await devicesOfBob()).toEqual(['bob', 'tablet'])
  })

  it('replaces the previous one of the same session', async () => {
    await cast.subscribe(cast.bob, 'renewed')
    expect(await devicesOfBob()).toEqual(['renewed'])
  })

  it('may be sent again', async () => {
    const body = cast.service.subscribe('again')
    for (let time = 0; time < 3; time++) expect((await subscribe(cast.bob, body)).status).toBe(204)
    expect(await devicesOfBob()).toEqual(['again'])
  })

  it('moves to another user who signs in on the same device', async () => {
    const body = await cast.subscribe(cast.bob, 'shared')
    expect((await subscribe(cast.cat, body)).status).toBe(204)
    expect(await devicesOfBob()).toEqual([])
    await cast.drop(cast.ann, [cast.cat])
    expect(await cast.notified()).toEqual(['shared: ann dropped a pin | Coffee'])
  })

  it('belongs to one user when two send it concurrently', async () => {
    const body = cast.service.subscribe('shared')
    const answers = await Promise.all([cast.bob, cast.cat, cast.dan].map((who) => subscribe(who, body)))
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204])
    const rows = await cast.server.db`select 1 from push_subscriptions where endpoint = ${body.endpoint}`
    expect(rows).toHaveLength(1)
  })

  it('is accepted in the form of browsers, with additional fields', async () => {
    const { endpoint, keys } = cast.service.subscribe('padded')
    const padded = { p256dh: `${keys.p256dh}=`, auth: `${keys.auth}==` }
    expect((await subscribe(cast.bob, { endpoint, keys: padded, expirationTime: null })).status).toBe(204)
    expect(await devicesOfBob()).toEqual(['padded'])
  })

  it('requires authentication', async () => {
    const body = cast.service.subscribe('nobody')
    expect((await subscribe(undefined, body)).status).toBe(401)
    expect((await cast.server.call(unsubscribeFromPush, {})).status).toBe(401)
  })

  it('of the twenty-first device replaces the least recently used one', async () => {
    for (let number = 0; number < 20; number++) {
      cast.server.clock.advance(1)
      await cast.subscribe(await cast.signInAgain(cast.bob), `device ${String(number).padStart(2, '0')}`)
    }
    const devices = await devicesOfBob()
    expect([devices.length, devices.includes('bob'), devices.includes('device 00')]).toEqual([20, false, true])
  })

  it.each([
    'http://push.example.org/a',
    'https://localhost/a',
    'https://127.0.0.1/a',
    'https://0x7f.1/a',
    'https://2130706433/a',
    'https://[::1]/a',
    'https://[::ffff:10.0.0.1]/a',
    'https://[fd00::1]/a',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.7/a',
    'https://intranet/a',
    'https://push.example.org:8443/a',
    'https://user:secret@push.example.org/a',
    'https://push.example.org/a b',
    'ftp://push.example.org/a',
    'javascript:alert(1)',
    `https://push.example.org/${'a'.repeat(2048)}`,
    '',
  ])('is refused at %s', async (endpoint) => {
    const { keys } = cast.service.subscribe('x')
    const { status, body } = await subscribe(cast.bob, { endpoint, keys })
    expect([status, body]).toMatchObject([422, { detail: [{ loc: ['body', 'endpoint'] }] }])
    expect(await devicesOfBob()).toEqual(['bob'])
  })

  it.each([
    'https://fcm.googleapis.com/fcm/send/abc:def',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
    'https://wns2-par02p.notify.windows.com/w/?token=abc%2f',
    'https://push.my-own.example/abc',
    'https://8.8.8.8/abc',
  ])('is accepted at %s', async (endpoint) => {
    const { keys } = cast.service.subscribe('x')
    expect((await subscribe(cast.bob, { endpoint, keys })).status).toBe(204)
  })

  it('needs keys that allow encryption', async () => {
    const good = cast.service.subscribe('x')
    const offCurve = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url')
    const broken: Partial<PushSubscription['keys']>[] = [
      { ...good.keys, p256dh: offCurve },
      { ...good.keys, p256dh: good.keys.p256dh.slice(1) },
      { ...good.keys, auth: 'short' },
      { p256dh: good.keys.p256dh },
    ]
    for (const keys of broken) {
      const { status, body } = await subscribe(cast.bob, { ...good, keys })
      expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('keys')])
    }
  })

  it('is rate limited per hour', async () => {
    const server = await startServer({ RATE_LIMITS: 'on', PUSH_HOSTS: cast.service.origin })
    const body = cast.service.subscribe('often')
    const who = await server.signUp('often')
    const statuses = new Set<number>()
    for (let time = 0; time < 61; time++) statuses.add((await server.call(subscribeToPush, { body }, who)).status)
    expect([...statuses]).toEqual([204, 429])
    await server.close()
  })
})

describe('the public VAPID key for browsers', () => {
  it('is the one that signs every push', async () => {
    const { body } = await cast.server.call(getConfig, {})
    expect(body.features.push).toBe(true)
    await cast.drop(cast.ann, [cast.bob])
    const [push] = await cast.arrivals()
    expect(push?.key).toBe(body.push_key)
    expect(push?.claims.sub).toBe('mailto:no-reply@localhost')
    expect((push?.claims.exp ?? 0) * 1000 - Date.now()).toBeLessThan(24 * 3_600_000)
  })
})

describe('notifications stop', () => {
  const waysToEnd: [string, (tablet: Person) => Promise<unknown>][] = [
    ['unsubscribing', (tablet) => cast.server.call(unsubscribeFromPush, {}, tablet)],
    ['signing out', ({ session }) => cast.server.call(logout, { body: { access_token: session.access_token } })],
    ['the end of all other sessions', () => cast.server.call(endOtherSessions, {}, cast.bob)],
    [
      'its end by another device',
      async () => {
        const { body } = await cast.server.call(listSessions, {}, cast.bob)
        for (const { id, is_current } of body)
          if (!is_current) await cast.server.call(endSession, { params: { id } }, cast.bob)
      },
    ],
    [
      'a refresh token that is used twice',
      async ({ session }) => {
        const body = { refresh_token: session.refresh_token }
        await cast.server.call(refresh, { body })
        cast.server.clock.advance(11_000)
        await cast.server.call(refresh, { body })
      },
    ],
  ]

  it.each(waysToEnd)('at a device after %s, including queued ones', async (_, end) => {
    const tablet = await cast.signInAgain(cast.bob)
    await cast.subscribe(tablet, 'tablet')
    await cast.drop(cast.ann, [cast.bob])
    await end(tablet)
    expect(await cast.notified()).toEqual(['bob: ann dropped a pin | Coffee'])
    expect(await devicesOfBob()).toEqual(['bob'])
    const rows = await cast.server.db`select 1 from push_subscriptions where user_id = ${cast.bob.id}`
    expect(rows).toHaveLength(1)
  })

  it('at a device with an expired session', async () => {
    await cast.drop(cast.ann, [cast.bob])
    const session = cast.server.db`select session_id from push_subscriptions where user_id = ${cast.bob.id}`
    await cast.server.db`update sessions set expires_at = ${cast.server.clock.now()} where id in (${session})`
    expect(await cast.notified()).toEqual([])
    expect(await devicesOfBob()).toEqual([])
    expect((await subscribe(cast.bob, cast.service.subscribe('late'))).status).toBe(401)
    await cast.server.app.authJobs.runDue()
    expect(await cast.server.db`select 1 from push_subscriptions where user_id = ${cast.bob.id}`).toHaveLength(0)
    Object.assign(cast.bob, await cast.signInAgain(cast.bob))
  })

  it('at every device of a deleted account, and queued ones about it at other devices', async () => {
    const { server } = cast
    const fay = await server.signUp('fay')
    await server.befriend(fay, cast.bob)
    await cast.arrivals()
    await cast.subscribe(fay, 'fay')
    await cast.drop(cast.bob, [fay])
    await cast.drop(fay, [cast.bob])
    expect((await cast.eraseAccount(fay)).status).toBe(204)
    expect(await cast.notified()).toEqual([])
    expect(await server.db`select 1 from push_deliveries`).toHaveLength(0)
    expect(await server.db`select 1 from push_subscriptions where user_id = ${fay.id}`).toHaveLength(0)
  })
})
