import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, matchesGlob } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { parse } from 'yaml'
import { serverOptions } from '../../../scripts/server-options.ts'
import { settings } from '../../src/config/settings.ts'
import { readConfig } from '../../src/config.ts'
import { freePort } from '../free-port.ts'
import { layOutImage } from '../image.ts'
import { taggedPicture } from '../pictures.ts'
import { hasRedis, openRedis, type RedisServer } from '../redis-server.ts'

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
const root = fileURLToPath(new URL('../../../', import.meta.url))
const fileOf = (path: string) => readFile(join(root, path), 'utf8')

interface Service {
  image: string
  networks: string[]
  mem_limit?: string
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  environment: Record<string, string>
  volumes?: string[]
  depends_on?: Record<string, { condition: string }>
  command?: string[]
  read_only?: boolean
  stop_grace_period?: string
}

const compose = parse(await fileOf('deploy/compose.cluster.yaml'), { merge: true }) as {
  services: Record<string, Service>
  volumes: Record<string, null>
  networks: Record<string, { internal?: boolean } | null>
}
const nodes = ['node1', 'node2'].map((name) => serviceOf(name))

function serviceOf(name: string): Service {
  const service = compose.services[name]
  if (!service) throw new Error(`No service ${name}`)
  return service
}

/** Whether the builder of the image gets a path: the last pattern that matches it or a folder above it decides. */
function isSent(path: string, patterns: readonly string[]): boolean {
  const parents = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))
  // Unlike the builder, `matchesGlob` leaves out names that begin with a dot.
  const matches = (parent: string, pattern: string) => pattern === '*' || matchesGlob(parent, pattern)
  const last = patterns.findLast((pattern) => parents.some((parent) => matches(parent, pattern.replace('!', ''))))
  return last === undefined || last.startsWith('!')
}

/** The words of the command that starts the server in the image. */
async function commandOfImage(): Promise<string[]> {
  const [, command = ''] = /^CMD (.+)$/m.exec(await fileOf('deploy/Dockerfile')) ?? []
  return JSON.parse(command) as string[]
}

