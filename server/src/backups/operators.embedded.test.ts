import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createDataFolders, type DataFolders, openFolder } from '../../test/data-folder.ts'
import { freePort } from '../../test/free-port.ts'
import { isRunning } from '../../test/processes.ts'
import { compileCache } from '../../test/server-process.ts'
import { lockFolder } from '../platform/data-folder/folder-lock.ts'
import { applyMigrations } from '../platform/db/migrations.ts'
import { archivesAmong } from './backups.rules.ts'
import { createKeyPair } from './encryption.ts'

// Each test starts several processes, one after the other.
vi.setConfig({ testTimeout: 180_000 })

const program = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
let folders: DataFolders
let folder: string
let port: number
let running: ChildProcess[]

beforeAll(async () => {
  folders = await createDataFolders()
})
afterAll(() => folders.remove())

beforeEach(async () => {
  folder = await folders.make()
  port = await freePort()
  running = []
})

afterEach(async () => {
  for (const child of running)
    if (child.exitCode === null && child.signalCode === null) {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await gone
    }
})

test('a backup is made while the server runs, and restores everything on a new machine', async () => {
  const server = await started()
  const before = await signUp('ann')
  const first = await ran('scripts/hither.ts', ['backup'])
  expect(first).toMatchObject({ code: 0 })
  expect(first.output).toMatch(/Backed up \d+ rows and 0 pictures \([\d.]+ MB\) to\n {2}.*-manual\.tar\.gz/)
  expect((await signUp('bob')).status).toBe(201)
  // The backup contains the account, but not this later session of it.
  const later = await signIn('ann')
  expect(later.status).toBe(200)
  const [archive = ''] = await archives()

  const other = join(folder, '..', 'another-machine')
  const restored = await ran('scripts/hither.ts', ['restore', join(folder, 'backups', archive)], { DATA_DIR: other })
  expect(restored).toMatchObject({ code: 0 })
  expect(restored.output).toContain('Everyone has to sign in again.')
  // The archive does not contain the key that signs access tokens, and a restore creates a new one.
  const entries = await promisify(execFile)('tar', ['-tzf', join(folder, 'backups', archive)])
  expect(entries.stdout).toContain('manifest.json')
  expect(entries.stdout).not.toContain('secrets')
  const key = await readFile(join(folder, 'secrets', 'auth'), 'utf8')
  expect(await readFile(join(other, 'secrets', 'auth'), 'utf8')).not.toBe(key)
  expect((await stat(join(other, 'secrets', 'auth'))).mode & 0o777).toBe(0o600)
  await ended(server)
  await started({ DATA_DIR: other })
  expect((await signIn('ann')).status).toBe(200)
  expect((await signIn('bob')).status).toBe(401)
  expect((await me(before.token)).status).toBe(401)
  expect((await me(later.token)).status).toBe(401)
})

test('a backup and a restore stop the database of a killed server, and a restore ends later sessions', async () => {
  const server = await started()
  await signUp('ann')
  await ended(server, 'SIGKILL')
  const first = await postmaster()
  expect(isRunning(first)).toBe(true)
  expect(await ran('scripts/hither.ts', ['backup'])).toMatchObject({ code: 0 })
  expect(isRunning(first)).toBe(false)
  const [archive = ''] = await archives()

  const next = await started()
  const later = await signIn('ann')
  expect((await me(later.token)).status).toBe(200)
  await ended(next, 'SIGKILL')
  const second = await postmaster()
  expect(isRunning(second)).toBe(true)
  expect(await ran('scripts/hither.ts', ['restore', join(folder, 'backups', archive), '--force'])).toMatchObject({
    code: 0,
  })
  expect(isRunning(second)).toBe(false)
  await started()
  expect((await me(later.token)).status).toBe(401)
  expect((await signIn('ann')).status).toBe(200)
})

test('following the sentence of a damaged database brings the data back', async () => {
  const server = await started()
  await signUp('ann')
  expect(await ran('scripts/hither.ts', ['backup'])).toMatchObject({ code: 0 })
  await ended(server)
  const database = join(folder, 'postgres-18')
  const control = join(database, 'global', 'pg_control')
  const bytes = await readFile(control)
  bytes[40] = (bytes[40] ?? 0) ^ 0xff
  await writeFile(control, bytes)

  const { code, output } = await ran('server/src/main.ts')
  expect(code).toBe(1)
  const [, archive = ''] =
    /Nothing was changed\. Move that folder away and restore a backup: npm run restore -- (.+)\.$/m.exec(output) ?? []
  await rename(database, `${database}-damaged`)
  expect(await ran('scripts/hither.ts', ['restore', archive])).toMatchObject({ code: 0 })
  await started()
  expect((await signIn('ann')).status).toBe(200)
})

