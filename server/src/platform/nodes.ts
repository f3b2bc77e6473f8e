import { randomUUID } from 'node:crypto'
import { type FastifyBaseLogger } from 'fastify'
import { type Attendance, createLocalAttendance } from './attendance.ts'
import { type Bus, createLocalBus } from './bus.ts'
import { createLocalRateLimits, type RateLimits } from './rate-limits.ts'
import { connectRedis } from './redis.ts'
import { createRedisAttendance } from './redis-attendance.ts'
import { createRedisBus } from './redis-bus.ts'
import { createRedisRateLimits } from './redis-rate-limits.ts'
import { createRedisTurns, findPending, forgetPending } from './redis-turns.ts'
import { type SharedLog } from './shared-log.ts'
import { createLocalTurns, type Turns } from './turns.ts'

/** What this node shares with the others of the service; a node without Redis is alone, and shares it with itself. */
export interface Nodes {
  readonly bus: Bus
  readonly rateLimits: RateLimits
  readonly turns: Turns
  readonly attendance: Attendance
  /** `null` where there is no other node to come from. */
  readonly sharedLog: SharedLog | null
  /** Rejects where the others cannot be reached. */
  ping(): Promise<void>
  close(): void
}

export async function joinNodes(redisUrl: string | null, now: () => Date, log: FastifyBaseLogger): Promise<Nodes> {
  const onListenerError = (error: unknown) => log.error({ err: error }, 'a listener of the bus failed')
  if (redisUrl === null) {
    return {
      bus: createLocalBus(onListenerError),
      rateLimits: createLocalRateLimits(now),
      turns: createLocalTurns(),
      attendance: createLocalAttendance(),
      sharedLog: null,
      ping: async () => {},
      close: () => {},
    }
  }
  const pair = await connectRedis(redisUrl, log)
  const { bus, sharedLog, close } = await createRedisBus(pair, log, onListenerError)
  const self = randomUUID()
  const onBuried = async (node: string) => {
    // Also where it is nobody: a session that it ended in its last moment has to be asked for.
    await bus.publish({ kind: 'missed', userIds: await findPending(pair.commands, node) })
    await forgetPending(pair.commands, node)
  }
  const attendance = await createRedisAttendance(pair.commands, { self, onBuried }, log)
  return {
    bus,
    rateLimits: createRedisRateLimits(pair.commands, now),
    turns: createRedisTurns(pair.commands, self),
    attendance,
    sharedLog,
    ping: async () => void (await pair.commands.ping()),
    close() {
      attendance.stop()
      close()
      pair.close()
    },
  }
}
