import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type App, createApp } from './app.ts'
import { answerBackup } from './backups/asking.ts'
import { backUpBeforeMigrating } from './backups/before-migrating.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { openDatabase } from './platform/database.ts'
import { lockFolder } from './platform/folder-lock.ts'
import { createLog } from './platform/log.ts'
import { migrate } from './platform/migrations.ts'
import { createPrivateFiles, restrictFolder } from './platform/private-files.ts'
import { keptSecret } from './platform/secrets.ts'

/** Long enough for calls under way; a browser that lingers is cut off after it. */
const stopWithinMs = 10_000

async function main() {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  // Node would print the error with all its properties: what a database or Redis was sent among them.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    process.exit(1)
  })
  createPrivateFiles()
  await mkdir(config.dataDir, { recursive: true })
  await restrictFolder(config.dataDir, log)
  let app: App | undefined
  const answer = (request: string) => answerBackup(app, request)
  const unlock = config.databaseUrl === null ? await lockFolder(config.dataDir, answer) : async () => undefined
  const database = await openDatabase(
    config.databaseUrl === null ? { folder: join(config.dataDir, 'database') } : { url: config.databaseUrl },
  )
  const { pool } = database
  const now = () => new Date()
  let stopping = false
  database.broken.catch((error: Error) => {
    if (stopping) return
    process.stderr.write(`Hither stopped. ${error.message}\n`)
    process.exit(1)
  })
  await backUpBeforeMigrating(config, { pool, log, now })
  await migrate(pool)
  const authSecret = config.authSecret ?? (await keptSecret(config.dataDir, 'auth'))
  app = await createApp({ config, pool, authSecret, log, now })
  await app.http.listen({ port: config.port, host: config.host })
  app.start()
  greet(config, await app.makeAdminCode())

  const stop = async () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), stopWithinMs).unref()
    await app?.stop()
    await database.close()
    await unlock()
    process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

function greet(config: Config, adminCode: string | null) {
  const { dataDir, storage } = config
  const pictures = storage === null ? dataDir : `bucket ${storage.bucket}`
  const rest = config.databaseUrl === null ? dataDir : 'PostgreSQL'
  const stored = pictures === rest ? dataDir : `${pictures} (pictures), ${rest} (everything else)`
  process.stdout.write(`
  Hither is running.

    Open   ${config.publicUrl}
    Data   ${stored}
    Stop   Ctrl+C
${adminCode === null ? '' : adminLines(config, adminCode)}
`)
}

/** Until somebody has become it. */
function adminLines({ publicUrl }: Config, code: string): string {
  return `
    Nobody runs this server yet. Sign up, then open
           ${publicUrl}/admin
    and enter ${code} (good once, for a day).
`
}

try {
  await main()
} catch (error) {
  const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  const sentence = taken ? 'The port is already in use. Set PORT to another one.' : (error as Error).message
  // A wrong setting is the operator's to mend and needs no stack; anything else is ours.
  process.stderr.write(`Hither did not start. ${sentence}\n`)
  if (!taken && !(error instanceof ConfigError)) process.stderr.write(`${(error as Error).stack}\n`)
  process.exit(1)
}
