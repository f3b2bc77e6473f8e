import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { type ServerProcess, startProcess } from '../../test/server-process.ts'

const admin = postgres(`${inject('postgresUrl')}/postgres`, { max: 1, onnotice: () => undefined })
const database = `loaded_${randomUUID().replaceAll('-', '')}`
let folder: string

beforeAll(() => admin.unsafe(`create database ${database}`))

afterAll(async () => {
  await admin.unsafe(`drop database ${database} with (force)`)
  await admin.end()
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hither-loaded-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

function start(environment: Record<string, string> = {}): Promise<ServerProcess> {
  return startProcess({
    DATABASE_URL: `${inject('postgresUrl')}/${database}`,
    AUTH_SECRET: 'a secret for tests, long enough to sign',
    DATA_DIR: join(folder, 'data'),
    ...environment,
  })
}

/** Answers the code of a stop. A server that has answered a call has its signal handlers in place. */
async function stop(server: ServerProcess): Promise<number | null> {
  await server.call('GET', '/healthz')
  return server.end('SIGTERM')
}

/** Signs up and sends a picture; answers the status. */
async function sendPicture({ call }: ServerProcess): Promise<number> {
  const username = `p${randomUUID().slice(0, 8)}`
  const account = { email: `${username}@example.org`, password: 'correct horse battery', username }
  const { body } = await call('POST', '/api/auth/signup', account)
  const form = new FormData()
  form.append('file', new Blob([pixel]), 'me.gif')
  return (await call('POST', '/api/files/profile-image', form, String(body['access_token']))).status
}

/** A GIF of one pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** The packages below `node_modules` of which the process loaded a module; `@aws-sdk/…` and `@smithy/…` as `AWS SDK`. */
async function packagesLoadedBy(
  use: (server: ServerProcess) => Promise<void>,
  environment: Record<string, string> = {},
): Promise<string[]> {
  // Node writes the list of all scripts of a process there when it ends.
  const reports = join(folder, 'reports')
  const server = await start({ ...environment, NODE_V8_COVERAGE: reports })
  await use(server)
  expect(await stop(server)).toBe(0)
  const names = new Set<string>()
  for (const file of await readdir(reports)) {
    const { result } = JSON.parse(await readFile(join(reports, file), 'utf8')) as { result: { url: string }[] }
    for (const { url } of result) {
      const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]
      if (name !== undefined) names.add(/^@(aws-sdk|smithy)\//.test(name) ? 'AWS SDK' : name)
    }
  }
  return [...names]
}

const loadedAtFirstUse = [
  'AWS SDK',
  'flydrive',
  '@fastify/swagger',
  '@fastify/swagger-ui',
  'nodemailer',
  'jose',
  'sharp',
  'ioredis',
]

describe('a server', () => {
  it('that has answered no call of the API has loaded no library that only some calls or settings need', async () => {
    const loaded = await packagesLoadedBy(async () => undefined, {
      STORAGE_URL: 's3://key:secret@127.0.0.1:9/bucket?ssl=off',
      SMTP_URL: 'smtp://127.0.0.1:9',
      GOOGLE_CLIENT_ID: 'a client',
    })
    expect(loaded).toContain('fastify')
    expect(loaded.filter((name) => loadedAtFirstUse.includes(name))).toEqual([])
  })

  it('without STORAGE_URL stores a picture without the AWS SDK and without Swagger', async () => {
    const loaded = await packagesLoadedBy(async (server) => {
      expect(await sendPicture(server)).toBeLessThan(300)
    })
    expect(loaded).toEqual(expect.arrayContaining(['flydrive', 'sharp']))
    expect(loaded).not.toContain('AWS SDK')
    expect(loaded).not.toContain('@fastify/swagger')
  })

  it('with STORAGE_URL loads the AWS SDK for a picture, and Swagger for its page', async () => {
    const loaded = await packagesLoadedBy(
      async (server) => {
        expect((await server.call('GET', '/api/docs')).status).toBe(200)
        // Nobody listens at that address.
        expect(await sendPicture(server)).toBe(503)
      },
      { STORAGE_URL: 's3://key:secret@127.0.0.1:9/bucket?ssl=off' },
    )
    expect(loaded).toEqual(expect.arrayContaining(['AWS SDK', '@fastify/swagger', '@fastify/swagger-ui']))
  })
})

describe('compiled code', () => {
  it('is stored in DATA_DIR/cache, readable by the owner alone, and used by the next start', async () => {
    const data = join(folder, 'data')
    await mkdir(data)
    await stop(await start())
    expect((await stat(join(data, 'cache'))).mode & 0o777).toBe(0o700)
    const stored = await filesOf(join(data, 'cache'))
    expect(stored.length).toBeGreaterThan(500)
    const again = await start({ NODE_DEBUG_NATIVE: 'COMPILE_CACHE' })
    await stop(again)
    expect(again.output()).toMatch(/cache for ESM file:.*serve\.ts was accepted/)
  })

  it('is not stored where the folder cannot be made, and the server starts all the same', async () => {
    const data = join(folder, 'data')
    await mkdir(data)
    await writeFile(join(data, 'cache'), 'a file')
    const server = await start()
    expect((await server.call('GET', '/readyz')).status).toBe(200)
    await stop(server)
    expect(server.output()).not.toMatch(/cache/i)
    expect(await readFile(join(data, 'cache'), 'utf8')).toBe('a file')
  })

  it('is no reason to make a data folder: the server makes it with its own rights', async () => {
    const data = join(folder, 'data')
    await stop(await start())
    expect((await stat(data)).mode & 0o777).toBe(0o700)
    expect(existsSync(join(data, 'cache'))).toBe(false)
  })
})

async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
