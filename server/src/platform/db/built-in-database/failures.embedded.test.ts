import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createDataFolders, type DataFolders, openFolder } from '../../../../test/data-folder.ts'
import { freePort } from '../../../../test/free-port.ts'
import { beginCall } from '../../../../test/pending-call.ts'
import { childrenOf, isRunning } from '../../../../test/processes.ts'
import { compileCache, type ServerProcess, startProcess } from '../../../../test/server-process.ts'
import { openDatabase } from '../open-database.ts'
import { findInstalled } from './programs.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const isRoot = process.geteuid?.() === 0
const main = fileURLToPath(new URL('../../../main.ts', import.meta.url))
let folders: DataFolders

beforeAll(async () => {
  folders = await createDataFolders()
})
afterAll(() => folders.remove())

async function postmasterOf(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postgres-18', 'postmaster.pid'), 'utf8'), 10)
}

async function signUp(server: ServerProcess): Promise<string> {
  const account = { email: 'ann@example.org', password: 'correct horse battery', username: 'ann' }
  const { status, body } = await server.call('POST', '/api/auth/signup', account)
  expect(status).toBe(201)
  return body['access_token'] as string
}

const drop = (server: ServerProcess, token: string) =>
  server.call('POST', '/api/pings/', { name: 'Here', latitude: 1, longitude: 2, is_public: true }, token)

/** Begins to create a ping. */
const beginDrop = (server: ServerProcess, token: string) =>
  beginCall(`${server.url}/api/pings/`, token, { name: 'Here', latitude: 1, longitude: 2, is_public: true })

/** Whether nothing listens on the port of the server any more. */
const refusesConnections = ({ url }: ServerProcess) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', () => resolve(true))
  })

const statusOf = async (server: ServerProcess, path = '/readyz') => (await fetch(`${server.url}${path}`)).status
const metricsOf = async (server: ServerProcess) => (await fetch(`${server.url}/metrics`)).text()

/** Runs a program of Hither to its end. */
async function outcomeOf(environment: Record<string, string>, program = main, args: string[] = []) {
  const child = spawn(process.execPath, [program, ...args], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      LOG_LEVEL: 'silent',
      MAP_ONLINE: 'off',
      ...compileCache,
      ...environment,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

describe('a running server', () => {
  it('restarts a killed database and answers 503 meanwhile, and waits for a suspended one', async () => {
    const folder = await folders.make()
    const server = await startProcess({ DATA_DIR: folder })
    const token = await signUp(server)
    const first = await postmasterOf(folder)
    process.kill(first, 'SIGKILL')
    const refused = await fetch(`${server.url}/api/users/me`, { headers: { authorization: `Bearer ${token}` } })
    if (refused.status !== 200) {
      expect(refused.status).toBe(503)
      expect(refused.headers.get('retry-after')).toBe('2')
    }
    // Until the restart, a connection whose process has not noticed the end of the database yet may still answer.
    const isRestarted = async () => (await metricsOf(server)).includes('\nhither_database_restarts_total 1\n')
    await vi.waitUntil(isRestarted, { timeout: 60_000, interval: 50 })
    await vi.waitUntil(async () => (await statusOf(server)) === 200, { timeout: 60_000, interval: 50 })
    const second = await postmasterOf(folder)
    expect(second).not.toBe(first)
    expect(await statusOf(server, '/healthz')).toBe(200)
    expect((await drop(server, token)).status).toBe(201)

    const all = [second, ...(await childrenOf(second))]
    for (const pid of all) process.kill(pid, 'SIGSTOP')
    expect((await drop(server, token)).status).toBe(503)
    for (const pid of all) process.kill(pid, 'SIGCONT')
    await vi.waitUntil(async () => (await drop(server, token)).status === 201, { timeout: 60_000, interval: 50 })
    expect(await server.end('SIGTERM')).toBe(0)
    expect(isRunning(second)).toBe(false)
  })

  it('retries the start of the database with increasing delays until it succeeds', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'hither-programs-'))
    await chmod(copy, 0o755)
    await cp(join(findInstalled(), '..'), join(copy, 'package'), { recursive: true, verbatimSymlinks: true })
    const bin = join(copy, 'package', 'native', 'bin')
    const pauses: number[] = []
    const { promise: tried, resolve } = Promise.withResolvers<void>()
    const log = pino(
      { level: 'error' },
      {
        write(line: string) {
          const { seconds } = JSON.parse(line) as { seconds?: number }
          if (seconds !== undefined) pauses.push(seconds)
          if (pauses.length === 3) resolve()
        },
      },
    )
    const dataDir = await folders.make()
    const database = await openDatabase({
      builtIn: { dataDir, log, isDurable: false, installed: join(copy, 'package', 'native') },
    })
    await rename(bin, `${bin}-away`)
    process.kill(database.builtIn?.pid() ?? 0, 'SIGKILL')
    await tried
    await expect(database.pool`select 1`).rejects.toThrow()
    await rename(`${bin}-away`, bin)
    await vi.waitUntil(
      () =>
        database.pool`select 1`.then(
          () => true,
          () => false,
        ),
      { timeout: 60_000, interval: 50 },
    )
    expect(pauses.slice(0, 3)).toEqual([0, 1, 2])
    expect(database.builtIn?.restarts()).toBeGreaterThanOrEqual(3)
    await database.close()
    await rm(copy, { recursive: true })
  })
})

