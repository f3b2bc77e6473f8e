import { execFile } from 'node:child_process'
import { readFile, readlink, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../../errors/start-error.ts'
import { databaseFolderOf } from './database-folder.ts'
import type { Programs } from './programs.ts'

const fastMs = 30_000
const immediateMs = 10_000
const pollMs = 25

/**
 * Stops the database process of a server that was killed. `postmaster.pid` contains its process id. A process with that
 * id is stopped only if its working directory is the database folder: after a restart of the machine, any process may
 * have the id. Then only the file is removed. Throws `StartError` if the process does not end.
 */
export async function stopStaleProcess(
  dataDir: string,
  programs: Pick<Programs, 'pgCtl'> | null,
  log: { warn(details: object, text: string): void },
): Promise<void> {
  const folder = databaseFolderOf(dataDir)
  const file = join(folder, 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return
  const pid = Number.parseInt(text, 10)
  if (!Number.isInteger(pid) || pid <= 1) return rm(file, { force: true })
  // `pg_ctl` signals PostgreSQL through its named pipe, so it cannot reach another process.
  if (process.platform === 'win32')
    return void (
      programs &&
      (await promisify(execFile)(programs.pgCtl, ['stop', '-D', folder, '-m', 'fast']).catch(() => undefined))
    )
  const isOurs = await ownershipTest(pid, folder)
  if (await isOurs()) {
    log.warn({ pid }, 'stopping a database process of an earlier server')
    await end(pid, isOurs, dataDir)
  }
  // PostgreSQL does not start while the id is in use: by another process, or by this one as a zombie.
  if (isAlive(pid)) await rm(file, { force: true })
}

async function end(pid: number, isOurs: () => Promise<boolean>, dataDir: string): Promise<void> {
  for (const [signal, withinMs] of [
    // Fast shutdown, then immediate shutdown. Never SIGKILL, after which its children could still write.
    ['SIGINT', fastMs],
    ['SIGQUIT', immediateMs],
  ] as const) {
    send(pid, signal)
    const deadline = Date.now() + withinMs
    while (Date.now() < deadline) {
      if (!(await isOurs())) return
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  }
  throw new StartError(
    `An earlier database process (${pid}) of ${dataDir} does not stop. End it or restart the machine.`,
  )
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended, or belongs to another user. The wait below finds out.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function ownershipTest(pid: number, folder: string): Promise<() => Promise<boolean>> {
  const place = await realpath(folder)
  if (process.platform === 'linux') {
    // A zombie process has no working directory.
    return () =>
      readlink(`/proc/${pid}/cwd`).then(
        (cwd) => cwd === place,
        () => false,
      )
  }
  return () =>
    promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).then(
      ({ stdout }) => stdout.includes(folder) || stdout.includes(place),
      () => false,
    )
}
