import pg from 'pg'

/**
 * Error codes of the database, of the storage and of this machine's disk: codes of this program and of the system.
 * `sqlClasses` has the classes of PostgreSQL's own codes: 08 connection, 53 insufficient resources, 57 shutdown, start
 * or canceled statement, 58 system error, 25006 read-only transaction, 25P03 idle transaction timeout, XX damaged data.
 */
const codes = new Set([
  ...['CONNECTION_CLOSED', 'CONNECT_TIMEOUT'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE'],
])
const sqlClasses = /^(?:08|53|57|58|25006|25P03|XX)/

/** Whether the database reports that its own data are damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code ?? '').startsWith('XX')
}

/** Whether an error means that the database, the storage or the disk is unavailable or full: the client may retry later. */
export function isDependencyUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof pg.DatabaseError) return sqlClasses.test(error.code ?? '') || isOutdated(error)
  const { code = '', syscall, $fault } = error as { code?: string; syscall?: string; $fault?: string }
  // The socket of a database that is not there has no file: `ENOENT`, which means something else elsewhere.
  return (
    codes.has(code) ||
    syscall === 'connect' ||
    $fault === 'server' ||
    error.name === 'TimeoutError' ||
    isDependencyUnavailable(error.cause)
  )
}

/** The schema changed since the connection prepared the statement, as in an upgrade while this server runs. */
export function isOutdated(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}