describe('stopping the server', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s during twenty calls answers all of them, exits with 0 and stops the database cleanly',
    async (signal) => {
      const folder = await folders.make()
      const server = await startProcess({ DATA_DIR: folder }, ['setsid'])
      const token = await signUp(server)
      const postmaster = await postmasterOf(folder)
      const calls = await Promise.all(Array.from({ length: 20 }, () => beginDrop(server, token)))
      // The whole process group receives the signal, as from Ctrl+C in a terminal.
      process.kill(-(server.child.pid ?? 0), signal)
      await vi.waitUntil(() => refusesConnections(server), { timeout: 60_000, interval: 5 })
      expect(await Promise.all(calls.map((call) => call.finish()))).toEqual(Array(20).fill(201))
      expect(await server.ended).toBe(0)
      expect(isRunning(postmaster)).toBe(false)
      expect(server.output()).not.toMatch(/unexpected error|ENOENT/)
      const again = await startProcess({ DATA_DIR: folder, LOG_LEVEL: 'debug' })
      expect(again.output()).toMatch(/database system was shut down at/)
      expect(again.output()).not.toMatch(/recovery/)
      const mine = (await again.call('GET', '/api/pings/my-pings', undefined, token)).body as unknown as unknown[]
      expect(mine).toHaveLength(20)
      expect(await again.end('SIGTERM')).toBe(0)
    },
  )

  it('aborts a call that does not end, exits with 1 and stops the database', async () => {
    const folder = await folders.make()
    const server = await startProcess({ DATA_DIR: folder })
    const postmaster = await postmasterOf(folder)
    const call = await beginDrop(server, await signUp(server))
    expect(await server.end('SIGTERM')).toBe(1)
    expect(server.output()).toContain('Hither has stopped and cut off 1 call that did not end.\n')
    await expect(call.finish()).rejects.toMatchObject({ code: expect.stringMatching(/^(?:ECONNRESET|EPIPE)$/) })
    expect(isRunning(postmaster)).toBe(false)
  })

  it('exits with 0 right after the first response of /healthz and during the first start', async () => {
    const folder = await folders.make()
    const port = await freePort()
    const base = { PATH: process.env['PATH'], PORT: String(port), LOG_LEVEL: 'silent', MAP_ONLINE: 'off' }
    const environment = { ...base, ...compileCache }
    const child = spawn(process.execPath, [main], { env: { ...environment, DATA_DIR: folder }, stdio: 'ignore' })
    const ended = once(child, 'exit')
    await vi.waitUntil(
      () =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      {
        timeout: 60_000,
        interval: 2,
      },
    )
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])

    const empty = await mkdtemp(join(tmpdir(), 'hither-empty-'))
    const starting = spawn(process.execPath, [main], { env: { ...environment, DATA_DIR: empty }, stdio: 'ignore' })
    const over = once(starting, 'exit')
    const isBegun = () => readdirSync(empty).some((name) => name.startsWith('postgres-18.new-'))
    await vi.waitUntil(isBegun, { timeout: 60_000, interval: 2 })
    starting.kill('SIGTERM')
    expect(await over).toEqual([0, null])
    await rm(empty, { recursive: true })
  })
})

