import type { Tx, Work } from './database.ts'
import { createSql, type PendingQuery, type Row, type Rows, type StatementText } from './sql.ts'

/** A connection that a transaction uses exclusively. */
export interface Connection {
  /** Sends a statement without waiting for earlier ones. Rejects with `connectionLost` once the connection is lost. */
  send(statement: StatementText): Promise<Rows>
  /** Whether the connection broke. */
  isLost(): boolean
  /** Returns the connection to the pool, once. If it is not clean, because a transaction is open, it is closed. */
  release(isClean?: boolean): void
}

/**
 * Runs `work` in a transaction and commits it. `begin` is sent together with the first statements, `commit` with the
 * last ones. Settles only after `work` has; a statement after that rejects with `connectionLost`. If the connection
 * breaks, every statement in progress and every later one rejects with that error, and none is sent on another
 * connection. Rejects with the error of `work`, of the first of the last statements that failed, or of the commit.
 */
export async function runTransaction<T>(connection: Connection, mode: string, work: Work<T>): Promise<T> {
  let hasEnded = false
  const send = (statement: StatementText) =>
    hasEnded || connection.isLost() ? Promise.reject(connectionLost()) : connection.send(statement)
  const tx = createSql(send) as Tx
  let isClean = false
  try {
    const begun = tx.unsafe(`begin ${mode}`).execute()
    let result: T
    try {
      result = await work(tx)
    } catch (error) {
      const rolledBack = tx.unsafe('rollback').execute()
      hasEnded = true
      isClean = await rolledBack.then(
        () => true,
        () => false,
      )
      throw error
    }
    const ending = [...(last.get(tx) ?? []).map((query) => query.execute()), tx.unsafe('commit').execute()]
    hasEnded = true
    const outcomes = await Promise.allSettled([begun, ...ending])
    const commit = outcomes.at(-1)
    // Also sent after a failed transaction: the server answers its commit with a rollback.
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

const last = new WeakMap<Tx, readonly PendingQuery<Row[]>[]>()

/**
 * Sends these statements of a transaction, which must not have been sent yet, together with its commit once its work is
 * done. If one of them fails, the transaction fails.
 */
export function sendWithCommit(tx: Tx, queries: readonly PendingQuery<Row[]>[]): void {
  last.set(tx, queries)
}

/** The connection to the database broke, or the transaction has ended. Callers of the API get 503. */
export function connectionLost(cause?: unknown): Error {
  return Object.assign(new Error('The connection to the database was lost', { cause }), { code: 'CONNECTION_CLOSED' })
}
