import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { refusals } from '@hither/contract/refusals.ts'
import postgres from 'postgres'
import { beforeAll, expect, inject, it } from 'vitest'
import { type FaultyProxy, openFaultyProxy } from '../../test/faulty-proxy.ts'
import { halves } from '../../test/pictures.ts'
import { type ServerProcess, startProcess } from '../../test/server-process.ts'
import { storages, type TestStorage } from '../../test/storages.ts'

const unavailable = [503, { detail: refusals.unavailable.detail, code: 'unavailable' }]
const sql = (url: string) => postgres(url, { max: 1, onnotice: () => undefined })
let picture: Blob

beforeAll(async () => {
  picture = new Blob([(await halves(60, 40).png().toBuffer()) as Uint8Array<ArrayBuffer>])
})

interface Cast {
  readonly server: ServerProcess
  readonly db: postgres.Sql
  readonly environment: Record<string, string>
  /** Uploads a picture as ann. */
  send(): Promise<unknown[]>
  /** Requests the picture. */
  look(): Promise<number>
  close(): Promise<void>
}

async function startCast(storage: Record<string, string>): Promise<Cast> {
  const url = inject('postgresUrl') ?? ''
  const name = `storage_${randomUUID().replaceAll('-', '')}`
  const admin = sql(`${url}/postgres`)
  await admin.unsafe(`create database ${name}`)
  const environment = {
    ...storage,
    DATABASE_URL: `${url}/${name}`,
    AUTH_SECRET: 'a secret for tests, long enough to sign',
  }
  const server = await startProcess(environment)
  const db = sql(`${url}/${name}`)
  const account = { email: 'ann@example.org', password: 'correct horse battery', username: 'ann' }
  const { access_token } = (await server.call('POST', '/api/auth/signup', account)).body as { access_token: string }
  return {
    server,
    db,
    environment,
    async send() {
      const form = new FormData()
      form.append('file', picture, 'me.png')
      const { status, body } = await server.call('POST', '/api/files/profile-image', form, access_token)
      return [status, body]
    },
    look: async () => (await server.call('GET', '/api/files/profile-image/me', undefined, access_token)).status,
    async close() {
      await server.end('SIGTERM')
      await db.end()
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}

/** The names of stored files that are in no row, neither of a picture nor of the deletion queue. */
async function strays({ db }: Cast, storage: TestStorage): Promise<string[]> {
  const rows = await db`
    select storage_key from images union select thumb_storage_key from images union select storage_key from erasures`
  const known = new Set(rows.map((row) => row['storage_key']))
  return (await storage.listFiles()).filter((key) => !known.has(key))
}

const images = async ({ db }: Cast) => (await db`select 1 from images`).length

it('an unavailable or silent bucket refuses uploads and downloads in time, and both work again after it is back', async () => {
  const [, bucket] = storages
  const storage = (await bucket?.open()) as TestStorage
  const url = new URL(storage.environment.STORAGE_URL ?? '')
  const line: FaultyProxy = await openFaultyProxy(Number(url.port))
  url.port = String(line.port)
  const cast = await startCast({ ...storage.environment, STORAGE_URL: url.href })
  expect(await cast.send()).toEqual([200, { has_image: true }])
  for (const state of ['closed', 'silent'] as const) {
    line.set(state)
    line.cut()
    expect(await Promise.all([cast.send(), cast.look()])).toEqual([unavailable, 503])
    expect([await images(cast), await strays(cast, storage)]).toEqual([1, []])
    line.set('open')
    line.cut()
    expect([await cast.look(), await cast.send()]).toEqual([200, [200, { has_image: true }]])
  }
  await cast.close()
  await line.close()
  await storage.close()
})

it('a full disk refuses pictures and backups, and both work again once there is space', async () => {
  const [folder] = storages
  const storage = (await folder?.open()) as TestStorage
  const cast = await startCast(storage.environment)
  const limit = (fileSize: string) =>
    execFileSync('prlimit', ['--pid', String(cast.server.child.pid), `--fsize=${fileSize}:`])
  const backup = (...wrap: string[]) => {
    const script = fileURLToPath(new URL('../../../scripts/hither.ts', import.meta.url))
    const [program = '', ...args] = [...wrap, process.execPath, script, 'backup']
    const env = {
      PATH: process.env['PATH'],
      ...cast.environment,
      BACKUP_DIR: join(storage.environment.DATA_DIR, 'backups'),
    }
    return spawnSync(program, args, { env, encoding: 'utf8' })
  }
  // Writing is limited to zero bytes: `EFBIG`, where a full disk returns `ENOSPC`.
  limit('0')
  expect(await cast.send()).toEqual(unavailable)
  expect([await images(cast), await storage.listUploads(), await strays(cast, storage)]).toEqual([0, [], []])
  limit('unlimited')
  expect(await cast.send()).toEqual([200, { has_image: true }])
  const failed = backup('prlimit', '--fsize=100')
  expect([failed.status, failed.stderr]).toEqual([1, expect.stringMatching(/EFBIG/)])
  expect(
    (await readdir(join(storage.environment.DATA_DIR, 'backups'))).filter((name) => /partial|gz/.test(name)),
  ).toEqual([])
  expect(backup().status).toBe(0)
  await cast.close()
  await storage.close()
})
