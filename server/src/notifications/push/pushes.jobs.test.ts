import { createPasskey, createPasskeyOptions } from '@hither/contract/auth/passkeys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../../test/authenticator.ts'
import { type Cast, minuteMs, secondMs, startCast } from '../harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

beforeEach(() => cast.reset())

afterAll(() => cast.close())

const run = () => cast.server.app.pushJobs.runDue()

function drop() {
  return cast.drop(cast.ann, [cast.bob], { duration_minutes: 240 })
}

function subscriptionsOfBob() {
  return cast.server.db`select endpoint, failing_since from push_subscriptions where user_id = ${cast.bob.id}`
}

/** Requests from now on get no answer before the returned promise is resolved. */
function hold() {
  const silence = Promise.withResolvers<void>()
  cast.service.answer = { status: 201, until: silence.promise }
  return silence
}

describe('a push', () => {
  it('is sent once, and leaves nothing behind', async () => {
    await drop()
    expect(await cast.waiting()).toEqual([0])
    await run()
    await run()
    expect([cast.service.received.length > 0, cast.service.attempts, await cast.waiting()]).toEqual([true, 1, []])
  })

  it('is sent by the running job, and that of a message as soon as its delay has passed', async () => {
    const { app } = await cast.startNode()
    const before = cast.service.received.length
    app.start()
    await drop()
    await expect.poll(() => cast.service.received.length, { timeout: 15_000 }).toBe(before + 1)
    await app.stop()
  })

  it.each([500, 503, 429, 401, 403])('that gets %i is retried, later each time', async (status) => {
    cast.service.answer = { status }
    await drop()
    await run()
    expect([cast.service.attempts, await cast.waiting()]).toEqual([1, [1]])
    for (const [seconds, attempts] of [
      [15, 2],
      [30, 3],
      [60, 4],
    ] as const) {
      cast.server.clock.advance(seconds * secondMs - 1)
      await run()
      expect(cast.service.attempts).toBe(attempts - 1)
      cast.server.clock.advance(1)
      await run()
      expect(cast.service.attempts).toBe(attempts)
    }
    cast.service.answer = { status: 201 }
    cast.server.clock.advance(2 * minuteMs)
    expect(await cast.notified()).toEqual(['bob: ann dropped a pin | Coffee'])
    expect(await cast.waiting()).toEqual([])
    expect(await subscriptionsOfBob()).toMatchObject([{ failing_since: null }])
  })

  it('is not retried before the Retry-After of the push service', async () => {
    cast.service.answer = { status: 429, headers: { 'retry-after': '600' } }
    await drop()
    await run()
    cast.server.clock.advance(600 * secondMs - 1)
    await run()
    expect(cast.service.attempts).toBe(1)
    cast.server.clock.advance(1)
    await run()
    expect(cast.service.attempts).toBe(2)
  })

  it.each([400, 413, 301, 307])('that gets %i is given up, and the subscription stays', async (status) => {
    cast.service.answer = { status, headers: { location: `${cast.service.origin}/elsewhere` } }
    await drop()
    await run()
    expect([cast.service.attempts, await cast.waiting()]).toEqual([1, []])
    expect(await subscriptionsOfBob()).toHaveLength(1)
  })

  it.each([404, 410])('that gets %i ends the subscription', async (status) => {
    cast.service.answer = { status }
    await drop()
    await run()
    expect([await subscriptionsOfBob(), await cast.waiting()]).toEqual([[], []])
  })

  it('that gets 410 keeps a subscription that was renewed meanwhile', async () => {
    const delivery = Promise.withResolvers<void>()
    cast.service.answer = { status: 410, until: delivery.promise }
    await drop()
    const sent = run()
    await expect.poll(() => cast.service.attempts).toBe(1)
    const { endpoint } = await cast.subscribe(cast.bob, 'renewed')
    delivery.resolve()
    await sent
    expect(await subscriptionsOfBob()).toMatchObject([{ endpoint }])
  })

  it('to a device that was unreachable for days ends its subscription', async () => {
    cast.service.answer = { status: 500 }
    await drop()
    await run()
    cast.server.clock.advance(3 * 24 * 60 * minuteMs)
    await drop()
    await run()
    expect(await subscriptionsOfBob()).toHaveLength(1)
    cast.server.clock.advance(minuteMs)
    await run()
    expect([await subscriptionsOfBob(), await cast.waiting()]).toEqual([[], []])
  })

  it('of each kind is given up after its lifetime', async () => {
    cast.service.answer = { status: 500 }
    await drop()
    const { id } = await cast.make(cast.ann, [cast.bob])
    await cast.say(id, cast.ann)
    await cast.arrivals()
    expect(await cast.waiting()).toHaveLength(2)
    cast.server.clock.advance(240 * minuteMs)
    await run()
    expect(await cast.waiting()).toHaveLength(1)
    cast.server.clock.advance(20 * 60 * minuteMs)
    await run()
    expect(await cast.waiting()).toEqual([])
  })

  it('is sent once when two nodes look for it at the same moment', async () => {
    const { app } = await cast.startNode()
    const people = [cast.bob, cast.cat]
    for (let ping = 0; ping < 5; ping++) await cast.drop(cast.ann, people)
    const before = cast.service.received.length
    await Promise.all([run(), app.pushJobs.runDue()])
    expect([cast.service.received.length - before, cast.service.attempts, await cast.waiting()]).toEqual([10, 10, []])
    await app.stop()
  })

  it('of a crashed node is sent by another one after the lease of the first', async () => {
    await drop()
    const leaseUntil = new Date(cast.server.clock.now().getTime() + minuteMs)
    await cast.server.db`update push_deliveries set due_at = ${leaseUntil}, attempts = 1`
    await run()
    expect(cast.service.attempts).toBe(0)
    cast.server.clock.advance(minuteMs)
    await run()
    expect(cast.service.attempts).toBe(1)
  })

  it('is not delayed by the silent devices of another person, on one node or two', async () => {
    const { app } = await cast.startNode()
    for (let device = 0; device < 15; device++) await cast.subscribe(await cast.signInAgain(cast.bob), `b${device}`)
    await drop()
    const nodes = [cast.server.app.pushJobs, app.pushJobs]
    for (const [index, node] of nodes.entries()) {
      const silence = hold()
      const sending = node.runDue()
      await expect.poll(() => cast.service.attempts).toBe(2)
      cast.service.answer = { status: 201 }
      await cast.drop(cast.ann, [cast.cat])
      const before = cast.service.received.length
      const others = node.runDue()
      await expect.poll(() => cast.service.received.length).toBe(before + 1)
      // Both devices of bob are still silent, and no third one has got a lane.
      expect([cast.service.received.at(-1)?.device, cast.service.attempts]).toEqual(['cat', 3])
      silence.resolve()
      await Promise.all([sending, others])
      expect(await cast.waiting()).toEqual([])
      cast.service.attempts = 0
      if (index === 0) await drop()
    }
    await app.stop()
  })

  it('to a device that answers too late goes to the lanes of slow devices, until it answers in time', async () => {
    for (let device = 0; device < 5; device++) await cast.subscribe(await cast.signInAgain(cast.bob), `b${device}`)
    const slow = async () =>
      (await cast.server.db`select is_slow from push_subscriptions where user_id = ${cast.bob.id}`).map(
        (row) => row['is_slow'],
      )
    const silence = hold()
    await drop()
    // Every attempt runs into its time limit.
    await run()
    expect(await slow()).toEqual(Array(6).fill(true))
    expect(await cast.waiting()).toEqual(Array(6).fill(1))
    await cast.subscribe(cast.bob, 'renewed')
    expect(await slow()).toEqual(Array(6).fill(true))
    await cast.subscribe(await cast.signInAgain(cast.bob), 'quick')
    cast.service.attempts = 0
    cast.server.clock.advance(15 * secondMs)
    const sending = run()
    await expect.poll(() => cast.service.attempts).toBe(1)
    // A device that answers in time has a lane, while one slow device takes the other.
    cast.service.answer = { status: 201 }
    await drop()
    const before = cast.service.received.length
    const quick = run()
    await expect.poll(() => cast.service.received.length).toBe(before + 1)
    expect([cast.service.received.at(-1)?.device, cast.service.attempts]).toEqual(['quick', 2])
    silence.resolve()
    await Promise.all([sending, quick])
    expect(await slow()).toEqual(Array(7).fill(false))
  })

  it('about the security of the account goes before those that wait longer', async () => {
    const phone = await cast.signInAgain(cast.bob)
    await cast.subscribe(phone, 'phone')
    const silence = hold()
    for (let ping = 0; ping < 3; ping++) await drop()
    const sending = run()
    await expect.poll(() => cast.service.attempts).toBe(2)
    const { body: options } = await cast.server.call(createPasskeyOptions, { body: {} }, phone)
    const response = createAuthenticator('http://localhost:3000').create(options)
    await cast.server.call(createPasskey, { body: { response } }, phone)
    const before = cast.service.received.length
    cast.service.answer = { status: 201 }
    silence.resolve()
    await sending
    const kinds = cast.service.received.slice(before).map(({ payload }) => payload.kind)
    expect(kinds.slice(0, 4).toSorted()).toEqual(['new_ping', 'new_ping', 'new_ping', 'security'])
    expect(kinds.slice(4)).toEqual(['new_ping', 'new_ping', 'new_ping'])
  })

  it('leaves neither endpoint nor content in the log', async () => {
    const { app, lines } = await cast.startNode()
    cast.service.answer = { status: 500 }
    await cast.drop(cast.ann, [cast.bob], { name: 'Secret place' })
    await app.pushJobs.runDue()
    await app.stop()
    const log = lines.join('')
    const [{ endpoint }] = (await subscriptionsOfBob()) as unknown as [{ endpoint: string }]
    expect(log).toContain('push delivery failed')
    expect(log).toContain('status 500')
    expect(log).not.toContain(new URL(endpoint).pathname)
    expect(log).not.toContain('Secret place')
  })
})

describe('the VAPID keys', () => {
  it('are the same on every node and after a restart, and cannot be read from the database', async () => {
    const keyOf = async (app: Awaited<ReturnType<typeof cast.startNode>>['app']) =>
      JSON.parse((await app.http.inject('/api/config')).body).push_key as string
    const { app } = await cast.startNode()
    const key = await keyOf(cast.server.app)
    expect(await keyOf(app)).toBe(key)
    await app.stop()
    const [row] = await cast.server.db<{ sealed: Buffer }[]>`select sealed from kept_keys`
    expect(row?.sealed.toString('latin1')).not.toContain(key)
    expect(row?.sealed.toString('latin1')).not.toContain('privateKey')
  })
})