describe('the deployment files', () => {
  it('set only settings that the server reads, with valid values', async () => {
    const known: string[] = settings.map(({ name }) => name)
    for (const { environment } of [...nodes, serviceOf('bucket')]) {
      for (const name of Object.keys(environment)) expect(known).toContain(name)
      expect(() => readConfig(filledIn(environment))).not.toThrow()
    }
    const dockerfile = await fileOf('deploy/Dockerfile')
    const image =
      /^ENV (.+)$/m
        .exec(dockerfile)?.[1]
        ?.split(' ')
        .map((pair) => pair.split('=')[0] ?? '') ?? []
    const unit = [...(await fileOf('deploy/hither.service')).matchAll(/^Environment=(\w+)=/gm)].map(
      ([, name = '']) => name,
    )
    // Settings of Node and the C library.
    const others = ['NODE_ENV', 'MALLOC_ARENA_MAX', 'PATH']
    for (const name of [...image, ...unit]) expect([...known, ...others]).toContain(name)
    expect(image).toContain('MALLOC_ARENA_MAX')
    expect(unit).toContain('MALLOC_ARENA_MAX')
  })

  it('require every value that only the operator knows, and the example file lists them all', async () => {
    const asked = [...(await fileOf('deploy/compose.cluster.yaml')).matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
    const example = [...(await fileOf('deploy/example.cluster.env')).matchAll(/^(\w+)=/gm)].map(([, name]) => name)
    expect(new Set(example)).toEqual(new Set(asked))
  })

  it('refer only to existing services, volumes and upstreams', async () => {
    for (const [name, { volumes = [], depends_on = {} }] of Object.entries(compose.services)) {
      for (const other of Object.keys(depends_on)) expect(Object.keys(compose.services), name).toContain(other)
      for (const volume of volumes.filter((text) => /^\w/.test(text)))
        expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0])
    }
    for (const [, host, port] of (await fileOf('deploy/Caddyfile')).matchAll(/\b(node\d):(\d+)/g)) {
      expect(Object.keys(compose.services)).toContain(host)
      expect(port).toBe('3000')
    }
    expect(nodes.every(({ read_only }) => read_only)).toBe(true)
    expect(await fileOf('deploy/Dockerfile')).toMatch(/^USER node$/m)
  })

  it('start the server with the same options of Node as npm start', async () => {
    const words = [...serverOptions, 'server/src/main.ts']
    expect(await commandOfImage()).toEqual(['node', ...words])
    const unit = await fileOf('deploy/hither.service')
    expect(unit).toContain(`\nExecStart=/usr/bin/env node --require ./scripts/node-version.cjs ${words.join(' ')}\n`)
  })

  it('limit the memory and the rights of every service', async () => {
    for (const [name, { mem_limit, cap_drop, cap_add, security_opt }] of Object.entries(compose.services)) {
      expect(mem_limit, name).toMatch(/^\d+[mg]$/)
      expect([cap_drop, security_opt], name).toEqual([['ALL'], ['no-new-privileges:true']])
      const needed = { postgres: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'], caddy: ['NET_BIND_SERVICE'] }
      expect(cap_add, name).toEqual(needed[name as keyof typeof needed])
    }
    const unit = await fileOf('deploy/hither.service')
    expect(unit).toMatch(/^MemoryHigh=\d+%$/m)
    expect(unit).toMatch(/^MemoryMax=\d+%$/m)
  })

  it('keep what stores data away from the internet and from the proxy', () => {
    expect(compose.networks['inside']).toEqual({ internal: true })
    const networks = Object.entries(compose.services).map(([name, service]) => [name, service.networks.join()])
    expect(Object.fromEntries(networks)).toEqual({
      ...{ node1: 'outside,inside', node2: 'outside,inside', caddy: 'outside' },
      ...{ postgres: 'inside', redis: 'inside', storage: 'inside', bucket: 'inside' },
    })
  })

  it('copy into the image only what exists and the ignore file lets through', async () => {
    const lines = [...(await fileOf('deploy/Dockerfile')).matchAll(/^COPY (?!--from)(.+) \S+$/gm)]
    const sources = lines.flatMap(([, words = '']) => words.split(' '))
    expect(sources).toContain('locales/compiled')
    const patterns = (await fileOf('deploy/Dockerfile.dockerignore')).split('\n').filter((line) => line !== '')
    for (const source of sources) {
      expect(existsSync(join(root, source)), source).toBe(true)
      expect(isSent(source, patterns), `${source} is left out by deploy/Dockerfile.dockerignore`).toBe(true)
    }
    for (const secret of ['data', 'data/secret', '.git', 'server/test', 'server/node_modules', 'web/dist'])
      expect(isSent(secret, patterns), secret).toBe(false)
  })

  it('give a server half a minute to finish its calls and stop its database', async () => {
    const unit = await fileOf('deploy/hither.service')
    for (const line of ['KillMode=mixed', 'TimeoutStopSec=30', 'OOMPolicy=continue'])
      expect(unit).toContain(`\n${line}\n`)
    expect(nodes.map(({ stop_grace_period }) => stop_grace_period)).toEqual(['30s', '30s'])
    expect(await fileOf('deploy/Dockerfile')).toMatch(/^STOPSIGNAL SIGTERM$/m)
  })

  it.skipIf(!hasSystemd)('contain a unit that systemd accepts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hither-unit-'))
    try {
      const unit = join(folder, 'hither.service')
      // This machine has neither the installation folder nor the user, which systemd would report.
      const text = (await fileOf('deploy/hither.service'))
        .replace('/opt/hither', root)
        .replace(/^(User|Group)=.*$/gm, '')
      await writeFile(unit, text)
      const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], {
        encoding: 'utf8',
      })
      expect([status, stdout, stderr.replace(/^.*(?:cgroup|bus).*\n/gim, '')]).toEqual([0, '', ''])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('set the settings that the operations page explains', async () => {
    const text = await fileOf('docs/operations.md')
    for (const name of [
      'BACKUPS_ENABLED',
      'BACKUP_DIR',
      'BACKUP_KEEP_DAYS',
      'METRICS_TOKEN',
      'TRUST_PROXY',
      'PUBLIC_URL',
    ])
      expect(text).toContain(`\`${name}`)
  })
})

