import type { App } from './app.ts'
import { BackupError } from './backups/backup-error.ts'
import { handleBackupRequest } from './backups/backup-ipc.ts'
import type { Config } from './config.ts'
import { assertBackupFolder, explainStart, type OpenData, openData, readSettings } from './data-access.ts'
import { adminLinkLines, adminLinkOf } from './moderation/admin-link.ts'
import { handleAdminCodeRequest, isAdminCodeRequest } from './moderation/admin-link-ipc.ts'
import { handleResetLinkRequest, isResetLinkRequest } from './moderation/reset-link-ipc.ts'
import { createLog } from './ops/log.ts'
import { createPrivateFiles } from './platform/data-folder/private-files.ts'
import { loadOrCreateSecret } from './platform/data-folder/secrets.ts'
import { StartError } from './platform/errors/start-error.ts'

/**
 * The deadline of a stop, after which the process exits: requests (8 s), sockets (2 s), pool (5 s), database (10 s and
 * its immediate stop).
 */
const stopWithinMs = 28_000

/** A stop signal arrived before the server was running. */
class Stopped extends Error {}

const stopSignal = new AbortController()
let config: Config | undefined
let app: App | undefined
let data: OpenData | undefined

async function start(): Promise<void> {
  config = await readSettings(process.env)
  const log = createLog(config.logLevel)
  // Node would print the error with all its properties, which include data sent to the database or Redis.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    process.exit(1)
  })
  createPrivateFiles()
  const settings = config
  const answer = (request: string) => {
    if (isResetLinkRequest(request)) return handleResetLinkRequest(app, request)
    if (isAdminCodeRequest(request)) return handleAdminCodeRequest(app, settings)
    return handleBackupRequest(app, request)
  }
  const opening = openData(config, { log, answer, signal: stopSignal.signal })
  // Prevents an unhandled rejection while the modules load.
  opening.catch(() => undefined)
  // The modules of the server load while its database starts.
  const [{ createApp }, { backUpBeforeMigrating }, { migrate }] = await Promise.all([
    import('./app.ts'),
    import('./backups/before-migrating.ts'),
    import('./platform/db/migrations.ts'),
  ])
  data = await opening
  goOn()
  const { pool, builtIn } = data
  if (builtIn !== null && process.geteuid?.() === 0)
    log.warn(
      { part: 'database' },
      'running as root: run Hither as a user of its own, and its database as the same user',
    )
  await assertBackupFolder(config)
  const now = () => new Date()
  await backUpBeforeMigrating(config, { pool, log, now })
  goOn()
  for (const notice of await migrate(pool)) log.warn({ part: 'database' }, notice)
  const authSecret = config.authSecret ?? (await loadOrCreateSecret(config.dataDir, 'auth'))
  goOn()
  app = await createApp({ config, pool, builtIn, authSecret, log, now })
  goOn()
  await app.http.listen({ port: config.port, host: config.host })
  app.start()
  const code = await app.makeAdminCode()
  goOn()
  await greet(config, data, code)
}

function goOn(): void {
  if (stopSignal.signal.aborted) throw new Stopped()
}

/** Stops the parts in the order of their dependencies. Returns the exit code: 1 if requests were aborted. */
async function stop(): Promise<number> {
  const cutOff = (await app?.stop()) ?? 0
  await data?.close()
  if (cutOff === 0) return 0
  const calls = cutOff === 1 ? '1 call that did not end' : `${cutOff} calls that did not end`
  process.stderr.write(`Hither has stopped and cut off ${calls}.\n`)
  return 1
}

async function greet(config: Config, { builtIn }: OpenData, adminCode: string | null): Promise<void> {
  const { dataDir, storage } = config
  const pictures = storage === null ? dataDir : `bucket ${storage.bucket}`
  const rest = builtIn === null ? 'PostgreSQL' : dataDir
  const adminLines = adminCode === null ? '' : await adminLinkLines(adminLinkOf(config, adminCode), process.stdout)
  const stored = pictures === rest ? dataDir : `${pictures} (pictures), ${rest} (everything else)`
  process.stdout.write(`
  Hither is running.

    Open       ${config.publicUrl}
    Data       ${stored}
${builtIn === null ? '' : `    Database   PostgreSQL ${builtIn.version} (built in)\n`}    Stop       Ctrl+C
${adminLines}
`)
}

/** Returns the message for an address that the server cannot listen on; `null` for any other error. */
function listenSentence(error: NodeJS.ErrnoException): string | null {
  const { code, syscall } = error
  if (code === 'EADDRINUSE') return 'The port is already in use. Set PORT to another one.'
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return null
  if (code === 'EACCES') return `PORT ${config?.port} needs rights that Hither does not have. Set PORT to 1024 or more.`
  return `HOST must be an address of this machine, such as 127.0.0.1 or 0.0.0.0 (${config?.host}: ${code}).`
}

async function fail(error: unknown): Promise<void> {
  const explained = (config === undefined ? error : await explainStart(error, config)) as Error
  const sentence = listenSentence(error as NodeJS.ErrnoException)
  process.stderr.write(`Hither did not start. ${sentence ?? explained.message}\n`)
  // An error that the operator can fix needs no stack trace; any other one is a bug of Hither.
  const isForOperator = sentence !== null || explained instanceof StartError || explained instanceof BackupError
  if (!isForOperator) process.stderr.write(`${explained.stack}\n`)
}

const started = start()
let stopping: Promise<void> | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    stopping ??= end()
  })

async function end(): Promise<void> {
  stopSignal.abort()
  setTimeout(() => {
    process.stderr.write(`Hither did not stop within ${stopWithinMs / 1000} seconds and was ended. Nothing was lost.\n`)
    process.exit(1)
  }, stopWithinMs).unref()
  await started.catch(() => undefined)
  process.exit(await stop())
}

try {
  await started
} catch (error) {
  // After a stop signal, `end` stops the server and exits.
  if (stopping === undefined) {
    await fail(error)
    await stop().catch(() => undefined)
    process.exit(1)
  }
}
