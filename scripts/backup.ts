import { pino } from 'pino'
import { BackupError } from '../server/src/backups/archive.ts'
import { requestBackup } from '../server/src/backups/backup-ipc.ts'
import { createBackupJobs } from '../server/src/backups/backups.jobs.ts'
import { type BackupResult, backupDepsOf } from '../server/src/backups/backups.service.ts'
import { openData, readSettings } from '../server/src/data-access.ts'
import { createPrivateFiles } from '../server/src/platform/data-folder/private-files.ts'
import { StartError } from '../server/src/platform/errors/start-error.ts'

/** `npm run backup`: writes an archive of the database and its pictures, also while the server runs. Uses the settings of the server. */
async function main(): Promise<BackupResult> {
  const config = await readSettings(process.env)
  createPrivateFiles()
  const isEmbedded = config.databaseUrl === null
  const byServer = isEmbedded ? await requestBackup(config) : null
  if (byServer) return byServer
  const log = pino({ level: 'silent' })
  const data = await openData(config, { log })
  try {
    return await createBackupJobs(backupDepsOf(config, { pool: data.pool, log, now: () => new Date() })).take('manual')
  } finally {
    await data.close()
  }
}

try {
  const { path, bytes, rows, files } = await main()
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`
  process.stdout.write(`\n  Backed up ${rows} rows and ${files} pictures (${size}) to\n  ${path}\n\n`)
} catch (error) {
  const isTheirs = error instanceof BackupError || error instanceof StartError
  process.stderr.write(`No backup was made. ${(error as Error).message}\n`)
  if (!isTheirs) process.stderr.write(`${(error as Error).stack}\n`)
  process.exit(1)
}
