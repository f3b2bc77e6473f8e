import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { stopLeftover } from '../src/platform/built-in-database/leftover.ts'
import { type Database, openDatabase } from '../src/platform/database.ts'
import { migrate } from '../src/platform/migrations.ts'

/** Data folders with a built-in database that has today's schema, from which servers start sooner than from nothing. */
export interface DataFolders {
  /** A new folder for a server; `remove` deletes it. */
  make(): Promise<string>
  remove(): Promise<void>
}

/** Creates one database; every folder is a copy of it, with the same owners. Call `remove` in the end. */
export async function createDataFolders(): Promise<DataFolders> {
  const parent = await mkdtemp(join(tmpdir(), 'hither-folders-'))
  // The database user passes through; the folders below are closed.
  await chmod(parent, 0o711)
  const template = join(parent, 'template')
  await mkdir(template)
  const database = await openFolder(template)
  await migrate(database.pool)
  await database.close()
  let count = 0
  return {
    async make() {
      const folder = join(parent, `data-${count++}`)
      await copyDataFolder(template, folder)
      return folder
    },
    async remove() {
      // Of servers that a test killed.
      for (const name of await readdir(parent)) await stopLeftover(join(parent, name), null, pino({ level: 'silent' }))
      await rm(parent, { recursive: true, force: true })
    },
  }
}

/** Copies a folder with its owners, which the database insists on. `to` must not be there yet, or be an empty folder. */
export async function copyDataFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await promisify(execFile)('cp', ['-a', `${from}/.`, to])
}

/** The built-in database of a folder on which no server runs. */
export function openFolder(dataDir: string): Promise<Database> {
  return openDatabase({ builtIn: { dataDir, log: pino({ level: 'silent' }), isDurable: false } })
}
