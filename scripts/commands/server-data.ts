import { pino } from 'pino'
import { joinCluster } from '../../server/src/cluster/cluster.ts'
import type { Config } from '../../server/src/config.ts'
import { openData, readSettings } from '../../server/src/data-access.ts'
import type { Changes } from '../../server/src/events/changes.ts'
import { queuePushes } from '../../server/src/notifications/push/pushes.service.ts'
import { createPrivateFiles } from '../../server/src/platform/data-folder/private-files.ts'
import type { Pool } from '../../server/src/platform/db/database.ts'

interface WriteDeps {
  readonly pool: Pool
  readonly changes: Changes
  readonly config: Config
  readonly now: () => Date
}

/**
 * Asks the server that runs on the built-in database; if none runs (`ask` returns undefined) or the database is another one, does
 * the work itself. Uses the settings of the server.
 */
export async function withServerData<T>(
  ask: (config: Config) => Promise<T | undefined>,
  work: (deps: WriteDeps) => Promise<T>,
): Promise<T> {
  const config = await readSettings(process.env)
  createPrivateFiles()
  if (config.databaseUrl === null) {
    const answer = await ask(config)
    if (answer !== undefined) return answer
  }
  const log = pino({ level: 'silent' })
  const now = () => new Date()
  const { pool, close } = await openData(config, { log })
  try {
    const { changes, close: leave } = await joinCluster(config.redisUrl, pool, now, log)
    changes.subscribe(queuePushes)
    try {
      return await work({ pool, changes, config, now })
    } finally {
      await leave()
    }
  } finally {
    await close()
  }
}
