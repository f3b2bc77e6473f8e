import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { stopStaleProcess } from '../src/platform/db/built-in-database/stale-process.ts'
import { migrate } from '../src/platform/db/migrations.ts'
import { type Database, openDatabase } from '../src/platform/db/open-database.ts'

/** Data folders that contain a built-in database with the current schema. Servers start faster on them than on empty folders. */
export interface DataFolders {
  /** Creates a new folder for a server. `remove` deletes it. */
  make(): Promise<string>
  remove(): Promise<void>
}

/** Creates a template database. Every folder is a copy of it, with the same file owners. The caller calls `remove` at the end. */
export async function createDataFolders(): Promise<DataFolders> {
  const parent = await mkdtemp(join(tmpdir(), 'hither-folders-'))
  // The user of the database must be able to traverse this folder. The folders below it are private.
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
      // Stops the databases of servers that a test killed.
      for (const name of await readdir(parent))
        await stopStaleProcess(join(parent, name), null, pino({ level: 'silent' }))
      await rm(parent, { recursive: true, force: true })
    },
  }
}

/** Copies a folder with its file owners, which PostgreSQL checks. `to` must not exist or must be empty. */
export async function copyDataFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await promisify(execFile)('cp', ['-a', `${from}/.`, to])
}

/** Opens the built-in database of a folder. No server may be running on the folder. */
export function openFolder(dataDir: string): Promise<Database> {
  return openDatabase({ builtIn: { dataDir, log: pino({ level: 'silent' }), isDurable: false } })
}
