import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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

  it('is not delayed by silent devices', async () => {
    const slow = Promise.withResolvers<void>()
    const stuck = cast.service.answer
    for (let device = 0; device < 15; device++) await cast.subscribe(await cast.signInAgain(cast.bob), `slow ${device}`)
    // Earlier attempts have marked them as unreachable.
    await cast.server
      .db`update push_subscriptions set failing_since = ${cast.server.clock.now()} where user_id = ${cast.bob.id}`
    cast.service.answer = { ...stuck, until: slow.promise }
    await drop()
    const all = run()
    await expect.poll(() => cast.service.attempts).toBe(6)
    cast.service.answer = { status: 201 }
    await cast.drop(cast.ann, [cast.cat])
    const before = cast.service.received.length
    const later = run()
    await expect.poll(() => cast.service.received.length).toBe(before + 1)
    expect(cast.service.received.at(-1)?.device).toBe('cat')
    slow.resolve()
    await Promise.all([all, later])
    expect(await cast.waiting()).toEqual([])
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
