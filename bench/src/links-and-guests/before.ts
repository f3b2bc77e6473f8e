import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Pool } from '../../../server/src/platform/db/database.ts'
import { startHither } from '../hither.ts'
import type { MeasuredPostgres } from '../http/postgres.ts'
import { authSecret } from '../http/product.ts'
import type { Measured } from '../process.ts'

/** A checkout of an earlier version, with the common data set in a database of its own schema. */
export interface Before {
  readonly pool: Pool
  /** The address of its database. */
  readonly url: string
  /** Starts its server, on its database or through a proxy. */
  start(databaseUrl?: string): Promise<Measured>
  close(): Promise<void>
}

export async function openBefore(postgres: MeasuredPostgres, folder: string): Promise<Before> {
  const database = await postgres.create('before')
  const before: Before = {
    ...database,
    start: async (databaseUrl = database.url) =>
      startHither(
        {
          NODE_ENV: 'production',
          DATA_DIR: await mkdtemp(join(tmpdir(), 'hither-bench-')),
          DATABASE_URL: databaseUrl,
          AUTH_SECRET: authSecret,
          BACKUPS_ENABLED: 'off',
          RATE_LIMITS: 'off',
          LOAD_SHEDDING: 'off',
          MAP_ONLINE: 'off',
          LOG_LEVEL: 'warn',
        },
        { folder },
      ),
  }
  // The first start creates the schema.
  await (await before.start()).stop()
  // Its own data set fits its schema.
  const { loadDataSet } = (await import(resolve(folder, 'bench/src/data-set.ts'))) as typeof import('../data-set.ts')
  await loadDataSet(database.pool, 0.1)
  return before
}
