import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { constants, createBrotliCompress, createBrotliDecompress } from 'node:zlib'
import { StartError } from '../../errors/start-error.ts'
import { makePrivateFolder, wrongOwnerError } from './data-dir.ts'
import { type DatabaseUser, identityOf } from './database-user.ts'
import { diskFull, explainFileError } from './file-errors.ts'
import type { Programs } from './programs.ts'
import { type Endpoint, environmentOf } from './settings.ts'

/** The major version of the included PostgreSQL. */
const major = 18

export const databaseFolderOf = (dataDir: string) => join(dataDir, `postgres-${major}`)

export interface FolderOptions {
  readonly dataDir: string
  readonly user: DatabaseUser | null
  readonly endpoint: Endpoint
  readonly isDurable: boolean
  /** The path of the newest backup, for the error message of a damaged database. `null` if there is none. */
  readonly newestArchive: () => Promise<string | null>
  /** A packed database folder of `packDatabaseFolder`, unpacked in place of `initdb` if that file exists. */
  readonly packed?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Returns whether the database folder exists. Reads only. Throws `StartError` if `dataDir` contains something other than
 * a database of this version.
 */
export async function inspectDatabaseFolder(options: FolderOptions): Promise<'missing' | 'present'> {
  const { dataDir, user } = options
  const folder = databaseFolderOf(dataDir)
  const content = await contentOf(folder, dataDir)
  if (content.length === 0) {
    await assertNoOlder(dataDir)
    return 'missing'
  }
  const { uid } = await stat(folder)
  if (user !== null && uid !== user.uid) throw await wrongOwnerError(folder, dataDir, uid)
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw explainFileError(error, dataDir)
  })
  if (version === null) throw await damaged(options, 'the file PG_VERSION is missing')
  if (!/^\d+\s*$/.test(version)) throw await damaged(options, 'the file PG_VERSION is not readable')
  if (Number(version) !== major) throw otherMajor(folder, Number(version))
  return 'present'
}

/** The error for a database on which PostgreSQL does not start. `reason` is the last line of its log. */
export async function damaged(
  { dataDir, newestArchive }: Pick<FolderOptions, 'dataDir' | 'newestArchive'>,
  reason: string,
) {
  return new StartError(damagedSentence(databaseFolderOf(dataDir), reason, await newestArchive()))
}

export function damagedSentence(folder: string, reason: string, archive: string | null): string {
  return (
    `The database in ${folder} is damaged (${reason}). Nothing was changed. ` +
    `Move that folder away and restore a backup: npm run restore -- ${archive ?? 'ARCHIVE'}.`
  )
}

async function contentOf(folder: string, dataDir: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    if ((error as NodeJS.ErrnoException).code === 'EACCES')
      throw await wrongOwnerError(folder, dataDir, (await stat(folder)).uid)
    throw explainFileError(error, dataDir)
  }
}

async function assertNoOlder(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const version = /^postgres-(\d+)$/.exec(name)?.[1]
    if (version === undefined || Number(version) === major) continue
    if ((await contentOf(join(dataDir, name), dataDir)).length > 0)
      throw otherMajor(join(dataDir, name), Number(version))
  }
  const old = join(dataDir, 'database')
  if ((await contentOf(old, dataDir)).length === 0) return
  throw new StartError(
    `${old} was made by an older Hither. Make a backup with that version (npm run backup), move the folder away, ` +
      'then restore it with this version (npm run restore -- ARCHIVE).',
  )
}

function otherMajor(folder: string, version: number): StartError {
  return new StartError(
    `${folder} was made by PostgreSQL ${version}; this Hither brings PostgreSQL ${major}. ` +
      'Make a backup with the Hither version that used it, then restore it with this one.',
  )
}

/** The packed database folder of the container image. Only an image has this file. */
export const packedFolder = fileURLToPath(new URL(`../../../../assets/postgres-${major}.tar.br`, import.meta.url))

/**
 * Writes an unused database folder to a tar file, compressed with Brotli. `createDatabaseFolder` unpacks it faster than
 * `initdb` creates one, and also for a user id without a name, for which `initdb` fails.
 */
export async function packDatabaseFolder(dataDir: string, file: string): Promise<void> {
  const args = ['--create', '--file', '-', '--directory', databaseFolderOf(dataDir), '.']
  const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(tar, 'close') as Promise<[number | null]>
  // The folders of its databases are nearly identical, which only a large window detects.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 }
  await pipeline(tar.stdout, createBrotliCompress({ params }), createWriteStream(file))
  const [code] = await ended
  if (code !== 0) throw new Error(`tar ended with ${code}`)
}

/**
 * Creates the database folder under a temporary name and renames it when it is complete and on the disk, so that an
 * interrupted start leaves no partial folder.
 */
