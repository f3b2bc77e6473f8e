import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { type Backoff, backoffMs } from '../../async/backoff.ts'
import { StartError } from '../../errors/start-error.ts'
import { type Child, ChildEnded, startChild } from './child.ts'
import { makePrivateFolder, openDataDirToDatabase } from './data-dir.ts'
import {
  createDatabaseFolder,
  damaged,
  databaseFolderOf,
  type FolderOptions,
  inspectDatabaseFolder,
  notStarted,
} from './database-folder.ts'
import { diskFull } from './file-errors.ts'
import { cannotSwitchUserError, prepareProgramsFor } from './programs.ts'
import type { Endpoint } from './settings.ts'
import { makeSocketFolder, socketName } from './socket-folder.ts'
import { stopStaleProcess } from './stale-process.ts'

export interface BuiltInOptions {
  /** It must exist, and the caller must hold its lock. */
  readonly dataDir: string
  readonly log: FastifyBaseLogger
  /** `false` only for data that may be lost in a crash of the machine. */
  readonly isDurable?: boolean
  /** Listen on a free port of 127.0.0.1 for everyone on this machine; for tests. */
  readonly onPort?: boolean
  /** The path of the newest backup, for the error message of a damaged database. */
  readonly newestArchive?: () => Promise<string | null>
  /** The folder of the PostgreSQL programs; without it, those that Hither brings. */
  readonly installed?: string
  /** A packed database folder for a first start; without it, that of the container image. */
  readonly packed?: string
  /** Aborts a running start. */
  readonly signal?: AbortSignal | undefined
}

/** How the server reaches its database. */
type Address =
  | { readonly path: string }
  | { readonly host: string; readonly port: number; readonly password: string | null }

export interface BuiltInDatabase {
  /** The folder that contains the database folder. */
  readonly dataDir: string
  readonly address: Address
  /** Of PostgreSQL, such as `18.4`. */
  readonly version: string
  /** The process id of the current child, or of the last one. */
  pid(): number
  /** The number of restarts because a child exited by itself. */
  restarts(): number
  /** Stops the child. Resolves when all of its processes have ended. */
  close(): Promise<void>
}

/** The first restart comes at once. */
const restartDelay: Backoff = { firstMs: 1000, maxMs: 30_000 }
/** A child that ran for so long starts the delays over. */
const settledMs = 60_000

/**
 * Starts the included PostgreSQL on the folder `dataDir/postgres-18`, which is created if it is missing, and restarts it
 * whenever it exits. Throws `StartError` if it cannot run on this system.
 */
export async function startBuiltInDatabase(options: BuiltInOptions): Promise<BuiltInDatabase> {
  const { dataDir, log, isDurable = true, newestArchive = async () => null, signal } = options
  const user = await openDataDirToDatabase(dataDir)
  const programs = await prepareProgramsFor(user, join(dataDir, 'postgres-programs'), options.installed)
  await stopStaleProcess(dataDir, programs, log)
  const folder = databaseFolderOf(dataDir)
  const usesPort = process.platform === 'win32' || options.onPort === true
  const socketFolder = usesPort ? null : await makeSocketFolder(dataDir, user)
  try {
    const endpoint: Endpoint =
      socketFolder === null
        ? { port: await freePort(), password: options.onPort === true ? null : await loadOrCreatePassword(dataDir) }
        : { folder: socketFolder.path }
    const { packed } = options
    const folderOptions: FolderOptions = { dataDir, user, endpoint, isDurable, newestArchive, packed, signal }
    const state = await inspectDatabaseFolder(folderOptions)
    if (state === 'missing') await createDatabaseFolder(folderOptions, programs)
    else await makePrivateFolder(folder, user, dataDir)
    const start = () => startChild({ programs, folder, user, endpoint, isDurable, log })
    const supervisor = supervise(start, log)
    try {
      await supervisor.start(signal)
    } catch (error) {
      throw await explain(error, folderOptions)
    }
    return {
      dataDir,
      address: socketFolder === null ? addressOf(endpoint) : { path: join(socketFolder.path, socketName) },
      version: programs.version,
      pid: supervisor.pid,
      restarts: supervisor.restarts,
      async close() {
        await supervisor.stop()
        await socketFolder?.remove()
      },
    }
  } catch (error) {
    await socketFolder?.remove()
    throw error
  }
}

interface Supervisor {
  /** The first start. Rejects like `Child.ready`. */
  start(signal?: AbortSignal): Promise<void>
  stop(): Promise<void>
  pid(): number
  restarts(): number
}

function supervise(startOne: () => Child, log: FastifyBaseLogger): Supervisor {
  let child: Child | null = null
  let restarts = 0
  let attempt = 0
  let isStopping = false
  let timer: NodeJS.Timeout | undefined

  function watch(running: Child, startedAt: number): void {
    running.ended.then((reason) => {
      if (isStopping) return
      if (performance.now() - startedAt >= settledMs) attempt = 0
      const delayMs = attempt === 0 ? 0 : backoffMs(attempt, restartDelay)
      attempt++
      log.error({ part: 'database', reason, seconds: delayMs / 1000 }, 'database exited, restarting')
      timer = setTimeout(restart, delayMs)
    })
  }

  function restart(): void {
    restarts++
    child = startOne()
    watch(child, performance.now())
    child.ready.then(
      () => log.info({ part: 'database' }, 'database restarted'),
      () => undefined,
    )
  }

  return {
    async start(signal) {
      const first = startOne()
      child = first
      const abort = () => first.stop()
      signal?.addEventListener('abort', abort, { once: true })
      if (signal?.aborted) abort()
      try {
        await first.ready
      } finally {
        signal?.removeEventListener('abort', abort)
      }
      watch(first, performance.now())
    },
    async stop() {
      isStopping = true
      clearTimeout(timer)
      await child?.stop()
    },
    pid: () => child?.pid ?? 0,
    restarts: () => restarts,
  }
}

/** Messages of PostgreSQL about files that were changed or deleted. */
const damagePatterns =
  /control file|control data|find the database system|checkpoint|valid data directory|invalid (?:page|magic|record|resource)|redo|WAL|pg_wal|pg_xact|relation mapping|(?:base|global|pg_multixact)\/|transaction status|unexpected data|incompatible with server|timeline/

async function explain(error: unknown, options: FolderOptions): Promise<unknown> {
  const { code } = error as NodeJS.ErrnoException
  if ((code === 'EPERM' || code === 'EINVAL') && options.user?.isSwitched) return cannotSwitchUserError(options.user)
  if (!(error instanceof ChildEnded)) return error instanceof StartError ? error : notStarted((error as Error).message)
  const { message, lines } = error
  if (lines.some((line) => /No space left on device|Disk quota exceeded/.test(line))) return diskFull(options.dataDir)
  const isPanic = lines.some((line) => line.startsWith('PANIC:'))
  if (isPanic || damagePatterns.test(message)) return damaged(options, message.trim().replace(/\.$/, ''))
  return notStarted(message)
}

function addressOf(endpoint: Endpoint): Address {
  if ('folder' in endpoint) return { path: join(endpoint.folder, socketName) }
  return { host: '127.0.0.1', port: endpoint.port, password: endpoint.password }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

/** On systems without private sockets, a password keeps out other users of the machine. */
async function loadOrCreatePassword(dataDir: string): Promise<string> {
  const file = join(dataDir, 'database-password')
  await writeFile(file, randomBytes(24).toString('hex'), { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  return (await readFile(file, 'utf8')).trim()
}
