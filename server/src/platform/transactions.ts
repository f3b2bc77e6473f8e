import { type Db } from './database.ts'
import { createSql, type PendingQuery, type Row, type Rows, type StatementText } from './sql.ts'

/** What runs in a transaction. */
export type Work<T> = (db: Db) => T | Promise<T>

/** A connection of its own, for as long as a transaction has it. */
export interface Connection {
  /** Sends a statement without waiting for those before it. Rejects with `connectionLost` once the connection is gone. */
  send(statement: StatementText): Promise<Rows>
  /** Whether the connection broke. */
  isLost(): boolean
  /** Gives the connection back, once. Where it is not clean, with a transaction open, it is closed. */
  release(isClean?: boolean): void
}

/**
 * Runs `work` in a transaction and commits it. `begin` goes together with the first statements, `commit` with the last ones.
 * Settles only after `work` has, so nothing that `work` took is left behind, and takes no statement after that: it rejects with
 * `connectionLost`. Where the connection breaks, every statement under way and each one after it rejects with that error, and
 * nothing is sent on any other connection. Rejects with the error of `work`, of the first of the last statements that failed,
 * or of the commit.
 */
export async function runTransaction<T>(connection: Connection, mode: string, work: Work<T>): Promise<T> {
  let isOver = false
  const send = (statement: StatementText) =>
    isOver || connection.isLost() ? Promise.reject(connectionLost()) : connection.send(statement)
  const db = createSql(send) as Db
  let isClean = false
  try {
    const begun = db.unsafe(`begin ${mode}`).execute()
    let result: T
    try {
      result = await work(db)
    } catch (error) {
      const rolledBack = db.unsafe('rollback').execute()
      isOver = true
      isClean = await rolledBack.then(
        () => true,
        () => false,
      )
      throw error
    }
    const ending = [...(last.get(db) ?? []).map((query) => query.execute()), db.unsafe('commit').execute()]
    isOver = true
    const outcomes = await Promise.allSettled([begun, ...ending])
    const commit = outcomes.at(-1)
    // Also of a transaction that failed: the server answers its commit with a rollback.
    isClean = commit?.status === 'fulfilled'
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    // Otherwise a caller that ignored the error of a statement would believe that its work was saved.
    if (commit?.status === 'fulfilled' && commit.value.command !== 'COMMIT')
      throw new Error('A statement of the transaction failed')
    return result
  } finally {
    connection.release(isClean)
  }
}

const last = new WeakMap<Db, readonly PendingQuery<Row[]>[]>()

/**
 * Sends these statements of a transaction, which must not have been sent yet, together with its commit once its work is done.
 * Where one of them fails, so does the transaction.
 */
export function sendWithCommit(db: Db, queries: readonly PendingQuery<Row[]>[]): void {
  last.set(db, queries)
}

/** The connection to the database broke, or the transaction is over. Callers of the API get 503. */
export function connectionLost(cause?: unknown): Error {
  return Object.assign(new Error('The connection to the database was lost', { cause }), { code: 'CONNECTION_CLOSED' })
}
