import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { createApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { openDatabase } from './platform/database.ts'
import { lockFolder } from './platform/folder-lock.ts'
import { migrate } from './platform/migrations.ts'
import { keptSecret } from './platform/secrets.ts'

/** Long enough for calls under way; a browser that lingers is cut off after it. */
const stopWithinMs = 10_000

async function main() {
  const config = readConfig(process.env)
  const log = pino({ level: config.logLevel })
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const unlock = config.databaseUrl === null ? await lockFolder(config.dataDir) : async () => undefined
  const database = await openDatabase(
    config.databaseUrl === null ? { folder: join(config.dataDir, 'database') } : { url: config.databaseUrl },
  )
  await migrate(database.pool)
  const authSecret = config.authSecret ?? (await keptSecret(config.dataDir, 'auth'))
  const app = await createApp({ config, pool: database.pool, authSecret, log, now: () => new Date() })
  await app.http.listen({ port: config.port, host: config.host })
  app.start()
  greet(config)

  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), stopWithinMs).unref()
    await app.stop()
    await database.close()
    await unlock()
    process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

function greet(config: Config) {
  const { dataDir, storage } = config
  const pictures = storage === null ? dataDir : `bucket ${storage.bucket}`
  const rest = config.databaseUrl === null ? dataDir : 'PostgreSQL'
  const stored = pictures === rest ? dataDir : `${pictures} (pictures), ${rest} (everything else)`
  process.stdout.write(`
  Hither is running.

    Open   ${config.publicUrl}
    Data   ${stored}
    Stop   Ctrl+C

`)
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
