import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { lockFolder } from '../../data-folder/folder-lock.ts'
import { type BuiltInDatabase, startBuiltInDatabase } from './built-in-database.ts'
import { stopStaleProcess } from './stale-process.ts'

export interface TemporaryOptions {
  readonly log: FastifyBaseLogger
  /** Listen on a free port of 127.0.0.1 for everyone on this machine; for tests. */
  readonly onPort?: boolean
}

const prefix = 'hither-temporary-'

/**
 * Starts the included PostgreSQL in a new temporary folder and without fsync, for demo, tests and benchmarks. `close`
 * removes the folder. The folder of a killed process is removed when the next one starts.
 */
export async function startTemporaryDatabase({ log, onPort = false }: TemporaryOptions): Promise<BuiltInDatabase> {
  await sweep(log)
  const dataDir = await mkdtemp(join(tmpdir(), prefix))
  const unlock = await lockFolder(dataDir)
  const remove = async () => {
    await unlock()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const database = await startBuiltInDatabase({ dataDir, log, isDurable: false, onPort })
    return {
      ...database,
      async close() {
        await database.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

async function sweep(log: FastifyBaseLogger): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    const folder = join(tmpdir(), name)
    const info = await lstat(folder).catch(() => null)
    if (!info?.isDirectory() || info.uid !== (process.geteuid?.() ?? info.uid)) continue
    // A folder without a lock is about to be used by another process.
    if ((await lstat(join(folder, 'running.lock')).catch(() => null)) === null) continue
    const unlock = await lockFolder(folder).catch(() => null)
    if (unlock === null) continue
    try {
      await stopStaleProcess(folder, null, log)
      await unlock()
      await rm(folder, { recursive: true, force: true })
    } catch (error) {
      log.warn({ err: error, folder }, 'temporary database could not be removed')
      await unlock()
    }
  }
}
