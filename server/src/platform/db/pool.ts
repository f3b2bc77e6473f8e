import { Socket } from 'node:net'
import pg from 'pg'
import { isDamage, isOutdated } from '../errors/dependency-errors.ts'
import { connectionOf } from './connections.ts'
import type { Pool, Work } from './database.ts'
import { createSql, type Rows, type StatementText } from './sql.ts'
import { type Connection, runTransaction } from './transactions.ts'
import { types } from './types.ts'
import { watch } from './watch.ts'

/** How long a call waits for a connection if all are in use or the server accepts no new one. */
const connectMs = 8000
/** The server cancels a statement that takes longer. `allowLongWork` lifts both limits for one transaction. */
const statementMs = 30_000
/** The server closes a connection whose transaction waits longer than this for its next statement. */
const idleInTransactionMs = 10_000
/** Prepared statements use memory in the server process, so their number is limited. */
const lifetimeSeconds = 3600

interface PoolOptions {
  /** The address and user: the options of the driver. */
  readonly connection: pg.ClientConfig
  readonly max: number
  /** After this many milliseconds an unused connection is closed; 0 means never. */
  readonly idleMs: number
  /**
   * Whether to use an additional connection to check that the server answers. `false` if the server accepts only one.
   */
  readonly isWatched: boolean
}

/**
 * A pool of connections. If a connection breaks, only the statements sent on it fail, and it is replaced. If the server
 * is silent for about eight seconds, every connection is cut, so that no call waits for the timeouts of TCP. A call
 * that gets no connection within eight seconds is rejected. The caller must call `end`.
 */
export function createPool({ connection, max, idleMs, isWatched }: PoolOptions): Pool {
  const settings: pg.ClientConfig = {
    application_name: 'hither',
    options: '-c TimeZone=UTC',
    types,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    ...connection,
  }
  const sockets = new Map<pg.ClientBase, Socket>()
  class Client extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      const socket = new Socket()
      super({ ...(config as pg.ClientConfig), stream: () => socket })
      sockets.set(this, socket)
      socket.once('close', () => sockets.delete(this))
    }
  }
  const pool = new pg.Pool({
    ...settings,
    Client,
    max,
    // Statements of one transaction do not wait for the results of earlier ones.
    pipeline: true,
    maxLifetimeSeconds: lifetimeSeconds,
    idleTimeoutMillis: idleMs,
  })
  // An idle connection broke. The pool has already removed it.
  pool.on('error', () => undefined)

  let damage: string | null = null
  function noteDamage(error: Error) {
    if (isDamage(error)) damage = (error as pg.DatabaseError).code ?? null
  }

  /** Resolves with a connection that is not shared. */
  function take(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      pool.connect((error, client, release) => {
        if (client) resolve(connectionOf(client, release, sockets.get(client), noteDamage))
        else reject(unreachable(error))
      })
    })
  }

  async function send(statement: StatementText): Promise<Rows> {
    const taken = await take()
    try {
      return await taken.send(statement)
    } catch (error) {
      if (!isOutdated(error)) throw error
      return await taken.send({ ...statement, isPrepared: false })
    } finally {
      taken.release()
    }
  }

  async function begin<T>(...args: [string, Work<T>] | [Work<T>]): Promise<T> {
    const [mode, work] = args.length === 1 ? ['', args[0]] : args
    return runTransaction(await take(), mode, work)
  }

  function cut() {
    for (const socket of sockets.values()) socket.destroy()
  }
  const stopWatching = isWatched ? watch(settings, cut) : () => undefined

  let ended: Promise<void> | null = null
  async function close(timeoutSeconds: number): Promise<void> {
    stopWatching()
    const timer = setTimeout(cut, timeoutSeconds * 1000)
    await pool.end()
    clearTimeout(timer)
  }
  function end({ timeout = 5 }: { timeout?: number } = {}): Promise<void> {
    ended ??= close(timeout)
    return ended
  }

  return Object.assign(createSql(send), { begin, end, damage: () => damage })
}

/** Errors with a code, of the server or the system, are rethrown. The driver has no code for a timeout. */
function unreachable(error: Error | undefined): Error {
  if (error && 'code' in error && error.code !== undefined) return error
  return Object.assign(new Error('The database does not answer', { cause: error }), { code: 'CONNECT_TIMEOUT' })
}
