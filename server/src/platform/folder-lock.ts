import { createHash } from 'node:crypto'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What the holder of a folder says to another process of the same user that asks it something. */
export type Answer = (request: string) => Promise<string>

/**
 * Keeps a second process out of a data folder: the embedded database does not survive two. Held by a listening socket and not
 * by a file with a process id, because the system lets go of a socket when a process is killed. Over the same socket others
 * ask the holder for what only it can do. Answers how to let go; throws where another process holds the folder.
 */
export async function lockFolder(folder: string, answer: Answer = async () => ''): Promise<() => Promise<void>> {
  const open = new Set<Socket>()
  const serve = (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    respond(socket, answer)
  }
  for (const path of await pathsOf(folder)) {
    try {
      const server = (await listen(path, serve)) ?? (await takeOver(path, serve))
      if (!server)
        throw new Error(
          `Another Hither is already running on the data folder ${folder}. Stop it first, or set DATA_DIR.`,
        )
      server.unref()
      return () =>
        new Promise((resolve) => {
          server.close(() => resolve())
          for (const socket of open) socket.destroy()
        })
    } catch (error) {
      if (!cannotHoldSockets.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  throw new Error(`The data folder ${folder} cannot be locked.`)
}

/** Asks whoever holds the folder, however long the answer takes; `null` where nobody does. */
export async function askHolder(folder: string, request: string): Promise<string | null> {
  for (const path of await pathsOf(folder)) {
    const socket = await reach(path)
    if (!socket) continue
    return new Promise((resolve, reject) => {
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.once('end', () => resolve(text))
      socket.once('error', reject)
      socket.write(`${request}\n`)
    })
  }
  return null
}

/** Some folders that are shared with another system have files alone. */
const cannotHoldSockets = ['ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EINVAL', 'ENOSYS']
const pathBytesMax = 100
const requestBytesMax = 1024

/** In the folder itself, which containers and services with a temporary folder of their own share; else in the temporary one. */
async function pathsOf(folder: string): Promise<string[]> {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 24)
  return [await shortened(folder), join(tmpdir(), `hither-${name}.lock`)]
}

async function shortened(folder: string): Promise<string> {
  const path = join(folder, 'running.sock')
  if (Buffer.byteLength(path) <= pathBytesMax) return path
  const link = join(await mkdtemp(join(tmpdir(), 'hither-')), 'data')
  await symlink(folder, link)
  return join(link, 'running.sock')
}

function respond(socket: Socket, answer: Answer): void {
  let text = ''
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    text += chunk
    if (text.length > requestBytesMax) socket.destroy()
    if (!text.endsWith('\n')) return
    socket.pause()
    answer(text.trim()).then(
      (said) => socket.end(said),
      () => socket.destroy(),
    )
  })
}

async function takeOver(path: string, serve: (socket: Socket) => void): Promise<Server | null> {
  const socket = await reach(path)
  socket?.destroy()
  if (socket) return null
  await rm(path, { force: true })
  return listen(path, serve)
}

function listen(path: string, serve: (socket: Socket) => void): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer(serve)
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    )
    server.listen(path, () => resolve(server))
  })
}

function reach(path: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(null))
  })
}
