import { resolve } from 'node:path'
import { BackupError, IdentityError } from '../server/src/backups/backup-error.ts'
import { StartError } from '../server/src/platform/errors/start-error.ts'
import { type Command, UsageError } from './commands/command.ts'

/**
 * `hither SUBCOMMAND`, the command of a person who runs a server. An installed package calls it with `--settings FILE` first,
 * whose lines are `NAME=value`. Variables of the environment win over them.
 */
const subcommands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./commands/start.ts')).start,
  code: async () => (await import('./commands/code.ts')).code,
  backup: async () => (await import('./commands/backup.ts')).backup,
  'backup-key': async () => (await import('./commands/backup-key.ts')).backupKey,
  restore: async () => (await import('./commands/restore.ts')).restore,
  'reset-link': async () => (await import('./commands/reset-link.ts')).resetLink,
  version: async () => (await import('./commands/version.ts')).version,
}

/** Errors of files that the operator names. Their messages name the file. */
const fileErrors = ['ENOENT', 'EEXIST', 'EACCES', 'EISDIR', 'ENOSPC', 'EROFS', 'EPIPE']

async function main(given: readonly string[]): Promise<void> {
  const hasSettings = given[0] === '--settings'
  const settingsFile = hasSettings ? resolve(given[1] ?? '') : null
  const [name = '', ...args] = hasSettings ? given.slice(2) : given
  const load = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined
  if (!load) throw new UsageError(`Usage: hither ${Object.keys(subcommands).join(' | ')}`)
  const { usage, failure, run } = await load()
  try {
    if (settingsFile !== null) process.loadEnvFile(settingsFile)
    await run(args, { settingsFile })
  } catch (error) {
    const { code = '', message, stack } = error as NodeJS.ErrnoException
    const isUsage = error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS_')
    const reason = isUsage ? `Usage: hither ${name} ${usage}`.trim() : message
    process.stderr.write(`${error instanceof IdentityError ? reason : `${failure} ${reason}`}\n`)
    const isTheirs = isUsage || error instanceof BackupError || error instanceof StartError || fileErrors.includes(code)
    if (!isTheirs) process.stderr.write(`${stack}\n`)
    process.exit(1)
  }
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
