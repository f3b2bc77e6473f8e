import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from './start-error.ts'

/** Answers what another process of the same user asks the holder of a folder. */
export type Answer = (request: string) => Promise<string>

/**
 * Keeps a second process out of a data folder, also one in another container on the same volume. The lock is one of the file
 * system on `running.lock`, which SQLite takes (Node itself has no call for it): the system grants it to one process and
 * releases it when that process ends, however it ends. The holder listens on the socket `running.sock`, over which other
 * processes ask it for what only it can do. Resolves to the function that releases the lock; throws `StartError` if another
 * process holds it.
 */
export async function lockFolder(folder: string, answer: Answer = async () => ''): Promise<() => Promise<void>> {
  const lock = takeLock(folder)
  try {
    // A Hither of before this lock listens without it.
    if (await reach(folder)) throw alreadyRunning(folder)
    const stopListening = await listen(folder, answer)
    return async () => {
      await stopListening()
      lock.close()
    }
  } catch (error) {
    lock.close()
    throw error
  }
}

function takeLock(folder: string): DatabaseSync {
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(join(folder, 'running.lock'), { timeout: 0 })
    // Nothing is ever written, so there is nothing to roll back.
    file.exec('pragma journal_mode = memory; begin exclusive')
    return file
  } catch (error) {
    file?.close()
    const { errcode } = error as { errcode?: number }
    if (errcode === sqlite.busy) throw alreadyRunning(folder)
    throw new StartError(
      `The data folder ${folder} can't be locked (${(error as Error).message}). Make it writable, or set DATA_DIR to a folder on a local disk.`,
    )
  }
}

const sqlite = { busy: 5 } as const

function alreadyRunning(folder: string): StartError {
  return new StartError(
    `Another Hither is already running on the data folder ${folder}. Stop it first, or set DATA_DIR.`,
  )
}

/** Asks the holder of the folder and waits for its answer without a limit; `null` if there is no holder. */
export async function askHolder(folder: string, request: string): Promise<string | null> {
  const socket = await reach(folder)
  if (!socket) return null
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

/** Errors of file systems that hold files alone, as folders that are shared with another system do. */
const cannotHoldSockets = ['ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EINVAL', 'ENOSYS', 'EACCES']
const pathBytesMax = 100
const requestBytesMax = 1024
const socketFile = 'running.sock'

async function listen(folder: string, answer: Answer): Promise<() => Promise<void>> {
  const open = new Set<Socket>()
  const serve = (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    respond(socket, answer)
  }
  for (const place of await placesOf(folder)) {
    try {
      // Of a process that was killed: whoever holds the lock is alone here.
      await rm(join(place, socketFile), { force: true })
      const server = await withShortPath(place, (path) => listenOn(path, serve))
      await chmod(join(place, socketFile), 0o600)
      server.unref()
      return async () => {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()))
        for (const socket of open) socket.destroy()
        await closed
        await rm(join(place, socketFile), { force: true })
      }
    } catch (error) {
      if (!cannotHoldSockets.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  // The folder is locked all the same; nobody can ask its holder.
  return async () => undefined
}

async function reach(folder: string): Promise<Socket | null> {
  for (const place of await placesOf(folder)) {
    const socket = await withShortPath(place, connectTo).catch(() => null)
    if (socket) return socket
  }
  return null
}

/** The folder itself, which containers on one volume share; after it a private one of this user in the temporary folder. */
async function placesOf(folder: string): Promise<string[]> {
  const uid = process.geteuid?.() ?? 0
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 24)
  const other = join(tmpdir(), `hither-${uid}-${name}`)
  await mkdir(other, { mode: 0o700 }).catch(() => undefined)
  const info = await lstat(other).catch(() => null)
  // Somebody else may have been there first.
  const isPrivate =
    info?.isDirectory() && (info.uid === uid || process.platform === 'win32') && (info.mode & 0o022) === 0
  return isPrivate ? [folder, other] : [folder]
}

/** The path of a socket may not be long: through a link that is there for as long as the call takes. */
async function withShortPath<T>(folder: string, use: (path: string) => Promise<T>): Promise<T> {
  if (process.platform === 'win32')
    return use(`\\\\.\\pipe\\hither-${createHash('sha256').update(folder).digest('hex')}`)
  const path = join(folder, socketFile)
  if (Buffer.byteLength(path) <= pathBytesMax) return use(path)
  const parent = await mkdtemp(join(tmpdir(), 'hither-'))
  try {
    const link = join(parent, 'data')
    await symlink(folder, link)
    return await use(join(link, socketFile))
  } finally {
    await rm(parent, { recursive: true, force: true })
  }
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

function listenOn(path: string, serve: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(serve)
    server.once('error', reject)
    server.listen(path, () => resolve(server))
  })
}

function connectTo(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })
}
