import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, mkdtemp, rm, rmdir, symlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from '../errors/start-error.ts'

/** Handles a request of another process of the same user to the process that holds the lock. */
export type RequestHandler = (request: string) => Promise<string>

/**
 * Locks a data folder for this process, also against processes in other containers on the same volume. The lock is a
 * file system lock on `running.lock`, acquired through SQLite, because Node has no API for it. The system releases it
 * when the process ends for any reason. The process that holds the lock listens on the socket `running.sock` for
 * requests of other processes. Returns the function that releases the lock. Throws `StartError` if another process holds
 * it.
 */
export async function lockFolder(
  folder: string,
  answer: RequestHandler = async () => '',
): Promise<() => Promise<void>> {
  const lock = takeLock(folder)
  try {
    // An earlier version of Hither listens without this lock.
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
  const lock = tryLock(folder)
  if (lock === null) throw alreadyRunning(folder)
  return lock
}

/** Locks a folder until the lock is closed or this process ends; `null` if it is locked already. */
export function tryLock(folder: string): DatabaseSync | null {
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(join(folder, 'running.lock'), { timeout: 0 })
    // Nothing is ever written, so no rollback journal is needed.
    file.exec('pragma journal_mode = memory; begin exclusive')
    return file
  } catch (error) {
    file?.close()
    const { errcode } = error as { errcode?: number }
    if (errcode === sqlite.busy) return null
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

/** Sends a request to the process that holds the lock and waits for the response without a limit. `null` if there is none. */
export async function sendToLockHolder(folder: string, request: string): Promise<string | null> {
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

/** Errors of file systems without sockets, for instance of folders that are shared with another system. */
const cannotHoldSockets = ['ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EINVAL', 'ENOSYS', 'EACCES']
const pathBytesMax = 100
const requestBytesMax = 1024
const socketFile = 'running.sock'

async function listen(folder: string, answer: RequestHandler): Promise<() => Promise<void>> {
  const open = new Set<Socket>()
  const serve = (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    respond(socket, answer)
  }
  for (const findPlace of [() => folder, () => makeFallbackFolder(folder)]) {
    const place = await findPlace()
    if (place === null) continue
    try {
      // The socket of a killed process: this process has the lock, so no other one listens.
      await rm(join(place, socketFile), { force: true })
      const server = await withShortPath(place, (path) => listenOn(path, serve))
      await chmod(join(place, socketFile), 0o600)
      server.unref()
      return async () => {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()))
        for (const socket of open) socket.destroy()
        await closed
        await rm(join(place, socketFile), { force: true })
        if (place !== folder) await rmdir(place).catch(() => undefined)
      }
    } catch (error) {
      if (!cannotHoldSockets.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  // The folder is locked, but other processes cannot send requests.
  return async () => undefined
}

async function reach(folder: string): Promise<Socket | null> {
  const fallback = fallbackFolderOf(folder)
  for (const place of (await isPrivate(fallback)) ? [folder, fallback] : [folder]) {
    const socket = await withShortPath(place, connectTo).catch(() => null)
    if (socket) return socket
  }
  return null
}

/**
 * The path of a folder in the temporary folder, for data folders that do not support sockets. It is unique for each
 * data folder and user.
 */
function fallbackFolderOf(folder: string): string {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 24)
  return join(tmpdir(), `hither-${process.geteuid?.() ?? 0}-${name}`)
}

/** Creates the folder of `fallbackFolderOf`. Returns `null` if another user has created it first. */
async function makeFallbackFolder(folder: string): Promise<string | null> {
  const fallback = fallbackFolderOf(folder)
  await mkdir(fallback, { mode: 0o700 }).catch(() => undefined)
  return (await isPrivate(fallback)) ? fallback : null
}

/** Whether it is a folder of this user that no other user may write to. */
async function isPrivate(path: string): Promise<boolean> {
  const info = await lstat(path).catch(() => null)
  if (!info?.isDirectory() || (info.mode & 0o022) !== 0) return false
  return process.platform === 'win32' || info.uid === process.geteuid?.()
}

/** Socket paths have a maximum length. Longer ones are used through a temporary symbolic link. */
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

function respond(socket: Socket, answer: RequestHandler): void {
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
