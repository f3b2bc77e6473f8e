import pg from 'pg'
import { Refusal } from './refusal.ts'

/** The name of the unique index or constraint that refused a write, or `null` for any other error. */
export function violatedUnique(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code === '23505' ? (error.constraint ?? '') : null
}

/** What a transaction read before it could lock it was no longer so once it had. */
export class Moved extends Error {
  override name = 'Moved'
}

/**
 * Runs `work`, a whole transaction, again where another one came between: something was taken that had looked free, or
 * went that had been there. Twice at most, then the error passes on.
 */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 3 || !isConflict(error)) throw error
    }
  }
}

function isConflict(error: unknown): boolean {
  // 23505 unique violation, 23503 foreign key violation.
  if (error instanceof pg.DatabaseError) return error.code === '23505' || error.code === '23503'
  return error instanceof Moved || (error instanceof Refusal && error.status === 409)
}
