import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import type { Decrypter } from 'age-encryption'
import { pino } from 'pino'
import type { Archive } from '../../server/src/backups/archive.ts'
import { backupDepsOf } from '../../server/src/backups/backups.service.ts'
import { isEncrypted, readIdentityFile } from '../../server/src/backups/encryption.ts'
import { withBackupFile } from '../../server/src/backups/move-file.ts'
import { type Restored, restoreBackup, verifyArchive } from '../../server/src/backups/restore.service.ts'
import type { Config } from '../../server/src/config.ts'
import { openData, readSettings } from '../../server/src/data-access.ts'
import { createPrivateFiles } from '../../server/src/platform/data-folder/private-files.ts'
import { type Command, UsageError } from './command.ts'

/**
 * Restores an archive of `BACKUP_DIR` or a file of `hither backup FILE|-`, without data that was erased since. The server must be
 * stopped. `--check` in place of `--force` only reads the whole archive, also while a server runs.
 */
export const restore: Command = {
  usage: 'FILE|- [--identity FILE] [--force | --check]',
  failure: 'Nothing was restored.',
  async run(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { force: { type: 'boolean' }, check: { type: 'boolean' }, identity: { type: 'string' } },
    })
    const [source, ...rest] = positionals
    const { force = false, check = false, identity } = values
    if (source === undefined || rest.length > 0 || (force && check)) throw new UsageError()
    const decrypter = identity === undefined ? null : await readIdentityFile(resolve(identity))
    const open = async (path: string): Promise<Archive> => ({ path, decrypter: decrypter ?? (await askFor(path)) })
    const config = await readSettings(process.env)
    createPrivateFiles()
    if (check) {
      const { restored } = await withBackupFile(source, config, async (path) => verifyArchive(await open(path)))
      const madeAt = localTime(new Date(restored.made_at))
      process.stdout.write(`The backup of ${madeAt} is complete and can be opened.\n`)
    } else await restoreFile(config, source, open, force)
  },
}

async function restoreFile(
  config: Config,
  source: string,
  open: (path: string) => Promise<Archive>,
  force: boolean,
): Promise<void> {
  const log = pino({ level: 'silent' })
  const data = await openData(config, { log })
  try {
    const deps = backupDepsOf(config, { pool: data.pool, log, now: () => new Date() })
    const { restored, oldSettings } = await withBackupFile(source, config, async (path) =>
      restoreBackup(deps, { ...(await open(path)), force }),
    )
    process.stdout.write(
      `\n${linesOf(restored, oldSettings)
        .map((line) => `  ${line}\n`)
        .join('')}\n`,
    )
  } finally {
    await data.close()
  }
}

/** Asks for the identity file of an encrypted archive if there is a terminal. */
async function askFor(path: string): Promise<Decrypter | null> {
  if (!process.stdin.isTTY || !(await isEncrypted(path))) return null
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const file = await terminal.question('This backup is encrypted. Path of the identity file: ')
    return await readIdentityFile(resolve(file.trim()))
  } finally {
    terminal.close()
  }
}

/** For instance `2026-11-26 03:00`, by the clock of this machine. */
function localTime(time: Date): string {
  // Swedish writes dates like this.
  return time.toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' })
}

function linesOf(
  { madeAt, rows, files, erased, passwords, knewErased, foreign }: Restored,
  oldSettings: string | null,
): string[] {
  return [
    `Restored ${rows} rows and ${files} pictures of ${madeAt}.`,
    knewErased
      ? `Erased or blocked again what had been since: ${erased}.`
      : 'No tombstones.jsonl was found next to the backup: data that was erased since then has been restored.',
    ...(foreign.length > 0 ? [`Left in the backup, since Hither does not know them: ${foreign.join(', ')}.`] : []),
    ...(passwords > 0 ? [`Accounts that need a new password, since theirs was replaced: ${passwords}.`] : []),
    ...(oldSettings === null ? [] : [`Settings of the old machine: ${oldSettings}`]),
    'Everyone has to sign in again.',
  ]
}
