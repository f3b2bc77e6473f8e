import postgres from 'postgres'
import {
  type BuiltInDatabase,
  type BuiltInOptions,
  startBuiltInDatabase,
} from './built-in-database/built-in-database.ts'
import { startTemporaryDatabase, type TemporaryOptions } from './built-in-database/temporary.ts'
import { createLastingPool } from './lasting-pool.ts'

type Types = Record<string, unknown>
type Options = postgres.Options<Record<string, postgres.PostgresType>>

/** The connection pool. Pass it only to `changes.commit` or, for a single read, to a query. */
export type Pool = postgres.Sql<Types>

/** What queries take: the pool, or the transaction that shadows it. */
export type Db = postgres.ISql<Types>

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

const connectSeconds = 5
const closeSeconds = 5
const connectionsMax = { external: 8, builtIn: 6 } as const

/**
 * Opens the database. Timestamps come out as ISO 8601 UTC strings with milliseconds, the form they have on the wire. Throws
 * `StartError` if the built-in database cannot run, and the error of the driver if an external one cannot be reached.
 */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  if ('url' in location) return openPool(location.url, { max: connectionsMax.external }, null)
  const builtIn =
    'builtIn' in location
      ? await startBuiltInDatabase(location.builtIn)
      : await startTemporaryDatabase(location.temporary)
  const { address } = builtIn
  const options = {
    username: 'hither',
    database: 'hither',
    max: connectionsMax.builtIn,
    ...('path' in address
      ? { path: address.path }
      : { host: address.host, port: address.port, ...(address.password !== null && { password: address.password }) }),
  }
  try {
    return await openPool(null, options as Options, builtIn)
  } catch (error) {
    await builtIn.close()
    throw error
  }
}

async function openPool(url: string | null, given: Options, builtIn: BuiltInDatabase | null): Promise<Database> {
  const options = await learn(url, given)
  const pool = createLastingPool(
    (onLost) => connectAgain({ ...options, onclose: onLost }),
    () => connectAgain({ ...options, max: 1, connection: { ...options.connection, application_name: 'hither watch' } }),
  )
  return {
    pool,
    builtIn,
    async close() {
      await pool.end({ timeout: closeSeconds })
      await builtIn?.close()
    },
  }
}

/**
 * What the library found out of the server, and would ask again on each connection: it waits for that without listening for
 * an error, so that a connection lost meanwhile would end the process. Throws where the server cannot be reached.
 */
async function learn(url: string | null, given: Options): Promise<Options> {
  const sql = connect(url, { ...given, max: 1, connect_timeout: connectSeconds, max_lifetime: null })
  try {
    await sql`select 1`
    return { ...sql.options, max: given.max, fetch_types: false, backoff: () => 0 } as unknown as Options
  } finally {
    await sql.end({ timeout: 0 })
  }
}

function connectAgain(options: Options): Pool {
  return postgres(options) as unknown as Pool
}

/** As PostgreSQL writes it in UTC, with as many digits of the second as there are. */
const usual = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,3})?\+00$/

function isoTime(value: string): string {
  // To read it as a date would cost four times as much.
  if (!usual.test(value)) return new Date(value).toISOString()
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(3, '0')}Z`
}

/** The options of every connection, whichever server it goes to. */
function connect(url: string | null, options: Options): Pool {
  const all: Options = {
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
  }
  return (url === null ? postgres(all) : postgres(url, all)) as unknown as Pool
}
