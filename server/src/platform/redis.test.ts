import { type UserId } from '@hither/contract/ids.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasRedis, openRedis, type RedisServer } from '../../test/redis-server.ts'
import { type Bus, type BusMessage, type Change } from './bus.ts'
import { connectRedis, type RedisPair } from './redis.ts'
import { createRedisBus } from './redis-bus.ts'
import { createRedisRateLimits } from './redis-rate-limits.ts'

const [ann, bob] = ['01900000-0000-7000-8000-00000000000a', '01900000-0000-7000-8000-00000000000b'] as UserId[] as [
  UserId,
  UserId,
]
const silent = pino({ level: 'silent' })

interface Node {
  readonly bus: Bus
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
    const bus = await createRedisBus(pair, silent, (error) => {
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
    return { bus, pair, heard, until }
  }

  function changeFor(...audience: UserId[]): Change {
    const oldRecord = { id: ann, username: 'ann', has_image: false, is_online: false }
    return {
      table: 'users',
      type: 'DELETE',
      record: null,
      oldRecord,
      audience,
      committedAt: '2026-01-01T00:00:00.000Z',
    }
  }

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

  it('hear of changes for those who are connected to them, in order, and never for whom else', async () => {
    here.heard.length = 0
    there.heard.length = 0
    await there.bus.watch(bob)
    const changes = [changeFor(ann, bob), changeFor(ann), changeFor(bob)]
    await here.bus.publish({ kind: 'changes', changes })
    await there.until(1)
    expect(there.heard).toEqual([{ kind: 'changes', changes: [changeFor(bob), changeFor(bob)] }])
    there.bus.unwatch(bob)
    await here.bus.publish({ kind: 'changes', changes })
    const last = { kind: 'deliveries_waiting' } as const
    await here.bus.publish(last)
    await there.until(2)
    expect(there.heard.slice(1)).toEqual([last])
  })

  it('that were cut off know that they missed something, and hear again', async () => {
    there.heard.length = 0
    await there.bus.watch(bob)
    await redis.kill()
    await here.bus.publish({ kind: 'changes', changes: [changeFor(bob)] })
    await redis.start()
    await there.until(1)
    expect(there.heard).toEqual([{ kind: 'gap' }])
    await until(() => here.pair.commands.status === 'ready')
    await here.bus.publish({ kind: 'changes', changes: [changeFor(bob)] })
    await there.until(2)
    expect(there.heard.at(-1)).toEqual({ kind: 'changes', changes: [changeFor(bob)] })
  })

  it('count calls together', async () => {
    let at = Date.parse('2026-01-01T00:00:00Z')
    const [one, two] = [here, there].map(({ pair }) => createRedisRateLimits(pair.commands, () => new Date(at)))
    const limit = { max: 3, seconds: 60 }
    expect(await one?.take('k', limit)).toBeNull()
    expect(await two?.take('k', limit)).toBeNull()
    expect(await one?.take('k', limit)).toBeNull()
    expect(await two?.take('k', limit)).toBe(20)
    expect(await two?.take('other', limit)).toBeNull()
    at += 19_999
    expect(await one?.take('k', limit)).toBe(1)
    at += 1
    expect(await one?.take('k', limit)).toBeNull()
    expect(await two?.take('k', limit)).toBe(20)
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