test('a restore is refused while the server runs', async () => {
  await started()
  await ran('scripts/hither.ts', ['backup'])
  const [archive = ''] = await archives()
  const { code, output } = await ran('scripts/hither.ts', ['restore', join(folder, 'backups', archive), '--force'])
  expect(code).toBe(1)
  expect(output).toContain(
    `Nothing was restored. Another Hither is already running on the data folder ${folder}. Stop it first`,
  )
})

test('a backup that is killed leaves no incomplete archive', async () => {
  const server = await started()
  await signUp('ann')
  await ended(server)
  const database = await openFolder(folder)
  // Text that does not compress makes the backup long enough to be killed in the middle.
  await database.pool`
    insert into tombstones (kind, id_hash)
    select 'test', gen_random_uuid()::text || gen_random_uuid()::text from generate_series(1, 100000)`
  await database.close()
  const { publicKey } = await createKeyPair()
  const child = launch('scripts/hither.ts', ['backup'], { BACKUP_RECIPIENT: publicKey })
  const work = await appeared(join(folder, 'backup-work'), /^run-/)
  const partial = await appeared(join(folder, 'backups'), /^\.partial-/)
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
  expect(await archives()).toEqual([])
  // The folder of backups has only encrypted bytes, and the rows are gone with the next start.
  expect(await readFile(join(folder, 'backups', partial), 'latin1')).not.toContain('tombstone')
  expect(await readdir(join(folder, 'backup-work'))).toEqual([work])
  await ended(await started())
  expect(await readdir(join(folder, 'backup-work'))).toEqual([])
  const again = await ran('scripts/hither.ts', ['backup'])
  expect(again.code).toBe(0)
  expect(await archives()).toHaveLength(1)
})

test('an older database is backed up before its migration', async () => {
  const server = await started()
  await signUp('ann')
  await ended(server)
  const database = await openFolder(folder)
  const [ann] = await database.pool`select id, email, username, password_hash, created_at from users`
  await database.pool.begin(async (tx) => {
    await tx`drop schema public cascade`
    await tx`create schema public`
    await applyMigrations(tx, '0008_ping_creations.sql')
    await tx`
      insert into users (id, email, username, password_hash, created_at, updated_at)
      values (${ann?.['id']}, ${ann?.['email']}, ${ann?.['username']}, ${ann?.['password_hash']}, ${ann?.['created_at']}, now())`
  })
  await database.close()
  const upgraded = await started()
  expect(archivesAmong(await readdir(join(folder, 'backups'))).map(({ kind }) => kind)).toEqual(['migration'])
  await ended(upgraded)
  // The backup with the older schema can be restored, and goes through the same migrations.
  const [archive = ''] = await archives()
  const { code } = await ran('scripts/hither.ts', ['restore', join(folder, 'backups', archive), '--force'])
  expect(code).toBe(0)
  await started()
  expect((await signIn('ann')).status).toBe(200)
})

test('the server does not start if that backup fails, and says how to start without it', async () => {
  await (await open()).close()
  const { code, output } = await ran('server/src/main.ts', [], { PORT: String(port) })
  expect(code).toBe(1)
  expect(output).toMatch(
    /The backup before the update of the database failed \(.*\)\. To start without one, set BACKUPS_ENABLED=off\./,
  )

  async function open() {
    const database = await openFolder(folder)
    await database.pool`delete from migrations where name = (select max(name) from migrations)`
    // A table that the server may not read, and thus not write to an archive.
    await database.pool`create table unreadable (id integer primary key)`
    await database.pool`revoke select on unreadable from hither`
    return database
  }
})

test('a restore of a missing or invalid archive names it', async () => {
  expect((await ran('scripts/hither.ts', ['restore'])).output).toContain(
    'Usage: hither restore FILE|- [--identity FILE] [--force | --check]',
  )
  const missing = await ran('scripts/hither.ts', ['restore', join(folder, 'nothing.tar.gz')])
  expect(missing.output).toMatch(/Nothing was restored\. ENOENT.*nothing\.tar\.gz/)
  const text = await ran('scripts/hither.ts', ['restore', program('package.json')])
  expect(text.output).toContain('package.json is damaged or not complete. Nothing was changed.')
})

