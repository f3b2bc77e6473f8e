import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Keeps a second process of this machine out of a data folder: the embedded database does not survive two. Held by a
 * listening socket and not by a file with a process id, because the system lets go of a socket when a process is killed.
 * Answers how to let go; throws where another process holds the folder.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 24)
  // In the temporary folder, since the path of a socket may not be longer than about a hundred characters.
  const path = join(tmpdir(), `hither-${name}.lock`)
  const server = (await listen(path)) ?? (await takeOver(path))
  if (!server)
    throw new Error(`Another Hither is already running on the data folder ${folder}. Stop it first, or set DATA_DIR.`)
  server.unref()
  return () => new Promise((resolve) => server.close(() => resolve()))
}

async function takeOver(path: string): Promise<Server | null> {
  if (await isAnswering(path)) return null
  await rm(path, { force: true })
  return listen(path)
}

function listen(path: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    )
    server.listen(path, () => resolve(server))
  })
}

function isAnswering(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
  })
}
