import { chmod, mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { isRunning } from './processes.ts'

const memory = '/dev/shm'
const prefix = 'hither-tests-'
const neededBytes = 4_000_000_000

/**
 * Puts the temporary files of the run into a folder in memory, if the system has enough (Linux), and removes them in the
 * end. PostgreSQL waits for the disk when it creates, starts and stops a database and when it commits. Tests kill processes
 * and not the machine, so they find the same without these waits. A value of TMPDIR is kept.
 */
export default async function setup() {
  if (process.env['TMPDIR'] !== undefined || !(await isUsable())) return
  await removeLeftovers()
  const folder = await mkdtemp(join(memory, `${prefix}${process.pid}-`))
  // Other users create files in it, as in /tmp.
  await chmod(folder, 0o1777)
  process.env['TMPDIR'] = folder
  return () => rm(folder, { recursive: true, force: true })
}

async function isUsable(): Promise<boolean> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '')
  const options = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, path]) => path === memory)?.[3]
  // Tests run copies of programs there.
  if (options === undefined || options.split(',').includes('noexec')) return false
  const { bavail, bsize } = await statfs(memory)
  return bavail * bsize >= neededBytes
}

/** Removes the folders of runs that were killed. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(memory)) {
    const [, pid] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(memory, name), { recursive: true, force: true })
  }
}
