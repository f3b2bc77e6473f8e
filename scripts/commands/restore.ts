import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { backupDepsOf } from '../../server/src/backups/backups.service.ts'
import { withBackupFile } from '../../server/src/backups/move-file.ts'
import { restoreBackup } from '../../server/src/backups/restore.service.ts'
import { openData, readSettings } from '../../server/src/data-access.ts'
import { createPrivateFiles } from '../../server/src/platform/data-folder/private-files.ts'
import { type Command, UsageError } from './command.ts'

/**
 * Restores an archive of `BACKUP_DIR` or a file of `hither backup FILE|-`, without data that was erased since. The server must be
 * stopped.
 */
export const restore: Command = {
  usage: 'FILE|- [--force]',
  failure: 'Nothing was restored.',
  async run(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { force: { type: 'boolean' } },
    })
    const [source, ...rest] = positionals
    if (source === undefined || rest.length > 0) throw new UsageError()
    const config = await readSettings(process.env)
    createPrivateFiles()
    const log = pino({ level: 'silent' })
    const data = await openData(config, { log })
    try {
      const deps = backupDepsOf(config, { pool: data.pool, log, now: () => new Date() })
      const { restored, oldSettings } = await withBackupFile(source, config, (path) =>
        restoreBackup(deps, { path, force: values.force ?? false }),
      )
      const { madeAt, rows, files, erased, passwords, knewErased, foreign } = restored
      const lines = [
        `Restored ${rows} rows and ${files} pictures of ${madeAt}.`,
        knewErased
          ? `Erased or blocked again what had been since: ${erased}.`
          : 'No tombstones.jsonl was found next to the backup: data that was erased since then has been restored.',
        ...(foreign.length > 0 ? [`Left in the backup, since Hither does not know them: ${foreign.join(', ')}.`] : []),
        ...(passwords > 0 ? [`Accounts that need a new password, since theirs was replaced: ${passwords}.`] : []),
        ...(oldSettings === null ? [] : [`Settings of the old machine: ${oldSettings}`]),
        'Everyone has to sign in again.',
      ]
      process.stdout.write(`\n${lines.map((line) => `  ${line}\n`).join('')}\n`)
    } finally {
      await data.close()
    }
  },
}
