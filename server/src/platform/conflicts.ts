import postgres from 'postgres'

/** The name of the unique index or constraint that refused a write, or `null` for any other error. */
export function violatedUnique(error: unknown): string | null {
  return error instanceof postgres.PostgresError && error.code === '23505' ? (error.constraint_name ?? '') : null
}
