import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { allowLongWork, type Db, type Pool } from './database.ts'

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url))

/** Any fixed number: two nodes that start at once wait for one another on it. */
const lockKey = 4_871_330

/**
 * Brings the schema up to date with `migrations/NNNN_name.sql`, each in its order and all in one transaction, so that a
 * failing one leaves the database as it was. Throws where a file that has run was changed or is gone since: the
 * database then belongs to another version of Hither.
 */
export async function migrate(pool: Pool): Promise<void> {
  await pool.begin(async (db) => {
    await allowLongWork(db)
    await db`select pg_advisory_xact_lock(${lockKey})`
    await applyMigrations(db, null)
  })
}

/** Joins the caller's transaction. Up to and with `last`; `null`: all there are. */
export async function applyMigrations(db: Db, last: string | null): Promise<void> {
  await db`create table if not exists migrations (
    name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`
  const files = await readMigrations()
  const applied = await db<Applied[]>`select name, checksum from migrations order by name`
  assertKnown(applied, files)
  for (const file of files.slice(applied.length)) {
    if (last !== null && file.name > last) return
    await db.unsafe(file.sql)
    await db`insert into migrations (name, checksum) values (${file.name}, ${file.checksum})`
  }
}

/** Whether the database has been in use, by an older version than this one. Changes nothing. */
export async function isOutdated(pool: Pool): Promise<boolean> {
  const [known] = await pool<[{ is_there: boolean }]>`select to_regclass('migrations') is not null as is_there`
  if (!known.is_there) return false
  const [{ count }] = await pool<[{ count: number }]>`select count(*)::integer as count from migrations`
  return count > 0 && count < (await readMigrations()).length
}

export interface Applied {
  readonly name: string
  readonly checksum: string
}

/** Throws where they are not the first ones of this version. */
export async function assertKnownMigrations(applied: readonly Applied[]): Promise<void> {
  assertKnown(applied, await readMigrations())
}

function assertKnown(applied: readonly Applied[], files: readonly Applied[]): void {
  applied.forEach(({ name, checksum }, index) => {
    const file = files[index]
    if (file?.name !== name || file.checksum !== checksum) {
      throw new Error(
        `Migration ${name} ran on this database but is not what this version of Hither has. Is the data folder from a newer version?`,
      )
    }
  })
}

async function readMigrations() {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}
