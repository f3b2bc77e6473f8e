import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'
import { makePrivateFolder } from './data-dir.ts'
import { type DatabaseUser } from './database-user.ts'

/** The name that PostgreSQL gives its socket for the port 5432. */
export const socketName = '.s.PGSQL.5432'

const pathBytesMax = process.platform === 'linux' ? 107 : 103

/** Whether a Unix socket may have this path. */
export const fits = (path: string) => Buffer.byteLength(path) <= pathBytesMax

/** A private folder for the socket of the database, and what removes it if it is a temporary one. */
export interface SocketFolder {
  readonly path: string
  remove(): Promise<void>
}

/**
 * `DATA_DIR/run`; a new private folder in the system's temporary folder if that path is too long or holds no sockets. The caller
 * holds the lock of `DATA_DIR`, and no database runs on it: a lock file that an earlier one left is removed.
 */
export async function makeSocketFolder(dataDir: string, user: DatabaseUser | null): Promise<SocketFolder> {
  const folder = join(dataDir, 'run')
  if (fits(join(folder, socketName))) {
    await makePrivateFolder(folder, user, dataDir)
    // Its process number may be in use again, and PostgreSQL would not start.
    await rm(join(folder, `${socketName}.lock`), { force: true })
    if (await holdsSockets(folder)) return { path: folder, remove: async () => undefined }
  }
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    if (!fits(join(parent, 'hither-XXXXXX', socketName))) continue
    const path = await mkdtemp(join(parent, 'hither-')).catch(() => null)
    if (path === null) continue
    await makePrivateFolder(path, user, parent)
    return { path, remove: () => rm(path, { recursive: true, force: true }) }
  }
  throw new StartError(
    `The path ${dataDir} is too long for the socket of the database, and so is that of the temporary folder. Set DATA_DIR or TMPDIR to a shorter path.`,
  )
}

/** Some folders that are shared with another system hold files alone. */
function holdsSockets(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(join(folder, '.probe'), () => server.close(() => resolve(true)))
  })
}
