import { type UserId } from '@hither/contract/ids.ts'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { type Change } from '../../server/src/platform/bus.ts'
import { connectRedis } from '../../server/src/platform/redis.ts'
import { createRedisBus } from '../../server/src/platform/redis-bus.ts'
import { createRedisTurns } from '../../server/src/platform/redis-turns.ts'
import { openRedis } from '../../server/test/redis-server.ts'
import { table } from './soak/report.ts'

/**
 * `npm run bench:redis`: what Redis itself spends, in processor time, on what the nodes do by way of it. Not what a node
 * waits for it.
 */
const watched = 20_000
const times = 5000

const server = await openRedis()
const probe = new Redis(server.url)
const log = pino({ level: 'silent' })
const pair = await connectRedis(server.url, log)
const { bus, sharedLog, close } = await createRedisBus(pair, log, (error) => {
  throw error
})
const turns = createRedisTurns(pair.commands, 'bench')
try {
  const idOf = (index: number) => `0190a0a0-0000-7000-8000-${String(index).padStart(12, '0')}` as UserId
  const opened = await costOf(watched, async () => {
    for (let from = 0; from < watched; from += 500)
      await Promise.all(Array.from({ length: 500 }, (_, index) => bus.watch(idOf(from + index))))
  })
  // The first so many are connected, the others are nobody's.
  const audienceOf = (size: number, online: number, round: number) =>
    Array.from({ length: size }, (_, index) =>
      idOf(index < online ? (round * size + index) % watched : watched + index + round),
    )
  const tell = (size: number, online: number) =>
    costOf(times, async () => {
      for (let round = 0; round < times; round += 50)
        await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            bus.publish({ kind: 'changes', changes: [changeFor(audienceOf(size, online, round + index))] }),
          ),
        )
    })
  const turn = await costOf(times, async () => {
    for (let round = 0; round < times; round += 50)
      await Promise.all(
        Array.from({ length: 50 }, async (_, index) => (await turns.take([`ping ${round + index}`], [idOf(0)])).end()),
      )
    await pair.commands.ping()
  })
  const places = await costOf(watched, async () => {
    for (let from = 0; from < watched; from += 2000)
      await sharedLog.keepPlaces(
        Array.from({ length: 2000 }, (_, index) => ({
          userId: idOf(from + index),
          clientId: idOf(from + index),
          topic: 'realtime:changes',
          signature: '["2.0.0",[1,2,3,4,5,6,7,8]]',
          position: new Date().toISOString(),
          hasTold: true,
          isOwed: false,
        })),
      )
  })
  const [alone, some, many, pinged] = [await tell(1, 1), await tell(16, 2), await tell(16, 16), await tell(56, 5)]
  process.stdout.write(
    table([
      ['', 'CPU µs of Redis'],
      ['a person is watched: subscribe, open their log', opened.toFixed(1)],
      ['a turn is taken and ended', turn.toFixed(1)],
      ['a change for 1, who is there', alone.toFixed(1)],
      ['a change for 16, of whom 2 are there', some.toFixed(1)],
      ['a change for 16, who are all there', many.toFixed(1)],
      ['a change for 56, of whom 5 are there', pinged.toFixed(1)],
      ['a place is kept', places.toFixed(1)],
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

function changeFor(audience: UserId[]): Change {
  const record = { id: audience[0] as UserId, username: 'someone', has_image: false, is_online: true }
  return { table: 'users', type: 'INSERT', record, oldRecord: null, audience, committedAt: new Date().toISOString() }
}
