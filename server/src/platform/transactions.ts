import type postgres from 'postgres'
import { type Db, type Pool } from './database.ts'

export type Work = (db: Db) => unknown

/** What a transaction is for as long as the server can be reached. */
export interface Reach {
  readonly isLost: boolean
}

/** A connection as the library passes it to whoever begins a transaction, and leaves out of its types. */
interface Connection {
  queue: { remove(connection: Connection): unknown }
  /** Called when all that was sent has been answered; the library takes the connection back after the commit. */
  reserved: (() => void) | null
  onclose: ((error: Error) => void) | null
  /** Whether there is room for another at once. */
  execute(query: Query): boolean
}

interface Query extends postgres.PendingQuery<postgres.Row[]> {
  /** Called once it is awaited, or else asked to run. */
  handler: (query: Query) => void
  reject(error: Error): void
}

/**
 * As the library's `begin`, without waiting for the answer to `begin`: it goes together with the first statements. What is
 * asked of the transaction once it is over, or its connection gone, is refused: it would be lost, or end the process, or
 * reach the transaction of somebody else.
 */
export async function transact<T>(sql: Pool, reach: Reach, mode: string, work: (db: Db) => T): Promise<Awaited<T>> {
  const waiting: Query[] = []
  let isOver = false
  let isFull = false
  const connection = await take(sql, mode)
  connection.onclose = () => {
    isOver = true
    for (const query of waiting.splice(0)) query.reject(closed())
  }
  connection.reserved = () => {
    isFull = false
    while (!isFull && waiting.length > 0) send(waiting.shift() as Query)
  }
  function send(query: Query): void {
    if (isOver || reach.isLost) query.reject(closed())
    else if (isFull) waiting.push(query)
    else isFull = !connection.execute(query)
  }
  /** The last of the transaction; nothing of `db` comes after it. Waits for all: what waits here is sent as answers come. */
  async function end(...queries: postgres.PendingQuery<postgres.Row[]>[]) {
    isEnding = true
    for (const query of queries) claim(query, send).execute()
    return Promise.allSettled(queries)
  }
  let isEnding = false
  const db = shadow(sql, (query) => (isEnding ? query.reject(closed()) : send(query)))

  try {
    let result: Awaited<T>
    try {
      result = await work(db)
    } catch (error) {
      if (!isOver && !reach.isLost) await end(sql.unsafe('rollback'))
      throw error
    }
    const outcomes = await end(...(last.get(db) ?? []), sql.unsafe('commit'))
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    // Whoever caught the error of a statement would take for done what is undone.
    const commit = outcomes.at(-1)
    if (commit?.status === 'fulfilled' && commit.value.command !== 'COMMIT')
      throw new Error('A statement of the transaction failed')
    return result
  } finally {
    isOver = true
  }
}

const last = new WeakMap<Db, readonly postgres.PendingQuery<postgres.Row[]>[]>()

/**
 * Has these statements of a transaction, which must not run yet, sent in one go with its commit, once its work is done. Where
 * one of them fails, so does the transaction.
 */
export function sendWithCommit(db: Db, queries: readonly postgres.PendingQuery<postgres.Row[]>[]): void {
  last.set(db, queries)
}

/** Sends `begin` where there is room, and answers at once with the connection it went to. */
function take(sql: Pool, mode: string): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const onexecute = (connection: Connection) => {
      // Out of the list of those that wait for work; from here on nobody else is given this one.
      connection.queue.remove(connection)
      connection.queue = { remove: () => undefined }
      connection.reserved = () => undefined
      resolve(connection)
    }
    sql.unsafe(`begin ${mode}`, [], { onexecute } as object).catch(reject)
  })
}

/** The database, each query of which goes to the transaction. */
function shadow(sql: Pool, send: (query: Query) => void): Db {
  const ask = (...args: Parameters<Pool>) => claim(sql(...args), send)
  const unsafe = (...args: Parameters<Pool['unsafe']>) => claim(sql.unsafe(...args), send)
  const { types, typed, array, json } = sql
  return Object.assign(ask, { unsafe, types, typed, array, json }) as unknown as Db
}

function claim<Q>(query: Q, send: (query: Query) => void): Q {
  // Else it is a name or a list of columns.
  if (query instanceof Promise) (query as unknown as Query).handler = send
  return query
}

/** As the library says it. */
export function closed(): Error {
  return Object.assign(new Error('The connection to the database was lost'), { code: 'CONNECTION_CLOSED' })
}
