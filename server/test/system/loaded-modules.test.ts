import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { type ServerProcess, startProcess } from '../server-process.ts'

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
    // Each server has only the cache of its own data folder.
    NODE_COMPILE_CACHE: '',
    ...environment,
  })
}

/** Stops the server and returns its exit code. It calls the server first, because the signal handlers exist after the first response. */
async function stop(server: ServerProcess): Promise<number | null> {
  await server.call('GET', '/healthz')
  return server.end('SIGTERM')
}

/** Signs up, uploads a picture and returns the status. */
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

/** The packages in `node_modules` from which the process loaded a module. `@aws-sdk/…` and `@smithy/…` are listed as `AWS SDK`. */
async function packagesLoadedBy(
  use: (server: ServerProcess) => Promise<void>,
  environment: Record<string, string> = {},
): Promise<string[]> {
  // Node writes the list of all loaded scripts there when the process ends.
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
  '@simplewebauthn/server',
  'sharp',
  'ioredis',
  // Loaded only in worker threads.
  '@node-rs/argon2',
]

describe('a server', () => {
  it('does not load optional libraries at startup', async () => {
    const loaded = await packagesLoadedBy(async () => undefined, {
      STORAGE_URL: 's3://key:secret@127.0.0.1:9/bucket?ssl=off',
      SMTP_URL: 'smtp://127.0.0.1:9',
      GOOGLE_CLIENT_ID: 'a client',
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'a client',
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
        // Nothing listens at that address.
        expect(await sendPicture(server)).toBe(503)
      },
      { STORAGE_URL: 's3://key:secret@127.0.0.1:9/bucket?ssl=off' },
    )
    expect(loaded).toEqual(expect.arrayContaining(['AWS SDK', '@fastify/swagger', '@fastify/swagger-ui']))
  })
})

describe('the main thread', () => {
  it('keeps its priority, and passwords are hashed in threads of lower priority', async () => {
    const server = await start()
    expect(await sendPicture(server)).toBeLessThan(300)
    expect(getPriority(server.child.pid)).toBe(getPriority())
    await stop(server)
  })
})

describe('compiled code', () => {
  it('is cached in DATA_DIR/cache, readable only by the owner, and used by the next start', async () => {
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

  it('is not cached if the folder cannot be created, and the server still starts', async () => {
    const data = join(folder, 'data')
    await mkdir(data)
    await writeFile(join(data, 'cache'), 'a file')
    const server = await start()
    expect((await server.call('GET', '/readyz')).status).toBe(200)
    await stop(server)
    expect(server.output()).not.toMatch(/cache/i)
    expect(await readFile(join(data, 'cache'), 'utf8')).toBe('a file')
  })

  it('does not create the data folder, which the server creates with restricted permissions', async () => {
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
