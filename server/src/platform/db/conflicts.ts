import pg from 'pg'
import { Refusal } from '../errors/refusal.ts'

/** Returns the name of the unique index or constraint that refused a write, or `null` for any other error. */
export function violatedUnique(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code === '23505' ? (error.constraint ?? '') : null
}

/** A row changed between the read of a transaction and its lock: the transaction must be retried. */
export class ConcurrentChangeError extends Error {
  override name = 'ConcurrentChangeError'
}

/**
 * Runs `work`, a whole transaction, again if a concurrent transaction caused a conflict: a unique value was taken, or a
 * referenced row was deleted. Retries twice at most, then throws the error. `work` receives the number of the attempt,
 * which starts at 1.
 */
export async function retryConflicts<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt)
    } catch (error) {
      if (attempt === 3 || !isConflict(error)) throw error
    }
  }
}

function isConflict(error: unknown): boolean {
  // 23505 unique violation, 23503 foreign key violation.
  if (error instanceof pg.DatabaseError) return error.code === '23505' || error.code === '23503'
  return error instanceof ConcurrentChangeError || (error instanceof Refusal && error.status === 409)
}

/** Whether PostgreSQL gave a statement up because it took too long. */
export function isCanceled(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014'
}