test('an encrypted backup is checked beside the running server and restored with the printed private key', async () => {
  const { output: printed } = await ran('scripts/hither.ts', ['backup-key'])
  const [publicKey = ''] = /^age1.+$/m.exec(printed) ?? []
  const [privateKey = ''] = /^AGE-SECRET-KEY-1.+$/m.exec(printed) ?? []
  const keys = await mkdtemp(join(tmpdir(), 'hither-keys-'))
  const [identity, wrong] = [join(keys, 'identity.txt'), join(keys, 'wrong.txt')]
  await writeFile(identity, `${privateKey}\n`)
  await writeFile(wrong, `${(await createKeyPair()).privateKey}\n`)
  await started({ BACKUP_RECIPIENT: publicKey })
  await signUp('ann')
  expect((await ran('scripts/hither.ts', ['backup'], { BACKUP_RECIPIENT: publicKey })).output).toContain(
    '-manual.tar.gz.age',
  )
  const [archive = ''] = await archives()
  const path = join(folder, 'backups', archive)
  const check = (file: string, ...args: string[]) => ran('scripts/hither.ts', ['restore', file, '--check', ...args])

  const [{ madeAt } = { madeAt: new Date(0) }] = archivesAmong([archive])
  const day = [madeAt.getFullYear(), madeAt.getMonth() + 1, madeAt.getDate()]
  const minute = [madeAt.getHours(), madeAt.getMinutes()]
  const padded = (parts: number[]) => parts.map((part) => String(part).padStart(2, '0'))
  const before = await readdir(keys, { recursive: true })
  expect(await check(path, '--identity', identity)).toEqual({
    code: 0,
    output: `The backup of ${padded(day).join('-')} ${padded(minute).join(':')} is complete and can be opened.\n`,
  })
  const refused = { code: 1, output: "This identity can't open the backup. Nothing was changed.\n" }
  expect(await check(path, '--identity', wrong)).toEqual(refused)
  expect(await check(path)).toEqual({ code: 1, output: 'This backup is encrypted. Add --identity FILE.\n' })
  const damaged = join(keys, 'damaged.tar.gz.age')
  await writeFile(damaged, (await readFile(path)).subarray(0, -1))
  expect(await check(damaged, '--identity', identity)).toMatchObject({
    code: 1,
    output: expect.stringContaining(`The backup ${damaged} is damaged or not complete. Nothing was changed.\n`),
  })
  expect((await check(program('package.json'))).output).toContain('package.json is damaged or not complete.')
  expect(await readdir(keys, { recursive: true })).toEqual([...before, 'damaged.tar.gz.age'].sort())

  const other = { DATA_DIR: join(folder, '..', 'another-machine-with-a-key') }
  expect(await ran('scripts/hither.ts', ['restore', path, '--identity', wrong], other)).toEqual(refused)
  expect(await ran('scripts/hither.ts', ['restore', path, '--identity', identity], other)).toMatchObject({
    code: 0,
    output: expect.stringContaining('Everyone has to sign in again.'),
  })
  await rm(keys, { recursive: true })
})

test('a folder whose path is too long for a socket is locked', async () => {
  const long = join(folder, 'x'.repeat(120))
  await mkdir(long)
  const unlock = await lockFolder(long)
  await expect(lockFolder(long)).rejects.toThrow(/Another Hither is already running/)
  await unlock()
  await (await lockFolder(long))()
})

function environment(extra: Record<string, string>) {
  return {
    PATH: process.env['PATH'],
    DATA_DIR: folder,
    PORT: String(port),
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
    ...compileCache,
    ...extra,
  }
}

function launch(path: string, args: readonly string[] = [], extra: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, [program(path), ...args], {
    env: environment(extra),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  return child
}

async function started(extra: Record<string, string> = {}): Promise<ChildProcess> {
  const child = launch('server/src/main.ts', [], extra)
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text) => String(text).includes('Hither is running') && resolve())
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
  })
  return child
}

async function ran(path: string, args: readonly string[] = [], extra: Record<string, string> = {}) {
  const child = launch(path, args, extra)
  let output = ''
  child.stdout?.on('data', (text) => (output += text))
  child.stderr?.on('data', (text) => (output += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, output }
}

function ended(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<unknown> {
  return new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill(signal)
  })
}

/** The process id of the database that uses the folder, or used it last. */
async function postmaster(): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postgres-18', 'postmaster.pid'), 'utf8'), 10)
}

async function archives(): Promise<string[]> {
  const names = await readdir(join(folder, 'backups'))
  return names.filter((name) => /\.tar\.gz(?:\.age)?$/.test(name)).sort()
}

async function appeared(parent: string, name: RegExp): Promise<string> {
  for (;;) {
    const names = await readdir(parent).catch(() => [])
    const found = names.find((candidate) => name.test(candidate))
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

const password = 'correct horse battery'

async function signUp(username: string) {
  return post('/auth/signup', { email: `${username}@example.org`, password, username })
}

async function signIn(username: string) {
  return post('/auth/login', { email: `${username}@example.org`, password })
}

async function post(path: string, body: unknown) {
  const response = await fetch(`http://127.0.0.1:${port}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { access_token = '' } = (await response.json()) as { access_token?: string }
  return { status: response.status, token: access_token }
}

function me(token: string) {
  return fetch(`http://127.0.0.1:${port}/api/users/me`, { headers: { authorization: `Bearer ${token}` } })
}
