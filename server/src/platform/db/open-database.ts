import { dirname } from 'node:path'
import type pg from 'pg'
import {
  type BuiltInDatabase,
  type BuiltInOptions,
  startBuiltInDatabase,
} from './built-in-database/built-in-database.ts'
import { startTemporaryDatabase, type TemporaryOptions } from './built-in-database/temporary.ts'
import type { Pool, Tx } from './database.ts'
import { createPool } from './pool.ts'

export interface Database {
  readonly pool: Pool
  /** The PostgreSQL that runs as a child of this process; `null` for an external database. */
  readonly builtIn: BuiltInDatabase | null
  /** Closes the pool and, after it, the built-in database. */
  close(): Promise<void>
}

/** An external PostgreSQL server, the built-in one, or the built-in one with temporary data. */
type DatabaseLocation =
  | { readonly url: string }
  | { readonly builtIn: BuiltInOptions }
  | { readonly temporary: TemporaryOptions }

const closeSeconds = 5
/** After this time an idle connection of the built-in database is closed, which frees its memory. */
const connections = { external: { max: 8, idleMs: 0 }, builtIn: { max: 6, idleMs: 30_000 } } as const

/**
 * Opens the database. Throws `StartError` if the built-in database cannot run, and the error of the driver if an external one
 * cannot be reached.
 */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  if ('url' in location) return openPool({ connectionString: withLibpqModes(location.url) }, connections.external, null)
  const builtIn =
    'builtIn' in location
      ? await startBuiltInDatabase(location.builtIn)
      : await startTemporaryDatabase(location.temporary)
  try {
    return await openPool({ ...placeOf(builtIn), user: 'hither', database: 'hither' }, connections.builtIn, builtIn)
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

async function openPool(
  connection: pg.ClientConfig,
  limits: { readonly max: number; readonly idleMs: number },
  builtIn: BuiltInDatabase | null,
): Promise<Database> {
  const pool = createPool({ connection, ...limits, isWatched: true })
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

/** `sslmode` in an address has the same meaning as for `psql`: `require` encrypts without checking the certificate. */
function withLibpqModes(url: string): string {
  const address = new URL(url)
  if (!address.searchParams.has('sslmode')) return url
  address.searchParams.set('uselibpqcompat', 'true')
  return address.href
}

/** Lifts the time limits of statements for this transaction, as a migration, a backup or a restore needs. */
export async function allowLongWork(tx: Tx): Promise<void> {
  await tx.unsafe('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
}
