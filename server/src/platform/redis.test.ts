import { randomUUID } from 'node:crypto'
import { type UserId } from '@hither/contract/ids.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { hasRedis, openRedis, type RedisServer } from '../../test/redis-server.ts'
import { type Meta } from './attendance.ts'
import { type Bus, type BusMessage, type Change } from './bus.ts'
import { connectRedis, type RedisPair, redisPrefix } from './redis.ts'
import { attendanceLimits, createRedisAttendance } from './redis-attendance.ts'
import { createRedisBus } from './redis-bus.ts'
import { createRedisLog } from './redis-log.ts'
import { createRedisRateLimits } from './redis-rate-limits.ts'
import { createRedisTurns, findPending, forgetPending } from './redis-turns.ts'
import { type Place, type SharedLog } from './shared-log.ts'

const [ann, bob, cat] = ['a', 'b', 'c'].map((digit) => `01900000-0000-7000-8000-00000000000${digit}`) as [
  UserId,
  UserId,
  UserId,
]
const silent = pino({ level: 'silent' })

interface Node {
  readonly bus: Bus
  readonly sharedLog: SharedLog
  readonly pair: RedisPair
  readonly heard: BusMessage[]
  /** Resolves when so many messages have been heard in all. */
  until(count: number): Promise<void>
}

