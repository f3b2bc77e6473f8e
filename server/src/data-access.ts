import { access, constants } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import { newestArchive } from './backups/newest-archive.ts'
import { deleteOldWorkFolders } from './backups/work-folder.ts'
import { ConfigError } from './config/values.ts'
import { type Config, readConfig } from './config.ts'
import { lockFolder, type RequestHandler } from './platform/data-folder/folder-lock.ts'
import { makeFolder } from './platform/data-folder/make-folder.ts'
import { restrictFolder } from './platform/data-folder/private-files.ts'
import { createDataDir, findDataDir } from './platform/db/built-in-database/data-dir.ts'
import { damaged } from './platform/db/built-in-database/database-folder.ts'
import { explainFileError } from './platform/db/built-in-database/file-errors.ts'
import { type Database, openDatabase } from './platform/db/open-database.ts'
import { isDamage } from './platform/errors/dependency-errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The settings of this process. If `DATA_DIR` is not set, root may get another folder than `./data`, see `findDataDir`. */
export async function readSettings(environment: Environment): Promise<Config> {
  const config = readConfig(environment)
  const dataDir = await findDataDir(environment)
  return dataDir === config.dataDir ? config : readConfig({ ...environment, DATA_DIR: dataDir })
}

interface OpenOptions {
  readonly log: FastifyBaseLogger
  /** Answers other processes that ask the holder of the data folder. */
  readonly answer?: RequestHandler
  /** Aborts a running start of the built-in database. */
  readonly signal?: AbortSignal
}

export interface OpenData extends Pick<Database, 'pool' | 'builtIn'> {
  /** Closes the database and releases the data folder. */
  close(): Promise<void>
}

/**
 * Takes the data folder and opens its database, or the one of `DATABASE_URL`. For the server, `backup` and `restore`. Throws
 * `StartError` with the sentence an operator needs.
 */
export async function openData(config: Config, { log, answer, signal }: OpenOptions): Promise<OpenData> {
  const { dataDir, databaseUrl } = config
  await createDataDir(dataDir)
  if (databaseUrl !== null) {
    await restrictFolder(dataDir, log)
    await deleteOldWorkFolders(dataDir)
    return openDatabase({ url: databaseUrl })
  }
  const unlock = await lockFolder(dataDir, answer)
  try {
    await deleteOldWorkFolders(dataDir)
    // The built-in database gives its folders the rights and the owner that they need.
    await restrictFolder(dataDir, log, (name) => name === 'run' || name.startsWith('postgres-'))
    const builtIn = { dataDir, log, newestArchive: () => newestArchive(config.backups.folder), signal }
    const database = await openDatabase({ builtIn })
    return {
      pool: database.pool,
      builtIn: database.builtIn,
      async close() {
        await database.close()
        await unlock()
      },
    }
  } catch (error) {
    await unlock()
    throw await explainStart(error, config)
  }
}

/** Explains errors of a start that come from the disk: of the file system, and of a built-in database that is damaged. */
export async function explainStart(error: unknown, { dataDir, databaseUrl, backups }: Config): Promise<unknown> {
  if (databaseUrl !== null || !isDamage(error)) return explainFileError(error, dataDir)
  return damaged({ dataDir, newestArchive: () => newestArchive(backups.folder) }, (error as Error).message)
}

/** Throws `ConfigError` if backups are on and cannot be written to their folder. */
export async function assertBackupFolder({ backups }: Config): Promise<void> {
  if (!backups.isOn) return
  try {
    await makeFolder(backups.folder)
    await access(backups.folder, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC') throw error
    throw new ConfigError(
      `BACKUP_DIR must be a folder that Hither can write to, and ${backups.folder} is not (${code}). Set BACKUP_DIR, or BACKUPS_ENABLED=off.`,
    )
  }
}