describe('the documentation of operations', () => {
  it('quotes texts that exist in the programs', async () => {
    const text = await fileOf('docs/operations.md')
    const table = text.slice(text.indexOf('### Messages of Hither'), text.indexOf('### Messages of the system'))
    const quoted = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, quote = '']) => quote)
    expect(quoted.length).toBeGreaterThan(20)
    const sources = await Promise.all(['server/src', 'scripts', 'contract/src'].map(sourceOf))
    for (const part of quoted.flatMap((quote) => quote.split('…').map((piece) => piece.trim())))
      expect(sources.join('\n').includes(part), part).toBe(true)
  })
})

async function sourceOf(folder: string): Promise<string> {
  const names = (await readdir(join(root, folder), { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name))
  return (await Promise.all(names.map((name) => fileOf(join(folder, name))))).join('\n')
}

/** Test values for the settings that the operator writes into `.env`. */
const secrets: Record<string, string> = {
  PUBLIC_HOST: 'hither.example.org',
  AUTH_SECRET: 'a'.repeat(64),
  POSTGRES_PASSWORD: 'b'.repeat(64),
  REDIS_PASSWORD: 'c'.repeat(64),
  S3_ACCESS_KEY: 'S3RVER',
  S3_SECRET_KEY: 'S3RVER',
  METRICS_TOKEN: 'd'.repeat(64),
}

function filledIn(environment: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(value)]))
}

function fill(text: string): string {
  return text.replace(/\$\{(\w+)(:[?-])?\}/g, (_, name: string, sign?: string) => {
    const value = secrets[name] ?? (sign === ':-' ? '' : undefined)
    if (value === undefined) throw new Error(`${name} is not in the example`)
    return value
  })
}

