import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { freePort } from '../free-port.ts'
import { openRedis, type RedisServer } from '../redis-server.ts'
import { type ChaosDatabase, openChaosDatabase } from './database.ts'
import { createNodeProcess, type NodeProcess } from './node-process.ts'

const sampleMs = 500
/** The longest time that a connection of the service may be idle in a transaction. */
export const idleSecondsMax = 10

export interface Cluster {
  readonly nodes: readonly [NodeProcess, NodeProcess]
  readonly database: ChaosDatabase
  readonly redis: RedisServer
  /** The longest time in seconds that a connection of the service has now been idle in a transaction, or 0. Rejects if the database is unavailable. */
  longestIdle(): Promise<number>
  /** Returns and clears the faults since the last call, as sentences. */
  takeFaults(): string[]
  close(): Promise<void>
}

/** Starts PostgreSQL, Redis and two nodes, each in processes that can be killed and restarted. */
export async function startCluster(): Promise<Cluster> {
  let faults: string[] = []
  /** The longest observed idle time since the last report, in seconds. */
  let idleSeconds = 0
  const onFault = (sentence: string) => void faults.push(sentence)
  const folder = await mkdtemp(join(tmpdir(), 'hither-chaos-'))
  const [database, redis] = await Promise.all([openChaosDatabase(), openRedis()])
  const environment = {
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    AUTH_SECRET: 'a secret for tests, long enough to sign',
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
    LOAD_SHEDDING: 'off',
    MAP_ONLINE: 'off',
  }
  const createNode = async (name: string) => createNodeProcess({ name, port: await freePort(), environment }, onFault)
  const nodes = [await createNode('node 1'), await createNode('node 2')] as const
  // The nodes start one after the other, because the first one creates the tables.
  for (const node of nodes) await node.start()

  const admin = postgres(database.url, {
    max: 1,
    onnotice: () => undefined,
    connect_timeout: 2,
    connection: { application_name: 'chaos' },
  })
  const longestIdle = async () => {
    const [found] = await admin<[{ seconds: number }]>`
      select coalesce(max(extract(epoch from clock_timestamp() - state_change)), 0)::float as seconds
      from pg_stat_activity
      where datname = current_database() and application_name like 'hither%' and state like 'idle in transaction%'`
    return found.seconds
  }
  const sampler = setInterval(() => {
    longestIdle().then(
      (seconds) => {
        idleSeconds = Math.max(idleSeconds, seconds)
      },
      // The sample is skipped while the database is unavailable.
      () => undefined,
    )
  }, sampleMs)

  return {
    nodes,
    database,
    redis,
    longestIdle,
    takeFaults() {
      const isIdle = idleSeconds > idleSecondsMax
      const taken = isIdle
        ? [...faults, `a connection was idle in a transaction for ${idleSeconds.toFixed(1)} seconds`]
        : faults
      faults = []
      idleSeconds = 0
      return taken
    },
    async close() {
      clearInterval(sampler)
      await admin.end({ timeout: 1 })
      await Promise.all(nodes.map((node) => node.kill()))
      await Promise.all([database.close(), redis.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}
