import { pino } from 'pino'
import postgres from 'postgres'
import { startTemporaryDatabase } from '../src/platform/built-in-database/temporary.ts'

export interface PostgresServer {
  /** Its address, without a database's name. */
  readonly url: string
  /** Of the process that all others of the server descend from. */
  pid(): number
  close(): Promise<void>
}

/**
 * A PostgreSQL server of its own on a port of this machine, as the demo has it: nothing of it is kept. Whoever connects is
 * the role `hither`, which may create databases here and is no superuser, as with the built-in database.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const server = await startTemporaryDatabase({ log: pino({ level: 'silent' }), onPort: true })
  const { address } = server
  if (!('port' in address)) throw new Error('The server listens on no port.')
  const admin = postgres(`postgres://postgres@127.0.0.1:${address.port}/postgres`, { max: 1 })
  await admin`alter role hither createdb`
  await admin.end()
  return { url: `postgres://hither@127.0.0.1:${address.port}`, pid: server.pid, close: server.close }
}
