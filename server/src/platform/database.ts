import { dirname } from 'node:path'
import type pg from 'pg'
import {
  type BuiltInDatabase,
  type BuiltInOptions,
  startBuiltInDatabase,
} from './built-in-database/built-in-database.ts'
import { startTemporaryDatabase, type TemporaryOptions } from './built-in-database/temporary.ts'
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
  /** The PostgreSQL that runs as a child of this process; `null` if the database is somebody else's. */
  readonly builtIn: BuiltInDatabase | null
  /** Closes the pool and, after it, the built-in database. */
  close(): Promise<void>
}

/** A PostgreSQL server that an operator runs, the one that Hither brings, or that one with data that nobody keeps. */
export type DatabaseLocation =
  | { readonly url: string }
  | { readonly builtIn: BuiltInOptions }
  | { readonly temporary: TemporaryOptions }

const closeSeconds = 5
const connectionsMax = { external: 8, builtIn: 6 } as const

/**
 * Opens the database. Throws `StartError` if the built-in database cannot run, and the error of the driver if an external one
 * cannot be reached.
 */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  if ('url' in location)
    return openPool({ connectionString: withLibpqModes(location.url) }, connectionsMax.external, null)
  const builtIn =
    'builtIn' in location
      ? await startBuiltInDatabase(location.builtIn)
      : await startTemporaryDatabase(location.temporary)
  try {
    return await openPool({ ...placeOf(builtIn), user: 'hither', database: 'hither' }, connectionsMax.builtIn, builtIn)
  } catch (error) {
    await builtIn.close()
    throw error
  }
}

/** The driver finds the socket by its folder and port. */
function placeOf({ address }: BuiltInDatabase): pg.ClientConfig {
  if ('path' in address) return { host: dirname(address.path), port: 5432 }
  return { host: address.host, port: address.port, ...(address.password !== null && { password: address.password }) }
}

async function openPool(connection: pg.ClientConfig, max: number, builtIn: BuiltInDatabase | null): Promise<Database> {
  const pool = createPool({ connection, max, isWatched: true })
  try {
    await pool`select 1`
  } catch (error) {
    await pool.end({ timeout: 0 })
    throw error
  }
  return {
    pool,
    builtIn,
    async close() {
      await pool.end({ timeout: closeSeconds })
      await builtIn?.close()
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