describe.skipIf(!hasRedis)('the services of the compose file, started without containers', { timeout: 180_000 }, () => {
  let folder: string
  let image: string
  let redis: RedisServer
  let closeStorage: () => Promise<void>
  let dropDatabase: () => Promise<void>
  let environments: Record<string, string>[]
  const running: ChildProcess[] = []
  const urls: string[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hither-deploy-'))
    image = join(folder, 'image')
    await layOutImage(image)
    // The words after the program's name are the compose file's own.
    const [, ...redisFlags] = (serviceOf('redis').command ?? []).map(fill)
    redis = await openRedis(redisFlags)
    const storage = await openStorage(join(folder, 's3'))
    closeStorage = storage.close
    const database = await openDatabase()
    dropDatabase = database.drop
    environments = await Promise.all(
      nodes.map(async ({ environment }, index) => {
        const port = await freePort()
        urls.push(`http://127.0.0.1:${port}`)
        const settings = filledIn(environment)
        const data = join(folder, `node${index + 1}`)
        await mkdir(data)
        const inPlace = Object.entries(settings).map(([name, value]) => [
          name,
          value
            .replace(/^postgres:.*@postgres:5432\/hither$/, database.url)
            .replace('@redis:6379', `@${new URL(redis.url).host}`)
            .replace('storage:7070', `127.0.0.1:${storage.port}`)
            .replace(/^\/data/, data),
        ])
        // The settings of the image, except for the ports and folders of this machine.
        return {
          ...Object.fromEntries(inPlace),
          PORT: String(port),
          HOST: '127.0.0.1',
          DATA_DIR: data,
          NODE_ENV: 'production',
        }
      }),
    )
    const { command = [] } = serviceOf('bucket')
    for (const time of ['made', 'made again']) expect(await finished(command, environments[0] ?? {}), time).toBe(0)
    for (const environment of environments) await startNode(environment)
  }, 180_000)

  afterAll(async () => {
    await Promise.all(running.map((child) => stopped(child)))
    await closeStorage()
    await redis.close()
    await dropDatabase()
    await rm(folder, { recursive: true, force: true })
  })

  it('share accounts and pictures between both nodes', async () => {
    const [here = '', there = ''] = urls
    for (const url of urls) expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const account = { email: 'ann@example.org', password: 'correct horse battery', username: 'ann' }
    const { access_token, user } = (await post(`${here}/api/auth/signup`, account)) as {
      access_token: string
      user: { id: string }
    }
    const headers = { authorization: `Bearer ${access_token}` }
    const form = new FormData()
    form.append('file', new Blob([(await taggedPicture('jpeg')) as Uint8Array<ArrayBuffer>]), 'me.jpg')
    expect(
      (await fetch(`${here}/api/files/profile-image`, { method: 'POST', body: form, headers })).status,
    ).toBeLessThan(300)
    const picture = await fetch(`${there}/api/files/profile-image/${user.id}`, { headers })
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp'])
  })

  it('return metrics only with the token', async () => {
    for (const url of urls) {
      expect((await fetch(`${url}/metrics`)).status).toBe(404)
      const headers = { authorization: `Bearer ${secrets['METRICS_TOKEN']}` }
      const text = await (await fetch(`${url}/metrics`, { headers })).text()
      expect(text).toContain('hither_redis_up 1')
      expect(text).toContain('hither_database_up 1')
    }
  })

  it('are backed up by the first node, and write only to /data and the temporary folder', async () => {
    const [environment = {}] = environments
    expect(await finished(['node', 'scripts/hither.ts', 'backup'], environment)).toBe(0)
    expect(await readdir(environment['BACKUP_DIR'] ?? '')).toContainEqual(expect.stringMatching(/-manual\.tar\.gz$/))
    const written = (await readdir(image, { recursive: true })).filter((name) => name.startsWith('data'))
    expect(written).toEqual([])
  })

  async function startNode(environment: Record<string, string>): Promise<void> {
    const child = start(await commandOfImage(), environment)
    running.push(child)
    let log = ''
    child.stderr?.on('data', (text) => (log += text))
    await new Promise<void>((resolve, reject) => {
      child.stdout?.on('data', (text) => String(text).includes('Hither is running') && resolve())
      child.once('exit', (code) => reject(new Error(`A node ended with ${code}: ${log}`)))
    })
  }

  async function finished(command: readonly string[], environment: Record<string, string>): Promise<number | null> {
    const child = start(command, environment)
    let log = ''
    child.stderr?.on('data', (text) => (log += text))
    child.stdout?.resume()
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    if (code !== 0) throw new Error(log)
    return code
  }

  function start([, ...args]: readonly string[], environment: Record<string, string>): ChildProcess {
    const env = { PATH: process.env['PATH'], LOG_LEVEL: 'warn', ...environment }
    return spawn(process.execPath, args, { cwd: image, env, stdio: ['ignore', 'pipe', 'pipe'] })
  }
})

async function openStorage(directory: string): Promise<{ port: number; close: () => Promise<void> }> {
  interface S3Server {
    run(): Promise<unknown>
    close(): Promise<void>
  }
  const port = await freePort()
  await mkdir(directory)
  // The package has no type declarations.
  const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => S3Server
  const server = new S3rver({ address: '127.0.0.1', port, silent: true, directory })
  await server.run()
  return { port, close: () => server.close() }
}

async function openDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = inject('postgresUrl') ?? ''
  const admin = postgres(`${server}/postgres`, { max: 1, onnotice: () => undefined })
  await admin.unsafe('create database deployed')
  return {
    url: `${server}/deployed`,
    drop: async () => {
      await admin.unsafe('drop database deployed with (force)')
      await admin.end()
    },
  }
}

function stopped(child: ChildProcess): Promise<unknown> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill('SIGTERM')
  })
}

async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}
