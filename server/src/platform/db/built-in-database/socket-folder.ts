import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../../errors/start-error.ts'
import { makePrivateFolder } from './data-dir.ts'
import type { DatabaseUser } from './database-user.ts'

/** The name that PostgreSQL gives its socket for the port 5432. */
export const socketName = '.s.PGSQL.5432'

const pathBytesMax = process.platform === 'linux' ? 107 : 103

/** Whether the path is short enough for a Unix socket. */
const fitsSocketPath = (path: string) => Buffer.byteLength(path) <= pathBytesMax

/** A private folder for the socket of the database, and the function that removes a temporary one. */
interface SocketFolder {
  readonly path: string
  remove(): Promise<void>
}

/**
 * Returns `DATA_DIR/run`, or a new private folder in the system's temporary folder if that path is too long or does not
 * support sockets. The caller must have locked `DATA_DIR`, and no database may run on it: the lock file of an earlier
 * one is removed.
 */
export async function makeSocketFolder(dataDir: string, user: DatabaseUser | null): Promise<SocketFolder> {
  const folder = join(dataDir, 'run')
  if (fitsSocketPath(join(folder, socketName))) {
    await makePrivateFolder(folder, user, dataDir)
    // Its process id may be in use again, and PostgreSQL would not start.
    await rm(join(folder, `${socketName}.lock`), { force: true })
    if (await holdsSockets(folder)) return { path: folder, remove: async () => undefined }
  }
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    if (!fitsSocketPath(join(parent, 'hither-XXXXXX', socketName))) continue
    const path = await mkdtemp(join(parent, 'hither-')).catch(() => null)
    if (path === null) continue
    await makePrivateFolder(path, user, parent)
    return { path, remove: () => rm(path, { recursive: true, force: true }) }
  }
  throw new StartError(
    `The path ${dataDir} is too long for the socket of the database, and so is that of the temporary folder. Set DATA_DIR or TMPDIR to a shorter path.`,
  )
}

/** Some folders that are shared with another system support files only. */
function holdsSockets(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(join(folder, '.probe'), () => server.close(() => resolve(true)))
  })
}
