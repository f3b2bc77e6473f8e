import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Measured, start } from '../process.ts'

const main = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url))

/** One for all, so that who signed in at one start of the server is signed in at the next. */
export const authSecret = 'a secret for the bench, long enough to sign'

/** The server as in production: one node. Its limits are on, and each person stays below them, unless they are turned off. */
export async function startProduct(
  database: { url: string } | { dataDir: string },
  environment: Record<string, string> = {},
  nodeOptions: string[] = [],
): Promise<Measured> {
  const dataDir = 'dataDir' in database ? database.dataDir : await mkdtemp(join(tmpdir(), 'hither-bench-'))
  const server = await start(main, {
    ready: 'Hither is running',
    environment: {
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      AUTH_SECRET: authSecret,
      BACKUPS: 'off',
      LOG_LEVEL: 'warn',
      ...('url' in database && { DATABASE_URL: database.url }),
      ...environment,
    },
    nodeOptions,
  })
  return {
    ...server,
    async stop() {
      await server.stop()
      if ('url' in database) await rm(dataDir, { recursive: true, force: true })
    },
  }
}
