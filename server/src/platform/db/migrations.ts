import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Pool, Tx } from './database.ts'
import { migrationSteps, type Notice } from './migration-steps.ts'
import { allowLongWork } from './open-database.ts'

const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url))

/** An arbitrary fixed number: the advisory lock that makes nodes migrate one after another. */
const lockKey = 4_871_330

/**
 * Applies the missing files `migrations/NNNN_name.sql` in order and in one transaction, so that a failing one leaves
 * the database unchanged. Throws if an applied file was changed or removed: the database then belongs to another
 * version of Hither.
 */
export async function migrate(pool: Pool): Promise<Notice[]> {
  return await pool.begin(async (tx) => {
    await allowLongWork(tx)
    await tx`select pg_advisory_xact_lock(${lockKey})`
    return applyMigrations(tx, null)
  })
}

/** Applies the migrations up to and including `last`; `null` means all. */
export async function applyMigrations(tx: Tx, last: string | null): Promise<Notice[]> {
  await tx`create table if not exists migrations (
    name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`
  const files = await readMigrations()
  const applied = await tx<Applied[]>`select name, checksum from migrations order by name`
  assertKnown(applied, files)
  const notices: Notice[] = []
  for (const file of files.slice(applied.length)) {
    if (last !== null && file.name > last) break
    // SQL and the names of steps alternate.
    for (const [index, part] of file.sql.split(/^-- run: (.+)$/m).entries())
      if (index % 2 === 0) await tx.unsafe(part)
      else notices.push(...(await stepOf(part)(tx)))
    await tx`insert into migrations (name, checksum) values (${file.name}, ${file.checksum})`
  }
  return notices
}

function stepOf(name: string) {
  const step = migrationSteps[name]
  if (!step) throw new Error(`There is no migration step "${name}".`)
  return step
}

/** Whether the database was used by an older version than this one. Changes nothing. */
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

/** Throws if the applied migrations are not the first ones of this version. */
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
