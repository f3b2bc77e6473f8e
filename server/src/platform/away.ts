import pg from 'pg'

/**
 * Of the database (by our codes and the system's, and the classes of PostgreSQL's own: 08 connection, 53 no room or memory, 57 it is
 * shut down or starts, or a statement took too long, 58 input and output, 25006 it may only be read, 25P03 a transaction waited
 * too long, XX its data are damaged), of the storage, and of this machine's disk.
 */
const codes = new Set([
  ...['CONNECTION_CLOSED', 'CONNECT_TIMEOUT'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE'],
])
const sqlClasses = /^(?:08|53|57|58|25006|25P03|XX)/

/** Whether the database found its own data damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code ?? '').startsWith('XX')
}

/** Whether it failed because something is away or full that the server needs: whoever asked may ask again later. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof pg.DatabaseError) return sqlClasses.test(error.code ?? '') || isOutdated(error)
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

/** The schema changed since the connection prepared the statement, as in an upgrade while this server runs. */
export function isOutdated(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}
