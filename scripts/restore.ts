import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { BackupError } from '../server/src/backups/archive.ts'
import { backupDepsOf } from '../server/src/backups/backups.service.ts'
import { type Restored, restoreBackup } from '../server/src/backups/restore.service.ts'
import { openData, readSettings } from '../server/src/data-access.ts'
import { createPrivateFiles } from '../server/src/platform/data-folder/private-files.ts'
import { StartError } from '../server/src/platform/errors/start-error.ts'

/** `npm run restore -- ARCHIVE [--force]`: restores a backup, without data that was erased since. The server must be stopped. */
const usage = 'Usage: npm run restore -- ARCHIVE [--force]'

async function main(): Promise<Restored> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { force: { type: 'boolean' } } })
  const [archive, ...rest] = positionals
  if (archive === undefined || rest.length > 0) throw new BackupError(usage)
  const config = await readSettings(process.env)
  createPrivateFiles()
  const log = pino({ level: 'silent' })
  const data = await openData(config, { log })
  try {
    const deps = backupDepsOf(config, { pool: data.pool, log, now: () => new Date() })
    return await restoreBackup(deps, { path: resolve(archive), force: values.force ?? false })
  } finally {
    await data.close()
  }
}

try {
  const { madeAt, rows, files, erased, passwords, knewErased, foreign } = await main()
  const lines = [
    `Restored ${rows} rows and ${files} pictures of ${madeAt}.`,
    knewErased
      ? `Erased or blocked again what had been since: ${erased}.`
      : 'No tombstones.jsonl was found next to the backup: data that was erased since then has been restored.',
    ...(foreign.length > 0 ? [`Left in the backup, since Hither does not know them: ${foreign.join(', ')}.`] : []),
    ...(passwords > 0 ? [`Accounts that need a new password, since theirs was replaced: ${passwords}.`] : []),
    'Everyone has to sign in again.',
  ]
  process.stdout.write(`\n${lines.map((line) => `  ${line}\n`).join('')}\n`)
} catch (error) {
  const isTheirs =
    error instanceof BackupError ||
    error instanceof StartError ||
    ['ENOENT', 'ERR_PARSE_ARGS_UNKNOWN_OPTION'].includes((error as NodeJS.ErrnoException).code ?? '')
  process.stderr.write(`Nothing was restored. ${(error as Error).message}\n`)
  if (!isTheirs) process.stderr.write(`${(error as Error).stack}\n`)
  process.exit(1)
}