describe.skipIf(!hasRedis)('nodes over Redis', () => {
  let redis: RedisServer
  let here: Node
  let there: Node

  beforeAll(async () => {
    redis = await openRedis()
    here = await openNode()
    there = await openNode()
  })

  afterAll(async () => {
    for (const { pair } of [here, there]) pair.close()
    await redis.close()
  })

  async function openNode(): Promise<Node> {
    const pair = await connectRedis(redis.url, silent)
    const { bus, sharedLog } = await createRedisBus(pair, silent, (error) => {
      throw error
    })
    const heard: BusMessage[] = []
    const waiting: { count: number; resolve: () => void }[] = []
    bus.subscribe((message) => {
      heard.push(message)
      for (const { count, resolve } of waiting) if (heard.length >= count) resolve()
    })
    const until = (count: number) =>
      new Promise<void>((resolve) => {
        if (heard.length >= count) resolve()
        else waiting.push({ count, resolve })
      })
    return { bus, sharedLog, pair, heard, until }
  }

  const row = (username: string) => ({ id: ann, username, has_image: false, is_online: false })

  function changeFor(username: string, ...audience: UserId[]): Change {
    const committedAt = '2026-01-01T00:00:00.000Z'
    return { table: 'users', type: 'INSERT', record: row(username), oldRecord: null, audience, committedAt }
  }

  const publish = (node: Node, ...changes: Change[]) => node.bus.publish({ kind: 'changes', changes })

  /** For whom, and of what, each change was heard. */
  const told = ({ heard }: Node) =>
    heard.map((message) =>
      message.kind === 'changes'
        ? message.changes.map(({ record }) => `${message.to?.at(-1)} ${(record as { username: string }).username}`)[0]
        : message.kind,
    )

  it('hear at once what is said here, and what is for all everywhere', async () => {
    const ended = { kind: 'sessions_ended', sessionIds: [] } as const
    const sent = here.bus.publish(ended)
    expect(here.heard).toEqual([ended])
    await sent
    await there.until(1)
    expect(there.heard).toEqual([ended])
    await here.bus.publish(ended)
    await there.until(2)
    // Twice by itself, and not a third and fourth time by way of the other.
    expect(here.heard).toEqual([ended, ended])
  })

  it('hear of changes for those who are connected to them, and never for whom else', async () => {
    for (const { heard } of [here, there]) heard.length = 0
    await there.bus.watch(bob)
    await publish(here, changeFor('one', ann, bob), changeFor('two', ann), changeFor('three', bob))
    await there.until(2)
    expect(told(there)).toEqual(['b one', 'b three'])
    expect(there.heard).toMatchObject([{ changes: [{ audience: [] }] }, { changes: [{ audience: [] }] }])
    there.bus.unwatch(bob)
    await publish(here, changeFor('four', ann, bob))
    await here.bus.publish({ kind: 'deliveries_waiting' })
    await there.until(3)
    expect(told(there).slice(2)).toEqual(['deliveries_waiting'])
    expect(told(here)).toEqual(['deliveries_waiting'])
  })

  it("hear one person's changes in one order, wherever they were made, each with a time of its own", async () => {
    for (const node of [here, there]) {
      node.heard.length = 0
      await node.bus.watch(bob)
    }
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => publish(index % 2 === 0 ? here : there, changeFor(String(index), bob))),
    )
    await Promise.all([here.until(100), there.until(100)])
    expect(told(here)).toEqual(told(there))
    const times = here.heard.flatMap((message) => (message.kind === 'changes' ? message.changes : []))
    expect(new Set(times.map(({ committedAt }) => committedAt)).size).toBe(100)
    for (const { bus } of [here, there]) bus.unwatch(bob)
  })

  it('remember together what someone was told, for as long as they were watched', async () => {
    await there.bus.watch(cat)
    const start = there.sharedLog.positionOf(cat) as string
    await publish(here, changeFor('one', cat), changeFor('two', ann), changeFor('three', ann, cat))
    const since = async (position: string) =>
      (await here.sharedLog.since(cat, position))?.map(
        ({ change }) => change && (change.record as { username: string }).username,
      )
    expect(await since(start)).toEqual(['one', 'three'])
    const [first] = (await here.sharedLog.since(cat, start)) ?? []
    expect(await since(first?.position as string)).toEqual(['one', 'three'])
    // That of the second frame of one change begins with that of the change.
    expect(await since(`${first?.position.slice(0, -1)}001Z`)).toEqual(['one', 'three'])
    expect(await since('2026-01-01T00:00:00.000999999Z')).toBeUndefined()
    expect(await here.sharedLog.since(ann, start)).toBeNull()
    await here.bus.publish({ kind: 'friends_changed', userIds: [ann, cat] })
    await publish(here, changeFor('four', cat))
    expect(await since(start)).toEqual(['one', 'three', null, 'four'])
    there.bus.unwatch(cat)
  })

  it('remember together how far a client came', async () => {
    const seat = { userId: bob, clientId: 'tab: 1', topic: 'realtime:pings' }
    const place: Place = { signature: 's', position: 'p', hasTold: true, isOwed: false }
    expect(await there.sharedLog.placeOf(seat)).toBeNull()
    await here.sharedLog.keepPlaces([{ ...seat, ...place }])
    expect(await there.sharedLog.placeOf(seat)).toEqual(place)
    expect(await there.sharedLog.placeOf({ ...seat, userId: ann })).toBeNull()
    await here.sharedLog.forgetPlace(seat)
    expect(await there.sharedLog.placeOf(seat)).toBeNull()
  })

  describe('where someone is online', () => {
    const metaOf = (phx_ref: string): Meta => ({
      phx_ref,
      user_id: ann,
      online_at: `2026-01-01T00:00:0${phx_ref}.000Z`,
    })

    const buried: string[] = []

    async function openAttendance() {
      const pair = await connectRedis(redis.url, silent)
      const self = randomUUID()
      const onBuried = async (node: string) => void buried.push(node)
      const attendance = await createRedisAttendance(pair.commands, { self, onBuried }, silent)
      const events: string[] = []
      let wake = () => {}
      const on = (what: string) => {
        events.push(what)
        wake()
      }
      attendance.listen({
        onLost: ({ phx_ref }, isLast) => on(`lost ${phx_ref}${isLast ? ', the last' : ''}`),
        onRestored: ({ phx_ref }, isFirst) => on(`restored ${phx_ref}${isFirst ? ', the first' : ''}`),
      })
      const stop = () => {
        attendance.stop()
        pair.close()
      }
      onTestFinished(stop)
      const until = async (count: number) => {
        while (events.length < count)
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        return events
      }
      return { self, pair, attendance, until, stop }
    }

    it('know it everywhere, who was first and who is last', async () => {
      const [{ attendance: one }, { attendance: two }] = [await openAttendance(), await openAttendance()]
      expect([await one.enter(metaOf('1')), await two.enter(metaOf('2'))]).toEqual([true, false])
      expect(await two.metasOf([bob, ann])).toEqual(new Map([[ann, [metaOf('1'), metaOf('2')]]]))
      expect(await one.onlineAmong([bob, ann])).toEqual(new Set([ann]))
      expect([await one.leave(metaOf('1')), await one.leave(metaOf('1'))]).toEqual([false, false])
      expect([await two.leave(metaOf('2')), await one.isOnline(ann)]).toEqual([true, false])
    })

    it(`notice a dead node within seconds, once`, { timeout: 6 * attendanceLimits.deadMs }, async () => {
      const [dead, one, two] = [await openAttendance(), await openAttendance(), await openAttendance()]
      await dead.attendance.enter(metaOf('3'))
      await dead.attendance.enter(metaOf('4'))
      dead.stop()
      while (await one.attendance.isOnline(ann)) await new Promise((resolve) => setTimeout(resolve, 50))
      const events = await Promise.race([one.until(2), two.until(2)])
      expect(events.map((event) => event.slice(0, 4))).toEqual(['lost', 'lost'])
      expect(events[1]).toContain('the last')
      expect([...(await Promise.all([one.until(0), two.until(0)])).flat()]).toHaveLength(2)
      expect(buried.filter((node) => node === dead.self)).toHaveLength(1)
    })

    it('say again what they know where Redis came back with what it knew before', async () => {
      const { pair, attendance, until } = await openAttendance()
      await attendance.enter(metaOf('6'))
      await pair.commands.del(`${redisPrefix}online:${ann}`)
      pair.commands.disconnect(true)
      expect(await until(1)).toEqual(['restored 6, the first'])
    })

    it('say again what they know where Redis came back empty', { timeout: 6 * attendanceLimits.deadMs }, async () => {
      const { attendance, until } = await openAttendance()
      await attendance.enter(metaOf('5'))
      await redis.kill()
      await redis.start()
      expect(await until(1)).toEqual(['restored 5, the first'])
      expect(await attendance.isOnline(ann)).toBe(true)
    })
  })

  it('take turns where they change the same thing, and in nothing else', async () => {
    const [one, two] = [createRedisTurns(here.pair.commands, 'one'), createRedisTurns(there.pair.commands, 'two')]
    const order: string[] = []
    const first = await one.take(['ping 1', 'ping 2'], [])
    const second = two.take(['ping 2'], []).then((turn) => {
      order.push('second')
      turn.end()
    })
    const third = one.take(['ping 1'], []).then((turn) => {
      order.push('third')
      turn.end()
    })
    ;(await two.take(['ping 3'], [])).end()
    ;(await two.take([], [])).end()
    expect(order).toEqual([])
    first.end()
    await Promise.all([second, third])
    expect(order.sort()).toEqual(['second', 'third'])
    // And again, though nobody is there any more to end it.
    await two.take(['ping 1'], [ann])
    ;(await one.take(['ping 1'], [])).end()
  })

  it('know whom a dead node may have left untold', async () => {
    const turns = createRedisTurns(here.pair.commands, 'dying')
    const told = await turns.take(['ping 1'], [cat])
    await turns.take(['ping 2'], [ann, bob])
    told.end()
    expect((await findPending(there.pair.commands, 'dying')).sort()).toEqual([ann, bob])
    await forgetPending(there.pair.commands, 'dying')
    expect(await findPending(there.pair.commands, 'dying')).toEqual([])
    const start = (await watched(cat)) as string
    await publish(here, changeFor('one', cat))
    expect(await there.sharedLog.since(cat, start)).toHaveLength(1)
    await here.bus.publish({ kind: 'missed', userIds: [cat] })
    expect(await there.sharedLog.since(cat, start)).toBeNull()
    there.bus.unwatch(cat)
  })

  /** Where their log stands. */
  async function watched(userId: UserId) {
    await there.bus.watch(userId)
    return there.sharedLog.positionOf(userId)
  }

  it('that were cut off know that they missed something, and hear again', async () => {
    await there.bus.watch(bob)
    for (const { heard } of [here, there]) heard.length = 0
    await redis.kill()
    await until(() => here.pair.commands.status !== 'ready')
    await publish(here, changeFor('meanwhile', bob))
    // Here it is known at once.
    expect(here.heard).toMatchObject([{ kind: 'changes', changes: [{ audience: [bob] }] }])
    await redis.start()
    await until(() => told(there).includes('gap'))
    await until(() => [here, there].every(({ pair }) => pair.commands.status === 'ready'))
    await publish(here, changeFor('afterwards', bob))
    await until(() => told(there).includes('b afterwards'))
  })

  it('say late, and in order, what they had to say while they were cut off', async () => {
    await there.bus.watch(bob)
    await here.bus.watch(bob)
    for (const { heard } of [here, there]) heard.length = 0
    here.pair.commands.disconnect(true)
    await publish(here, changeFor('one', bob), changeFor('two', bob))
    await publish(here, changeFor('three', bob))
    await until(() => here.pair.commands.status === 'ready')
    await publish(here, changeFor('four', bob))
    await until(() => told(there).includes('b four'))
    expect(told(there)).toEqual(['b one', 'b two', 'b three', 'b four'])
    // What was said here at once is not said again.
    const changes = here.heard.flatMap((message) => (message.kind === 'changes' ? message.changes : []))
    expect(changes.map(({ record }) => (record as { username: string }).username)).toEqual([
      'one',
      'two',
      'three',
      'four',
    ])
    for (const { bus } of [here, there]) bus.unwatch(bob)
  })

  it('tell a change once, though it is said again because the answer was lost', async () => {
    await there.bus.watch(cat)
    const log = createRedisLog(here.pair.commands)
    const change = { ...changeFor('once', cat), committedAt: '2026-01-01T00:00:00.000001000Z' }
    const start = there.sharedLog.positionOf(cat) as string
    const channelOf = (userId: UserId) => `${redisPrefix}user:${userId}`
    there.heard.length = 0
    await log.tell([change], channelOf)
    await log.tell([change], channelOf)
    await publish(here, changeFor('last', cat))
    await until(() => told(there).includes('c last'))
    expect(told(there)).toEqual(['c once', 'c last'])
    expect(await here.sharedLog.since(cat, start)).toHaveLength(2)
    there.bus.unwatch(cat)
  })

  it('say later what Redis refused, though the connection stayed', async () => {
    await there.bus.watch(bob)
    there.heard.length = 0
    await here.pair.commands.config('SET', 'maxmemory', '1')
    await publish(here, changeFor('refused', bob))
    await here.pair.commands.config('SET', 'maxmemory', '0')
    await publish(here, changeFor('next', bob))
    await until(() => told(there).length >= 2)
    expect(told(there)).toEqual(['b refused', 'b next'])
    there.bus.unwatch(bob)
  })

  it('end later what was ended while the node was cut off', async () => {
    there.heard.length = 0
    const ended = { kind: 'sessions_ended', sessionIds: [] } as const
    const unfriended = { kind: 'friends_changed', userIds: [ann, bob] } as const
    here.pair.commands.disconnect(true)
    await here.bus.publish(ended)
    await here.bus.publish({ kind: 'deliveries_waiting' })
    await here.bus.publish(unfriended)
    await until(() => there.heard.length >= 2)
    expect(there.heard).toEqual([ended, unfriended])
  })

  it('never write the same time, so that no change is taken for another', async () => {
    const nodes = await Promise.all(Array.from({ length: 50 }, openNode))
    onTestFinished(() => {
      for (const { pair } of nodes) pair.close()
    })
    await there.bus.watch(bob)
    const from = there.heard.length
    await Promise.all(nodes.map((node) => publish(node, changeFor('x', bob))))
    await there.until(from + nodes.length)
    const times = there.heard
      .slice(from)
      .flatMap((message) => (message.kind === 'changes' ? message.changes.map(({ committedAt }) => committedAt) : []))
    expect(new Set(times.map((time) => time.slice(-4))).size).toBe(nodes.length)
    there.bus.unwatch(bob)
  })

  it('wait for no Redis that hangs, and notice that they hear nothing', { timeout: 30_000 }, async () => {
    for (const { heard } of [here, there]) heard.length = 0
    await here.pair.commands.client('PAUSE', 60_000, 'ALL')
    await publish(here, changeFor('meanwhile', bob))
    expect(here.heard).toMatchObject([{ kind: 'changes' }])
    await until(() => there.pair.subscriber.status !== 'ready')
    await redis.kill()
    await redis.start()
    await until(() => [here, there].every((node) => told(node).includes('gap')))
    await until(() => [here, there].every(({ pair }) => pair.commands.status === 'ready'))
  })

  it('count calls together', async () => {
    const [one, two] = [here, there].map(({ pair }) => createRedisRateLimits(pair.commands, () => new Date()))
    const limit = { max: 3, seconds: 60 }
    expect(await one?.take('k', limit)).toBeNull()
    expect(await two?.take('k', limit)).toBeNull()
    expect(await one?.take('k', limit)).toBeNull()
    expect(await two?.take('k', limit)).toBe(20)
    expect(await two?.take('other', limit)).toBeNull()
    const short = { max: 1, seconds: 0.2 }
    expect(await one?.take('short', short)).toBeNull()
    expect(await two?.take('short', short)).toBe(1)
    await expect.poll(() => two?.take('short', short)).toBeNull()
  })

  it.each([30_000, -30_000])('count calls together though the clock of one is %i ms off', async (skewMs) => {
    const limitsAt = ({ pair }: Node, at: number) => createRedisRateLimits(pair.commands, () => new Date(at))
    const [one, two] = [limitsAt(here, Date.now()), limitsAt(there, Date.now() + skewMs)]
    const limit = { max: 4, seconds: 20 }
    const key = `skewed ${skewMs}`
    const answers: (number | null)[] = []
    for (const limits of [one, two, two, one]) answers.push(await limits.take(key, limit))
    expect(answers).toEqual([null, null, null, null])
    expect([await one.take(key, limit), await two.take(key, limit)]).toEqual([5, 5])
  })

  it('do not refuse for longer than a limit lasts where the clock of Redis was set back', async () => {
    const limits = createRedisRateLimits(here.pair.commands, () => new Date())
    await here.pair.commands.set(`${redisPrefix}limit:back`, String(Date.now() + 3_600_000), 'PX', 3_600_000)
    expect(await limits.take('back', { max: 1, seconds: 60 })).toBeNull()
    expect(await limits.take('back', { max: 1, seconds: 60 })).toBe(60)
  })

  it('count for themselves while Redis is away', async () => {
    const limits = createRedisRateLimits(here.pair.commands, () => new Date(0))
    await redis.kill()
    await until(() => here.pair.commands.status !== 'ready')
    const limit = { max: 1, seconds: 60 }
    expect(await limits.take('k', limit)).toBeNull()
    expect(await limits.take('k', limit)).toBe(60)
  })
})

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10))
}
