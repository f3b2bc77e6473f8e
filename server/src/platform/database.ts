import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import postgres from 'postgres'
import { createLastingPool } from './lasting-pool.ts'
import { transact, type Work } from './transactions.ts'

type Types = Record<string, unknown>
type Options = postgres.Options<Record<string, postgres.PostgresType>>

/** The connection pool. Pass it only to `changes.commit` or, for a single read, to a query. */
export type Pool = postgres.Sql<Types>

/** What queries take: the pool, or the transaction that shadows it. */
export type Db = postgres.ISql<Types>

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

const connectSeconds = 5

/** Opens the database. Timestamps come out as ISO 8601 UTC strings with milliseconds, the form they have on the wire. */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  if ('url' in location) {
    const options = await learn(location.url)
    const pool = createLastingPool(
      (onLost) => connectAgain({ ...options, max: 8, onclose: onLost }),
      () =>
        connectAgain({ ...options, max: 1, connection: { ...options.connection, application_name: 'hither watch' } }),
    )
    return { pool, broken: new Promise(() => {}), close: () => pool.end({ timeout: 5 }) }
  }
  return 'folder' in location ? openEmbedded(location.folder) : openEmbedded('memory://', location.template)
}

const hint = 'Is there room on the disk? Started again, it goes on with all that it acknowledged.'

/**
 * PGlite in a worker thread, behind a Unix socket in a folder that only this user may enter. One connection: PGlite runs
 * one statement at a time whatever the number, and postgres.js pipelines over it.
 */
async function openEmbedded(dataDir: string, template?: string): Promise<Database> {
  const socketFolder = await mkdtemp(join(tmpdir(), 'hither-'))
  // The name libpq gives its sockets; postgres.js is told the folder's file directly.
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

  const pool = connect('postgres://postgres@localhost/postgres', { max: 1, path: socketPath })
  const begin = (...args: [string, Work] | [Work]) =>
    args.length === 1 ? transact(pool, always, '', args[0]) : transact(pool, always, ...args)
  return {
    pool: Object.assign(pool, { begin }) as unknown as Pool,
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

/**
 * What the library found out of the server, and would ask again on each connection: it waits for that without listening for
 * an error, so that a connection lost meanwhile would end the process. Throws where the server cannot be reached.
 */
async function learn(url: string): Promise<Options> {
  const sql = connect(url, { max: 1, connect_timeout: connectSeconds, max_lifetime: null })
  try {
    await sql`select 1`
    return { ...sql.options, fetch_types: false, backoff: () => 0 } as unknown as Options
  } finally {
    await sql.end({ timeout: 0 })
  }
}

function connectAgain(options: Options): Pool {
  return postgres(options) as unknown as Pool
}

// The thread next door.
const always = { isLost: false }

/** As PostgreSQL writes it in UTC, with as many digits of the second as there are. */
const usual = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,3})?\+00$/

function isoTime(value: string): string {
  // To read it as a date would cost four times as much.
  if (!usual.test(value)) return new Date(value).toISOString()
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(3, '0')}Z`
}

function connect(url: string, options: Options): Pool {
  return postgres(url, {
    ...options,
    onnotice: () => undefined,
    connection: { application_name: 'hither', TimeZone: 'UTC' },
    types: {
      timestamptz: {
        to: 1184,
        from: [1184],
        serialize: (value: Date | string) => (value instanceof Date ? value.toISOString() : value),
        parse: isoTime,
      },
    },
  }) as unknown as Pool
}
