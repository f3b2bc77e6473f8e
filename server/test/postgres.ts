import { pino } from 'pino'
import postgres from 'postgres'
import { startTemporaryDatabase } from '../src/platform/db/built-in-database/temporary.ts'

interface PostgresServer {
  /** The address of the server, without a database name. */
  readonly url: string
  /** The process id of the postmaster. */
  pid(): number
  close(): Promise<void>
}

/**
 * Starts a temporary PostgreSQL server on a port of the loopback address; `close` deletes its data. Clients connect as the
 * role `hither`, which may create databases and is no superuser, as with the built-in database.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const server = await startTemporaryDatabase({ log: pino({ level: 'silent' }), onPort: true })
  const { address } = server
  if (!('port' in address)) throw new Error('The server listens on no port.')
  const admin = postgres(`postgres://postgres@127.0.0.1:${address.port}/postgres`, { max: 1 })
  await admin`alter role hither createdb`
  // Its worker belongs to the superuser, so the role could not drop a database in which one is at work.
  await admin`alter system set autovacuum = off`
  await admin`select pg_reload_conf()`
  await admin.end()
  return { url: `postgres://hither@127.0.0.1:${address.port}`, pid: server.pid, close: server.close }
}
