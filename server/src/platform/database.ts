import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createPool } from './pool.ts'
import { type Sql } from './sql.ts'
import { type Work } from './transactions.ts'

/** What queries take: the pool, for a single read, or a transaction. */
export type Db = Sql

/** The connection pool. Pass it only to `changes.commit` or, for a single read, to a query. */
export interface Pool extends Sql {
  /** Runs `work` in a transaction, see `runTransaction`. `mode`: of SQL's `begin`, as `isolation level repeatable read`. */
  begin<T>(work: Work<T>): Promise<T>
  begin<T>(mode: string, work: Work<T>): Promise<T>
  /** Waits for what is under way, at most `timeout` seconds (5 unless given), then closes every connection. */
  end(options?: { timeout?: number }): Promise<void>
}

export interface Database {
  readonly pool: Pool
  /** Rejects where nothing more can come of it: the process has to begin anew. */
  readonly broken: Promise<never>
  close(): Promise<void>
}

/**
 * Where the data lives: a PostgreSQL server, or a folder (or memory) of the embedded database. In memory it may begin with what a
 * dump of its data folder holds, a `.tar`.
 */
export type DatabaseLocation =
  | { readonly url: string }
  | { readonly folder: string }
  | { readonly memory: true; readonly template?: string | undefined }

/** Opens the database. Throws where it cannot be reached. */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  if ('url' in location) {
    const pool = createPool({ connection: { connectionString: withLibpqModes(location.url) }, max: 8, isWatched: true })
    try {
      await pool`select 1`
    } catch (error) {
      await pool.end({ timeout: 0 })
      throw error
    }
    return { pool, broken: new Promise(() => {}), close: () => pool.end({ timeout: 5 }) }
  }
  return 'folder' in location ? openEmbedded(location.folder) : openEmbedded('memory://', location.template)
}

const hint = 'Is there room on the disk? Started again, it goes on with all that it acknowledged.'

/**
 * PGlite in a worker thread, behind a Unix socket in a folder that only this user may enter. One connection: PGlite runs
 * one statement at a time whatever the number, and the driver pipelines over it.
 */
async function openEmbedded(dataDir: string, template?: string): Promise<Database> {
  const socketFolder = await mkdtemp(join(tmpdir(), 'hither-'))
  // The name libpq gives its sockets; the driver finds it by that.
  const socketPath = join(socketFolder, '.s.PGSQL.5432')
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
    workerData: { dataDir, socketPath, template },
  })
  const died = new Promise<never>((_, reject) => {
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The embedded database stopped with code ${code}. ${hint}`)))
  })
  died.catch(() => undefined)
  const ready = new Promise<void>((resolve) => {
    // Others speak on this line too: `node --watch` tells of every file the thread loads.
    worker.on('message', (message) => message === 'ready' && resolve())
  })
  await Promise.race([ready, died])

  const pool = createPool({
    connection: { host: socketFolder, port: 5432, user: 'postgres', database: 'postgres' },
    max: 1,
    isWatched: false,
  })
  return {
    pool,
    broken: died,
    async close() {
      await pool.end({ timeout: 5 })
      const stopped = new Promise((resolve) => worker.once('exit', resolve))
      worker.postMessage('stop')
      await stopped
      await rm(socketFolder, { recursive: true, force: true })
    },
  }
}

/** `sslmode` in an address means what it means to `psql`: `require` encrypts and checks no certificate. */
function withLibpqModes(url: string): string {
  const address = new URL(url)
  if (!address.searchParams.has('sslmode')) return url
  address.searchParams.set('uselibpqcompat', 'true')
  return address.href
}

/** Lifts the time limits of statements for this transaction, as a migration, a backup or a restore needs. */
export async function allowLongWork(db: Db): Promise<void> {
  await db.unsafe('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
}
