import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openTestDatabase, type Person, type TestServer } from '../../test/harness.ts'
import { taggedPicture } from '../../test/pictures.ts'
import { storages, type TestStorage } from '../../test/storages.ts'
import { readConfig } from '../config.ts'
import type { Pool } from '../platform/db/database.ts'
import { type BackupDeps, backupDepsOf } from './backups.service.ts'
import { listTables } from './snapshot.queries.ts'

/** An empty machine: a database without a schema, a storage, and a folder for archives. */
export interface Machine {
  readonly storage: TestStorage
  readonly deps: BackupDeps
  close(): Promise<void>
}

export async function openMachine(kind = storages[0], backups?: string): Promise<Machine> {
  if (!kind) throw new Error('No storage')
  const storage = await kind.open()
  const { database, drop } = await openTestDatabase()
  const folder = backups ?? (await mkdtemp(join(tmpdir(), 'hither-backups-')))
  return {
    storage,
    deps: depsOn(database.pool, { ...storage.environment, BACKUP_DIR: folder }),
    async close() {
      await database.close()
      await drop()
      await storage.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export function depsOn(pool: Pool, environment: Record<string, string>): BackupDeps {
  return backupDepsOf(readConfig(environment), { pool, log: pino({ level: 'silent' }), now: () => new Date() })
}

/** Returns every row of every table as text. */
export async function contentOf(pool: Pool): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {}
  for (const { name } of await listTables(pool)) {
    const rows = await pool<{ row: string }[]>`select t::text as row from ${pool(name)} t order by 1`
    content[name] = rows.map(({ row }) => row)
  }
  return content
}

export async function uploadPicture(server: TestServer, path: string, person: Person): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob([(await taggedPicture('jpeg')) as Uint8Array<ArrayBuffer>]), 'me.jpg')
  const headers = { authorization: `Bearer ${person.session.access_token}` }
  const { status } = await fetch(`${server.url}${path}`, { method: 'POST', body: form, headers })
  if (status >= 300) throw new Error(`The picture was answered with ${status}`)
}
