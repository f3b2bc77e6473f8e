import type { UserId } from '@hither/contract/ids.ts'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { connectRedis } from '../../server/src/cluster/redis.ts'
import { createRedisBus } from '../../server/src/cluster/redis-bus.ts'
import { openRedis } from '../../server/test/redis-server.ts'
import { table } from './soak/report.ts'

/**
 * `npm run bench:redis`: measures the CPU time of Redis for the operations of nodes, not the latency of Redis.
 */
const watched = 20_000
const times = 5000
const prefix = 'bench:'

const server = await openRedis()
const probe = new Redis(server.url)
const pair = await connectRedis(server.url, pino({ level: 'silent' }))
const { bus, close } = await createRedisBus(pair, prefix, pino({ level: 'silent' }), (error) => {
  throw error
})
try {
  const idOf = (index: number) => `0190a0a0-0000-7000-8000-${String(index).padStart(12, '0')}` as UserId
  const inBatches = async (count: number, size: number, work: (index: number) => Promise<unknown>) => {
    for (let from = 0; from < count; from += size)
      await Promise.all(Array.from({ length: size }, (_, index) => work(from + index)))
  }
  const subscribed = await costOf(watched, () => inBatches(watched, 500, (index) => bus.watch(idOf(index))))
  // The first `online` users are connected and the others are not.
  const audienceOf = (size: number, online: number, round: number) =>
    Array.from({ length: size }, (_, index) =>
      idOf(index < online ? (round * size + index) % watched : watched + index + round),
    )
  const presence = (size: number, online: number) =>
    costOf(times, () =>
      inBatches(times, 50, (round) =>
        bus.publish({ kind: 'presence', audience: audienceOf(size, online, round), joins: [], leaves: [] }),
      ),
    )
  const [alone, some, many] = [await presence(1, 1), await presence(16, 2), await presence(16, 16)]
  process.stdout.write(
    table([
      ['', 'CPU µs of Redis'],
      ['a person connects: subscribe to their channel', subscribed.toFixed(1)],
      ['presence for 1, who is connected', alone.toFixed(1)],
      ['presence for 16, of whom 2 are connected', some.toFixed(1)],
      ['presence for 16, who are all connected', many.toFixed(1)],
    ]),
  )
} finally {
  close()
  pair.close()
  probe.disconnect()
  await server.close()
}

async function costOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const before = await cpuMicroseconds()
  await work()
  return ((await cpuMicroseconds()) - before) / count
}

async function cpuMicroseconds(): Promise<number> {
  const text = await probe.info('cpu')
  const part = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1])
  return (part('used_cpu_user') + part('used_cpu_sys')) * 1e6
}
