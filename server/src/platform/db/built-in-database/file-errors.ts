import { StartError } from '../../errors/start-error.ts'

const reasons: Readonly<Record<string, string>> = {
  EROFS: 'read-only file system',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EIO: 'input/output error',
}

/** The error for a full disk, also if PostgreSQL reports it. */
export function diskFull(dataDir: string): StartError {
  return new StartError(
    `There is no room left on the disk of ${dataDir}. Free some space and start again. Nothing was lost.`,
  )
}

/** Explains errors of the file system below `dataDir`. Returns other errors unchanged. */
export function explainFileError(error: unknown, dataDir: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(dataDir)
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return new StartError(`DATA_DIR must be a folder, and ${dataDir} is not one or lies below a file.`)
  if (code === 'ENAMETOOLONG' || code === 'ELOOP')
    return new StartError(
      `DATA_DIR must be a shorter path (${code === 'ELOOP' ? 'its links lead in a circle' : 'its name is too long'}).`,
    )
  const reason = reasons[code]
  if (reason === undefined) return error
  return new StartError(`${dataDir} can't be written to (${reason}). Make it writable or set DATA_DIR.`)
}
