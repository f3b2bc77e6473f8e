import { randomUUID } from 'node:crypto'
import type { UserId } from '@hither/contract/ids.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { hasRedis, openRedis, type RedisServer } from '../../test/redis-server.ts'
import type { Bus, BusMessage } from '../events/bus.ts'
import type { OutboxPeers } from '../events/outbox.ts'
import type { Meta } from '../presence/presence-store.ts'
import { connectRedis, type RedisPair, redisPrefix } from './redis.ts'
import { createRedisBus } from './redis-bus.ts'
import { createRedisPresenceStore, presenceStoreLimits } from './redis-presence-store.ts'
import { createRedisRateLimits } from './redis-rate-limits.ts'

const [ann, bob] = ['a', 'b'].map((digit) => `01900000-0000-7000-8000-00000000000${digit}`) as [UserId, UserId]
const silent = pino({ level: 'silent' })
const prefix = `${redisPrefix}test:`

interface Node {
  readonly bus: Bus
  readonly peers: OutboxPeers
  readonly pair: RedisPair
  readonly received: BusMessage[]
  /** Resolves when this many messages have been received in total. */
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
    const { bus, peers } = await createRedisBus(pair, prefix, silent, (error) => {
      throw error
    })
    const received: BusMessage[] = []
    const waiting: { count: number; resolve: () => void }[] = []
    bus.subscribe((message) => {
      received.push(message)
      for (const { count, resolve } of waiting) if (received.length >= count) resolve()
    })
    const until = (count: number) =>
      new Promise<void>((resolve) => {
        if (received.length >= count) resolve()
        else waiting.push({ count, resolve })
      })
    return { bus, peers, pair, received, until }
  }

  const typing = (topic: string) => ({ kind: 'typing', topic, userId: ann, sender: null }) as const

  it('deliver a broadcast once, on this node at once', async () => {
    const sent = here.bus.publish(typing('one'))
    expect(here.received).toEqual([typing('one')])
    await sent
    await there.until(1)
    await here.bus.publish(typing('two'))
    await there.until(2)
    expect(there.received).toEqual([typing('one'), typing('two')])
    expect(here.received).toEqual([typing('one'), typing('two')])
  })

  it('deliver presence only to nodes where a friend is connected', async () => {
    for (const { received } of [here, there]) received.length = 0
    await there.bus.watch(bob)
    const presence = (audience: UserId[]) => ({ kind: 'presence', audience, joins: [], leaves: [] }) as const
    await here.bus.publish(presence([ann, bob]))
    await there.until(1)
    expect(there.received).toEqual([presence([bob])])
    there.bus.unwatch(bob)
    await here.bus.publish(presence([bob]))
    await here.bus.publish(typing('last'))
    await there.until(2)
    expect(there.received).toEqual([presence([bob]), typing('last')])
    expect(here.received).toEqual([typing('last')])
  })

  it('wake one another for new outbox rows with the newest id', async () => {
    const ids: (number | null)[] = []
    let wake = () => {}
    there.peers.onWake((id) => {
      ids.push(id)
      wake()
    })
    for (const id of [1, 2, 3]) here.peers.wake(id)
    while (ids.at(-1) !== 3)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    expect(ids).toEqual([1, 3])
  })

  describe('the online status', () => {
    const metaOf = (phx_ref: string): Meta => ({
      phx_ref,
      user_id: ann,
      online_at: `2026-01-01T00:00:0${phx_ref}.000Z`,
    })

    async function openPresenceStore() {
      const pair = await connectRedis(redis.url, silent)
      const self = randomUUID()
      const presenceStore = await createRedisPresenceStore(pair.commands, { self, prefix }, silent)
      const events: string[] = []
      let wake = () => {}
      const on = (what: string) => {
        events.push(what)
        wake()
      }
      presenceStore.listen({
        onLost: ({ phx_ref }, isLast) => on(`lost ${phx_ref}${isLast ? ', the last' : ''}`),
        onRestored: ({ phx_ref }, isFirst) => on(`restored ${phx_ref}${isFirst ? ', the first' : ''}`),
      })
      const stop = () => {
        presenceStore.stop()
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
      return { self, pair, presenceStore, until, stop }
    }

    it('report on all nodes the first and the last connection of a user', async () => {
      const [{ presenceStore: one }, { presenceStore: two }] = [await openPresenceStore(), await openPresenceStore()]
      expect([await one.enter(metaOf('1')), await two.enter(metaOf('2'))]).toEqual([true, false])
      expect(await two.metasOf([bob, ann])).toEqual(new Map([[ann, [metaOf('1'), metaOf('2')]]]))
      expect(await one.onlineAmong([bob, ann])).toEqual(new Set([ann]))
      expect([await one.leave(metaOf('1')), await one.leave(metaOf('1'))]).toEqual([false, false])
      expect([await two.leave(metaOf('2')), await one.isOnline(ann)]).toEqual([true, false])
    })

    it(`notice a dead node within seconds, once`, { timeout: 6 * presenceStoreLimits.deadMs }, async () => {
      const [dead, one, two] = [await openPresenceStore(), await openPresenceStore(), await openPresenceStore()]
      await dead.presenceStore.enter(metaOf('3'))
      await dead.presenceStore.enter(metaOf('4'))
      dead.stop()
      while (await one.presenceStore.isOnline(ann)) await new Promise((resolve) => setTimeout(resolve, 50))
      const events = await Promise.race([one.until(2), two.until(2)])
      expect(events.map((event) => event.slice(0, 4))).toEqual(['lost', 'lost'])
      expect(events[1]).toContain('the last')
      expect([...(await Promise.all([one.until(0), two.until(0)])).flat()]).toHaveLength(2)
    })

    it('restore their connections if Redis returns with an older state', async () => {
      const { pair, presenceStore, until } = await openPresenceStore()
      await presenceStore.enter(metaOf('6'))
      await pair.commands.del(`${prefix}online:${ann}`)
      pair.commands.disconnect(true)
      expect(await until(1)).toEqual(['restored 6, the first'])
    })

    it('restore their connections if Redis returns empty', {
      timeout: 6 * presenceStoreLimits.deadMs,
    }, async () => {
      const { presenceStore, until } = await openPresenceStore()
      await presenceStore.enter(metaOf('5'))
      await redis.kill()
      await redis.start()
      expect(await until(1)).toEqual(['restored 5, the first'])
      expect(await presenceStore.isOnline(ann)).toBe(true)
    })
  })

  it('read presence and the outbox again after Redis was restarted, and then receive events', async () => {
    await there.bus.watch(bob)
    const ids: (number | null)[] = []
    there.peers.onWake((id) => ids.push(id))
    for (const { received } of [here, there]) received.length = 0
    await redis.kill()
    await until(() => !there.peers.isConnected())
    await here.bus.publish(typing('meanwhile'))
    expect(here.received).toEqual([typing('meanwhile')])
    await redis.start()
    // A gap message that arrived later would count as a message of the next test.
    await until(() => [here, there].every((node) => node.received.some(({ kind }) => kind === 'presence_gap')))
    expect(ids).toEqual([null])
    expect(there.peers.isConnected()).toBe(true)
    await until(() => [here, there].every(({ pair }) => pair.commands.status === 'ready'))
    await here.bus.publish({ kind: 'presence', audience: [bob], joins: [], leaves: [] })
    await until(() => there.received.at(-1)?.kind === 'presence')
    there.bus.unwatch(bob)
  })

  it('do not wait for a Redis that does not respond, and report it', { timeout: 30_000 }, async () => {
    for (const { received } of [here, there]) received.length = 0
    await here.pair.commands.client('PAUSE', 60_000, 'ALL')
    void here.bus.publish(typing('meanwhile'))
    expect(here.received).toEqual([typing('meanwhile')])
    await until(() => !there.peers.isConnected())
    await redis.kill()
    await redis.start()
    await until(() => [here, there].every((node) => node.received.some(({ kind }) => kind === 'presence_gap')))
    await until(() => [here, there].every(({ pair }) => pair.commands.status === 'ready'))
  })

  it('share rate limits', async () => {
    const [one, two] = [here, there].map(({ pair }) => createRedisRateLimits(pair.commands, prefix, () => new Date()))
    const limit = { max: 3, seconds: 60 }
    expect(await one?.take('k', limit)).toBeNull()
    expect(await two?.take('k', limit)).toBeNull()
    expect(await one?.take('k', limit)).toBeNull()
    expect(await two?.take('k', limit)).toBe(20)
    expect(await two?.take('other', limit)).toBeNull()
    const short = { max: 1, seconds: 1 }
    expect(await one?.take('short', short)).toBeNull()
    expect(await two?.take('short', short)).toBe(1)
    await expect.poll(() => two?.take('short', short)).toBeNull()
  })

  it.each([30_000, -30_000])('share rate limits although the clock of one node is %i ms off', async (skewMs) => {
    const limitsAt = ({ pair }: Node, at: number) => createRedisRateLimits(pair.commands, prefix, () => new Date(at))
    const [one, two] = [limitsAt(here, Date.now()), limitsAt(there, Date.now() + skewMs)]
    const limit = { max: 4, seconds: 20 }
    const key = `skewed ${skewMs}`
    const answers: (number | null)[] = []
    for (const limits of [one, two, two, one]) answers.push(await limits.take(key, limit))
    expect(answers).toEqual([null, null, null, null])
    expect([await one.take(key, limit), await two.take(key, limit)]).toEqual([5, 5])
  })

  it('do not refuse for longer than a limit lasts if the clock of Redis was set back', async () => {
    const limits = createRedisRateLimits(here.pair.commands, prefix, () => new Date())
    await here.pair.commands.set(`${prefix}limit:back`, String(Date.now() + 3_600_000), 'PX', 3_600_000)
    expect(await limits.take('back', { max: 1, seconds: 60 })).toBeNull()
    expect(await limits.take('back', { max: 1, seconds: 60 })).toBe(60)
  })

  it('count rate limits locally while Redis is unavailable', async () => {
    const limits = createRedisRateLimits(here.pair.commands, prefix, () => new Date(0))
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
