import type { Sql } from './sql.ts'

/** Runs a single read: the pool or a transaction. */
export type Db = Sql

declare const isTransaction: unique symbol

/**
 * A transaction. Only `pool.begin` and `changes.commit` make one. Functions that write, that lock rows, or whose reads must
 * agree with these take a `Tx`; the pool is not one, so that passing it to them inside a transaction does not compile.
 */
export interface Tx extends Sql {
  /** Used by the compiler only. */
  readonly [isTransaction]: true
}

/** The function that runs in a transaction. */
export type Work<T> = (tx: Tx) => T | Promise<T>

/**
 * The connection pool. Pass it to `pool.begin` or `changes.commit`, to a query that is a single read, or to one of the few
 * single statements that take a `Pool` because they must not be part of a transaction.
 */
export interface Pool extends Sql {
  /**
   * Runs `work` in a transaction, see `runTransaction`. `mode` is that of SQL's `begin`, for instance `isolation level
   * repeatable read`.
   */
  begin<T>(work: Work<T>): Promise<T>
  begin<T>(mode: string, work: Work<T>): Promise<T>
  /** Waits at most `timeout` seconds (default 5) for statements in progress, then closes every connection. */
  end(options?: { timeout?: number }): Promise<void>
  /**
   * The code of the last error of class XX (damaged data, internal error) that PostgreSQL returned; `null` if there was
   * none.
   */
  damage(): string | null
}
