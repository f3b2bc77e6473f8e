import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWebIfStale } from '../../../scripts/web-build.ts'
import { startPostgres } from '../../../server/test/postgres.ts'
import { openRedis } from '../../../server/test/redis-server.ts'
import { startHither } from '../hither.ts'
import type { Measured } from '../process.ts'

export const targetNames = ['embedded', 'postgres', 'cluster'] as const
export type TargetName = (typeof targetNames)[number]

/** A service under test as it is shipped. Its data is deleted when it stops. */
export interface Target {
  readonly name: TargetName
  readonly nodes: readonly Measured[]
  readonly dataDir: string
  /** The address of a random node. */
  nextUrl(): string
  stop(): Promise<void>
}

export async function startTarget(name: TargetName, onLog: (line: string) => void): Promise<Target> {
  await buildWebIfStale()
  const dataDir = await mkdtemp(join(tmpdir(), 'hither-soak-'))
  const { environment, close } = await startParts(name)
  const startNode = () =>
    startHither(
      {
        DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
        // Rate limits are on, and each simulated user has their own network address.
        TRUST_PROXY: 'loopback',
        // Load shedding is off, because other load on the machine would trigger it.
        LOAD_SHEDDING: 'off',
        GEOCODER_URL: 'off',
        MAP_ONLINE: 'off',
        BACKUPS_ENABLED: 'off',
        ...environment,
      },
      { onOutput: linesOf((line) => line.startsWith('{') && onLog(line)) },
    )
  const nodes = [await startNode(), ...(name === 'cluster' ? [await startNode()] : [])]
  return {
    name,
    nodes,
    dataDir,
    nextUrl: () => nodes[Math.floor(Math.random() * nodes.length)]?.url ?? '',
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()))
      await close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function startParts(name: TargetName): Promise<{ environment: Record<string, string>; close(): Promise<void> }> {
  if (name === 'embedded') return { environment: {}, close: async () => {} }
  const database = await startPostgres()
  const redis = name === 'cluster' ? await openRedis() : null
  return {
    environment: {
      DATABASE_URL: `${database.url}/hither`,
      AUTH_SECRET: randomUUID() + randomUUID(),
      ...(redis && { REDIS_URL: redis.url }),
    },
    async close() {
      await Promise.all([database.close(), redis?.close()])
    },
  }
}

/** Splits a stream of chunks into lines. */
function linesOf(onLine: (line: string) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  }
}
