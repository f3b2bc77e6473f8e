import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createDataFolders, type DataFolders, openFolder } from '../../test/data-folder.ts'
import { freePort } from '../../test/free-port.ts'
import { lockFolder } from '../platform/folder-lock.ts'
import { archivesAmong } from './backups.rules.ts'

// Each starts several processes, one after the other.
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

test('a backup is made while the server runs, and brings back what there was on a new machine', async () => {
  const server = await started()
  const before = await signUp('ann')
  const first = await ran('scripts/backup.ts')
  expect(first).toMatchObject({ code: 0 })
  expect(first.output).toMatch(/Backed up \d+ rows and 0 pictures \([\d.]+ MB\) to\n {2}.*-manual\.tar\.gz/)
  expect((await signUp('bob')).status).toBe(201)
  // A session that the backup does not know, of an account that it does.
  const later = await signIn('ann')
  expect(later.status).toBe(200)
  const [archive = ''] = await archives()

  const other = join(folder, '..', 'another-machine')
  const restored = await ran('scripts/restore.ts', [join(folder, 'backups', archive)], { DATA_DIR: other })
  expect(restored).toMatchObject({ code: 0 })
  expect(restored.output).toContain('Everyone has to sign in again.')
  // No archive has the key that access tokens are signed with, and a restore makes a new one.
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

test('a restore over the same folder ends the sessions that were opened after the backup', async () => {
  const server = await started()
  await signUp('ann')
  await ran('scripts/backup.ts')
  const later = await signIn('ann')
  expect((await me(later.token)).status).toBe(200)
  await ended(server)
  const [archive = ''] = await archives()
  expect(await ran('scripts/restore.ts', [join(folder, 'backups', archive), '--force'])).toMatchObject({ code: 0 })
  await started()
  expect((await me(later.token)).status).toBe(401)
  expect((await signIn('ann')).status).toBe(200)
})

test('a running server is not restored over', async () => {
  await started()
  await ran('scripts/backup.ts')
  const [archive = ''] = await archives()
  const { code, output } = await ran('scripts/restore.ts', [join(folder, 'backups', archive), '--force'])
  expect(code).toBe(1)
  expect(output).toContain(
    `Nothing was restored. Another Hither is already running on the data folder ${folder}. Stop it first`,
  )
})

test('a backup that is killed in the middle leaves no half archive', async () => {
  const server = await started()
  await signUp('ann')
  await ended(server)
  const database = await openFolder(folder)
  // Text that does not compress, so that there is a middle.
  await database.pool`
    insert into tombstones (kind, id_hash)
    select 'test', gen_random_uuid()::text || gen_random_uuid()::text from generate_series(1, 100000)`
  await database.close()
  const child = launch('scripts/backup.ts')
  const partial = await appeared(join(folder, 'backups'), /^\.partial-/)
  await appeared(join(folder, 'backups', partial), /^archive$/)
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
  expect(await archives()).toEqual([])
  const again = await ran('scripts/backup.ts')
  expect(again.code).toBe(0)
  expect(await archives()).toHaveLength(1)
})

test('an older database is backed up before it is brought up to date', async () => {
  const server = await started()
  await signUp('ann')
  await ended(server)
  const database = await openFolder(folder)
  await database.pool`drop table tombstones, outbox, outbox_state, known_devices cascade`
  await database.pool`alter table signups drop column secret_hash`
  await database.pool`alter table mail_tokens drop column failed_tries`
  for (const name of [
    'remember_erased',
    'remember_unfriended',
    'remember_uninvited',
    'remember_left',
    'remember_dismissed',
    'hash_of_id',
  ])
    await database.pool`drop function ${database.pool(name)} cascade`
  await database.pool`delete from migrations where name >= '0009'`
  await database.close()
  const upgraded = await started()
  expect(archivesAmong(await readdir(join(folder, 'backups'))).map(({ kind }) => kind)).toEqual(['migration'])
  await ended(upgraded)
  // And back again, from that older schema, through the same migrations.
  const [archive = ''] = await archives()
  const { code } = await ran('scripts/restore.ts', [join(folder, 'backups', archive), '--force'])
  expect(code).toBe(0)
  await started()
  expect((await signIn('ann')).status).toBe(200)
})

test('where that backup fails the server does not start, and says how it would', async () => {
  await (await open()).close()
  const { code, output } = await ran('server/src/main.ts', [], { PORT: String(port) })
  expect(code).toBe(1)
  expect(output).toMatch(
    /The backup before the update of the database failed \(.*\)\. To start without one, set BACKUPS=off\./,
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

test('what is asked for and is no archive is named', async () => {
  expect((await ran('scripts/restore.ts')).output).toContain('Usage: npm run restore -- ARCHIVE [--force]')
  const missing = await ran('scripts/restore.ts', [join(folder, 'nothing.tar.gz')])
  expect(missing.output).toMatch(/Nothing was restored\. ENOENT.*nothing\.tar\.gz/)
  const text = await ran('scripts/restore.ts', [program('package.json')])
  expect(text.output).toContain('package.json is damaged or not complete. Nothing was changed.')
})

test('a folder whose path is too long for a socket is locked as well', async () => {
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

function ended(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill('SIGTERM')
  })
}

async function archives(): Promise<string[]> {
  const names = await readdir(join(folder, 'backups'))
  return names.filter((name) => name.endsWith('.tar.gz')).sort()
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