describe('a failed start prints the reason in one sentence', () => {
  it('if another server starts on the same new folder: one runs, the other names the folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hither-two-'))
    const starts = [1, 2].map(() =>
      startProcess({ DATA_DIR: folder }).then(
        (server) => ({ server }),
        (error: Error) => ({ error }),
      ),
    )
    const outcomes = await Promise.all(starts)
    const servers = outcomes.flatMap((outcome) => ('server' in outcome ? [outcome.server] : []))
    const errors = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error.message] : []))
    expect(servers).toHaveLength(1)
    expect(errors).toEqual([
      `The server ended with 1: Hither did not start. Another Hither is already running on the data folder ${folder}. Stop it first, or set DATA_DIR.\n`,
    ])
    await signUp(servers[0] as ServerProcess)
    expect(await servers[0]?.end('SIGTERM')).toBe(0)
    await rm(folder, { recursive: true })
  })

  it.each([
    [
      'HOST',
      { HOST: '203.0.113.1' },
      /^Hither did not start\. HOST must be an address of this machine, .*EADDRNOTAVAIL\)\.\n$/,
    ],
    [
      'BACKUP_DIR',
      { BACKUP_DIR: '/dev/null/backups' },
      /^Hither did not start\. BACKUP_DIR must be a folder that Hither can write to, and \/dev\/null\/backups is not \(ENOTDIR\)\./,
    ],
    [
      'DATA_DIR',
      { DATA_DIR: '/dev/null/data' },
      /^Hither did not start\. DATA_DIR must be a folder, and \/dev\/null\/data is not one or lies below a file\.\n$/,
    ],
    [
      'DATA_DIR where no folder can be made',
      { DATA_DIR: '/proc/nothing/here' },
      /^Hither did not start\. \/proc\/nothing\/here can't be created there\. Set DATA_DIR to a folder on a local disk\.\n$/,
    ],
    [
      'BACKUP_DIR where no folder can be made',
      { BACKUP_DIR: '/proc/nothing/here' },
      /^Hither did not start\. BACKUP_DIR must be a folder that Hither can write to, and \/proc\/nothing\/here is not \(ENOENT\)\./,
    ],
  ])('for nonsense in %s', async (_, setting, sentence) => {
    const { code, output } = await outcomeOf({ DATA_DIR: await folders.make(), ...setting })
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(sentence) })
    expect(output).not.toContain('    at ')
  })

  it('for a damaged database, whichever of the files that a start reads it is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hither-damaged-'))
    expect(await (await startProcess({ DATA_DIR: folder })).end('SIGTERM')).toBe(0)
    const database = await openFolder(folder)
    const pathOf = async (table: string) => {
      const [row] = await database.pool<
        [{ path: string }]
      >`select pg_relation_filepath(${table}::text::regclass) as path`
      return row.path
    }
    const names = ['pg_class', 'pg_authid', 'migrations']
    const paths = ['global/pg_control', ...(await Promise.all(names.map(pathOf)))]
    await database.close()
    for (const path of paths) {
      const file = join(folder, 'postgres-18', path)
      const whole = await readFile(file)
      if (path === 'global/pg_control') await rm(file)
      else await writeFile(file, randomBytes(whole.byteLength))
      const { code, output } = await outcomeOf({ DATA_DIR: folder })
      const archive = 'npm run restore -- ARCHIVE'
      expect({ path, code, output }).toEqual({
        path,
        code: 1,
        output: expect.stringMatching(
          new RegExp(
            `^Hither did not start\\. The database in ${folder}/postgres-18 is damaged \\(.+\\)\\. Nothing was changed\\. Move that folder away and restore a backup: ${archive}\\.\\n$`,
          ),
        ),
      })
      await writeFile(file, whole, { mode: 0o600 })
      if (path === 'global/pg_control') await chown(file, (await stat(join(folder, 'postgres-18'))).uid, -1)
    }
    await rm(folder, { recursive: true })
  })

  it('if a secret is empty', async () => {
    const folder = await folders.make()
    await mkdir(join(folder, 'secrets'))
    await writeFile(join(folder, 'secrets', 'auth'), '')
    const { code, output } = await outcomeOf({ DATA_DIR: folder })
    expect(code).toBe(1)
    expect(output).toMatch(
      /^Hither did not start\. The secret in .*secrets\/auth is empty or too short\. Put the file of a backup there, or delete it/,
    )
    expect(output).not.toContain('    at ')
  })

  it.runIf(isRoot)('for a full disk at the first start and at a later one, and starts once it has space', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hither-small-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=755', 'tmpfs', folder])
    try {
      const full = `Hither did not start. There is no room left on the disk of ${folder}. Free some space and start again. Nothing was lost.\n`
      expect(await outcomeOf({ DATA_DIR: folder })).toEqual({ code: 1, output: full })
      execFileSync('mount', ['-o', 'remount,size=300m', folder])
      const server = await startProcess({ DATA_DIR: folder })
      const token = await signUp(server)
      expect((await drop(server, token)).status).toBe(201)
      server.child.kill('SIGKILL')
      await server.ended
      process.kill(await postmasterOf(folder), 'SIGQUIT')
      execFileSync('sh', ['-c', `cat /dev/zero > ${folder}/ballast 2>/dev/null || true`])
      expect(await outcomeOf({ DATA_DIR: folder })).toEqual({ code: 1, output: full })
      await rm(join(folder, 'ballast'))
      const again = await startProcess({ DATA_DIR: folder })
      const mine = (await again.call('GET', '/api/pings/my-pings', undefined, token)).body as unknown as unknown[]
      expect(mine).toHaveLength(1)
      expect(await again.end('SIGTERM')).toBe(0)
    } finally {
      execFileSync('umount', ['-l', folder])
      await rm(folder, { recursive: true })
    }
  })

  it.runIf(isRoot)('for a disk that cannot be written to', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hither-readonly-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', folder])
    try {
      expect(await outcomeOf({ DATA_DIR: folder })).toEqual({
        code: 1,
        output: `Hither did not start. ${folder} can't be written to (read-only file system). Make it writable or set DATA_DIR.\n`,
      })
    } finally {
      execFileSync('umount', ['-l', folder])
      await rm(folder, { recursive: true })
    }
  })
})
