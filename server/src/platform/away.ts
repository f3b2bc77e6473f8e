import postgres from 'postgres'

/**
 * Of the database (by the library's codes, and the classes of PostgreSQL's own: 08 connection, 53 no room or memory, 57P it is
 * shut down or starts, 58 input and output, 25006 it may only be read, XX its data are damaged), of the storage, and of this
 * machine's disk.
 */
const codes = new Set([
  ...['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED', 'CONNECT_TIMEOUT'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE'],
])
const sqlClasses = /^(?:08|53|57P|58|25006|XX)/

/** Whether the database found its own data damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code.startsWith('XX')
}

/** Whether it failed because something is away or full that the server needs: whoever asked may ask again later. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof postgres.PostgresError) return sqlClasses.test(error.code)
  const { code = '', syscall, $fault } = error as { code?: string; syscall?: string; $fault?: string }
  // The socket of a database that is not there has no file: `ENOENT`, which means something else elsewhere.
  return (
    codes.has(code) ||
    syscall === 'connect' ||
    $fault === 'server' ||
    error.name === 'TimeoutError' ||
    isAway(error.cause)
  )
}
