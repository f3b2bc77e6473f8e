import { Socket } from 'node:net'
import pg from 'pg'
import { isOutdated } from './away.ts'
import { type Pool } from './database.ts'
import { createSql, type Rows, type StatementText } from './sql.ts'
import { type Connection, connectionLost, runTransaction, type Work } from './transactions.ts'
import { types } from './types.ts'

/** How long a call waits for a connection, whether all are in use or the server does not take a new one. */
const connectMs = 8000
/** The server ends a statement that takes longer. `allowLongWork` lifts both limits for one transaction. */
const statementMs = 30_000
/** The server closes a connection whose transaction waits longer than this for its next statement. */
const idleInTransactionMs = 10_000
/** A server process grows with the statements that it has prepared. */
const lifetimeSeconds = 3600
/** How often the watch asks whether the server still answers, and how long the answer may take. */
const watchEveryMs = 4000
const silentMs = 4000

export interface PoolOptions {
  /** Where and as whom: the driver's options. */
  readonly connection: pg.ClientConfig
  readonly max: number
  /** Whether to ask over one more connection if the server still answers. Not where it takes only one. */
  readonly isWatched: boolean
}

/**
 * A pool of connections. A connection that breaks fails what was sent on it, and only that, and is replaced. Where the server
 * stays silent for about eight seconds, every connection is cut: nobody waits for the time limits of TCP. A call that gets
 * no connection within eight seconds is rejected. Whoever creates it must call `end`.
 */
export function createPool({ connection, max, isWatched }: PoolOptions): Pool {
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
    // Statements of one transaction do not wait for the answers to those before them.
    pipeline: true,
    maxLifetimeSeconds: lifetimeSeconds,
    idleTimeoutMillis: 0,
  })
  // An idle connection broke. The pool has already removed it.
  pool.on('error', () => undefined)

  /** Resolves with a connection that nobody else uses. */
  function take(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      pool.connect((error, client, release) => {
        if (client) resolve(connectionOf(client, release, sockets.get(client)))
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

  return Object.assign(createSql(send), { begin, end })
}

/** By the text of a statement, its name on every connection. The program has a fixed number of texts. */
const names = new Map<string, string>()

function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = `s${names.size}`
    names.set(text, name)
  }
  return name
}

function connectionOf(
  client: pg.PoolClient,
  giveBack: (destroy: boolean) => void,
  socket: Socket | undefined,
): Connection {
  let isLost = false
  let isOld = false
  let isReleased = false
  let isCorked = false

  function release(isClean = true) {
    if (isReleased) return
    isReleased = true
    client.off('error', lose)
    const isKept = isClean && !isLost && !isOld
    giveBack(!isKept)
    // The driver would wait for the answers to what is under way, and a silent server does not send any.
    if (!isKept) socket?.destroySoon()
  }
  function lose() {
    isLost = true
    release()
  }
  client.on('error', lose)

  /** What is sent in the same round of the event loop goes out in one write. */
  function cork() {
    if (isCorked || !socket) return
    isCorked = true
    socket.cork()
    setImmediate(() => {
      isCorked = false
      socket.uncork()
    })
  }

  return {
    isLost: () => isLost,
    release,
    send({ text, values, isPrepared }) {
      cork()
      const config: pg.QueryConfig = { text, values: values as unknown[] }
      if (isPrepared) config.name = nameOf(text)
      return new Promise<Rows>((resolve, reject) => {
        client.query(config, (error: Error | null, result: pg.QueryResult | pg.QueryResult[]) => {
          if (!error) return resolve(rowsOf(result))
          if (isOutdated(error)) isOld = true
          reject(isLost && !(error instanceof pg.DatabaseError) ? connectionLost(error) : error)
        })
      })
    },
  }
}

/** Of several statements in one text, the rows of the last. */
function rowsOf(result: pg.QueryResult | pg.QueryResult[]): Rows {
  const { rows, rowCount, command } = Array.isArray(result) ? (result.at(-1) as pg.QueryResult) : result
  // Not enumerable, so that an answer to a client holds the rows only.
  return Object.defineProperties(rows, { count: { value: rowCount ?? 0 }, command: { value: command } }) as Rows
}

/** An error with a code, of the server or the system, passes on; the driver has none for a time limit. */
function unreachable(error: Error | undefined): Error {
  if (error && 'code' in error && error.code !== undefined) return error
  return Object.assign(new Error('The database does not answer', { cause: error }), { code: 'CONNECT_TIMEOUT' })
}

/**
 * Calls `onSilence` where the server does not answer in time. It asks over a connection of its own, so a slow statement does
 * not matter; nor does an error, as that of a server with too many connections. Returns what stops it.
 */
function watch(settings: pg.ClientConfig, onSilence: () => void): () => void {
  let client: pg.Client | null = null
  let socket: Socket | null = null
  let isStopped = false
  let timer = setTimeout(look, watchEveryMs).unref()

  async function ask(): Promise<void> {
    if (!client) {
      const own = new Socket()
      socket = own
      client = new pg.Client({ ...settings, application_name: 'hither watch', stream: () => own })
      client.on('error', () => undefined)
      await client.connect()
    }
    await client.query('select 1')
  }

  function drop() {
    socket?.destroy()
    client = null
    socket = null
  }

  async function look(): Promise<void> {
    const silence = setTimeout(() => {
      drop()
      onSilence()
    }, silentMs).unref()
    try {
      await ask()
    } catch {
      drop()
    } finally {
      clearTimeout(silence)
      if (!isStopped) timer = setTimeout(look, watchEveryMs).unref()
    }
  }

  return () => {
    isStopped = true
    clearTimeout(timer)
    drop()
  }
}
