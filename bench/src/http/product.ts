import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHither } from '../hither.ts'
import type { Measured } from '../process.ts'

/** A fixed secret, so that sessions stay valid after a restart of the server. */
export const authSecret = 'a secret for the bench, long enough to sign'

/** Starts one node with production settings. Rate limits are on unless the settings turn them off, and each user stays below them. */
export async function startProduct(
  database: { url: string } | { dataDir: string },
  environment: Record<string, string> = {},
  nodeOptions: string[] = [],
): Promise<Measured> {
  const dataDir = 'dataDir' in database ? database.dataDir : await mkdtemp(join(tmpdir(), 'hither-bench-'))
  const server = await startHither(
    {
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      AUTH_SECRET: authSecret,
      BACKUPS_ENABLED: 'off',
      LOG_LEVEL: 'warn',
      ...('url' in database && { DATABASE_URL: database.url }),
      ...environment,
    },
    { nodeOptions },
  )
  return {
    ...server,
    async stop() {
      await server.stop()
      if ('url' in database) await rm(dataDir, { recursive: true, force: true })
    },
  }
}