export async function createDatabaseFolder(options: FolderOptions, programs: Programs): Promise<void> {
  const { dataDir, user, isDurable } = options
  let fresh: string | null = null
  try {
    await removeUnfinished(dataDir)
    // The name is unique, because the `initdb` of a killed server may still write to its folder.
    fresh = await mkdtemp(join(dataDir, unfinishedPrefix))
    await makePrivateFolder(fresh, user, dataDir)
    // A packed folder has no password, but a port requires one.
    const { packed = packedFolder } = options
    if ('folder' in options.endpoint && existsSync(packed)) await unpack(options, packed, fresh)
    else await initialize(options, programs, fresh)
    if (isDurable) await runProgram(options, programs.initdb, ['--sync-only', '-D', fresh])
    await rename(fresh, databaseFolderOf(dataDir))
    if (isDurable) await syncFolder(dataDir)
  } catch (error) {
    if (fresh !== null) await rm(fresh, { recursive: true, force: true }).catch(() => undefined)
    throw explainFileError(error, dataDir)
  }
}

const unfinishedPrefix = `postgres-${major}.new-`

/** Removes the unused folders of interrupted starts. */
async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir))
    if (name.startsWith(unfinishedPrefix))
      // Retries, because an `initdb` may have created another file meanwhile.
      await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}

async function unpack(options: FolderOptions, packed: string, folder: string): Promise<void> {
  const args = ['--extract', '--file', '-', '--directory', folder, '--same-permissions', '--no-same-owner']
  await runProgram(options, 'tar', args, [createReadStream(packed), createBrotliDecompress()])
}

async function initialize(options: FolderOptions, programs: Programs, folder: string): Promise<void> {
  const { endpoint } = options
  const password = 'port' in endpoint ? endpoint.password : null
  const local = 'port' in endpoint ? 'reject' : 'trust'
  const remote = 'folder' in endpoint ? 'reject' : password === null ? 'trust' : 'scram-sha-256'
  const passwordFile = `${folder}.password`
  if (password !== null) await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  try {
    await runProgram(options, programs.initdb, [
      ...['-D', folder, '--username=postgres', '--encoding=UTF8'],
      ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ...[`--auth-local=${local}`, `--auth-host=${remote}`],
      ...['--data-checksums', '--no-sync', '--no-instructions'],
      ...(password === null ? [] : [`--pwfile=${passwordFile}`]),
    ])
  } finally {
    if (password !== null) await rm(passwordFile, { force: true })
  }
  const secret = password === null ? '' : ` password '${password}'`
  const statements = `create role hither login${secret};\ncreate database hither owner hither;\n`
  // The server program in single-user mode, which reads statements and does not listen.
  await runProgram(
    options,
    programs.postgres,
    ['--single', '-D', folder, '-c', 'fsync=off', '-c', 'log_checkpoints=off', '-c', 'exit_on_error=on', 'postgres'],
    [Readable.from([statements])],
  )
}

async function runProgram(
  { dataDir, user, signal }: FolderOptions,
  program: string,
  args: readonly string[],
  input: readonly NodeJS.ReadableStream[] = [Readable.from([])],
): Promise<void> {
  const running = promisify(execFile)(program, args, {
    ...identityOf(user),
    cwd: '/',
    env: environmentOf(),
    ...(signal && { signal }),
  })
  // A program that ends before it has read everything prints the reason itself.
  const given = pipeline([...input, running.child.stdin as NodeJS.WritableStream]).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
    },
  )
  given.catch(() => undefined)
  try {
    await running
    await given
  } catch (error) {
    if (signal?.aborted) throw error
    throw explainProgramError(error as Error & { stdout?: string; stderr?: string }, dataDir)
  }
}

function explainProgramError(error: Error & { stdout?: string; stderr?: string }, dataDir: string): StartError {
  const output = `${error.stdout ?? ''}\n${error.stderr ?? ''}`
  if (/No space left on device|Disk quota exceeded/.test(output)) return diskFull(dataDir)
  const id = /could not look up effective user ID (\d+)/.exec(output)?.[1]
  if (id !== undefined)
    return new StartError(
      `The user id ${id} has no name on this system, which PostgreSQL needs to create a database. ` +
        'Add it to the user database or run as another user.',
    )
  const lines = output.split('\n').filter((line) => /error|fatal|panic/i.test(line))
  return notStarted(lines.at(-1) ?? error.message.split('\n')[0] ?? '')
}

/** The error for an unexpected failure. */
export function notStarted(reason: string): StartError {
  return new StartError(
    `The built-in database did not start: ${reason.trim().replace(/\.$/, '')}. Nothing was changed.`,
  )
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
