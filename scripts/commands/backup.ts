import { pino } from 'pino'
import { requestBackup } from '../../server/src/backups/backup-ipc.ts'
import { createBackupJobs } from '../../server/src/backups/backups.jobs.ts'
import { type BackupResult, backupDepsOf } from '../../server/src/backups/backups.service.ts'
import { writeMoveFile } from '../../server/src/backups/move-file.ts'
import type { Config } from '../../server/src/config.ts'
import { openData, readSettings } from '../../server/src/data-access.ts'
import { createPrivateFiles } from '../../server/src/platform/data-folder/private-files.ts'
import { type Command, UsageError } from './command.ts'

/**
 * Makes a backup, also while the server runs: an archive in `BACKUP_DIR`, or with an argument one file that has all that another
 * machine needs (`-`: standard output).
 */
export const backup: Command = {
  usage: '[FILE|-]',
  failure: 'No backup was made.',
  async run([target, ...rest], { settingsFile }) {
    if (rest.length > 0 || (target?.startsWith('-') && target !== '-')) throw new UsageError()
    const config = await readSettings(process.env)
    createPrivateFiles()
    const made = await makeBackup(config)
    const { path, bytes, rows, files } = made
    const summary = `Backed up ${rows} rows and ${files} pictures (${(bytes / 1_000_000).toFixed(1)} MB)`
    if (target === undefined) {
      process.stdout.write(`\n  ${summary} to\n  ${path}\n\n`)
      return
    }
    await writeMoveFile({ target, archive: path, settings: config.backups, settingsFile })
    process.stderr.write(`${summary}.\nStop this server before you start the new one.\n`)
  },
}

async function makeBackup(config: Config): Promise<BackupResult> {
  const byServer = config.databaseUrl === null ? await requestBackup(config) : null
  if (byServer) return byServer
  const log = pino({ level: 'silent' })
  const data = await openData(config, { log })
  try {
    return await createBackupJobs(backupDepsOf(config, { pool: data.pool, log, now: () => new Date() })).take('manual')
  } finally {
    await data.close()
  }
}
