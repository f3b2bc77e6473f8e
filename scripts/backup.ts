import { join } from 'node:path'
import { pino } from 'pino'
import { BackupError } from '../server/src/backups/archive.ts'
import { askForBackup } from '../server/src/backups/asking.ts'
import { createBackupJobs } from '../server/src/backups/backups.jobs.ts'
import { backupDepsOf, type Taken } from '../server/src/backups/backups.service.ts'
import { ConfigError, readConfig } from '../server/src/config.ts'
import { openDatabase } from '../server/src/platform/database.ts'
import { lockFolder } from '../server/src/platform/folder-lock.ts'
import { createPrivateFiles } from '../server/src/platform/private-files.ts'

/** `npm run backup`: one archive of the database and its pictures, also while the server runs. Takes the server's settings. */
async function main(): Promise<Taken> {
  const config = readConfig(process.env)
  createPrivateFiles()
  const isEmbedded = config.databaseUrl === null
  const byServer = isEmbedded ? await askForBackup(config) : null
  if (byServer) return byServer
  const unlock = isEmbedded ? await lockFolder(config.dataDir) : async () => undefined
  const database = await openDatabase(
    config.databaseUrl === null ? { folder: join(config.dataDir, 'database') } : { url: config.databaseUrl },
  )
  try {
    const log = pino({ level: 'silent' })
    return await createBackupJobs(backupDepsOf(config, { pool: database.pool, log, now: () => new Date() })).take(
      'manual',
    )
  } finally {
    await database.close()
    await unlock()
  }
}

try {
  const { path, bytes, rows, files } = await main()
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`
  process.stdout.write(`\n  Backed up ${rows} rows and ${files} pictures (${size}) to\n  ${path}\n\n`)
} catch (error) {
  const isTheirs = error instanceof BackupError || error instanceof ConfigError
  process.stderr.write(`No backup was made. ${(error as Error).message}\n`)
  if (!isTheirs) process.stderr.write(`${(error as Error).stack}\n`)
  process.exit(1)
}
