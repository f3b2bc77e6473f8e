import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { settings } from '../../src/config/settings.ts'
import { freePort } from '../free-port.ts'
import { type ServerProcess, startProcess } from '../server-process.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const page = await readFile(join(root, 'docs/install.md'), 'utf8')
const hasCaddy = spawnSync('caddy', ['version']).status === 0
const host = 'hither.example.org'

describe('the installation page', () => {
  it('names only settings that exist', () => {
    const known: string[] = settings.map(({ name }) => name)
    // Of the compose file, and what the reader replaces.
    const others = ['PUBLIC_HOST', 'NAME', 'TOKEN', 'NEW', 'IMAGE', 'DIGEST', 'MACHINE', 'TAILNET', 'XDG_DATA_HOME']
    const text = page.replace(/```[\s\S]*?```/g, '')
    const code = [...text.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words)
    const names = code.flatMap((words) => words.match(/\b[A-Z][A-Z_]{2,}\b/g) ?? [])
    expect(names).toContain('TRUST_PROXY')
    for (const name of names) expect([...known, ...others]).toContain(name)
  })

  it('links only to pages and sections that exist', async () => {
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(5)
    for (const link of links) {
      const [path = '', section] = link.split('#')
      const file = path === '' ? 'docs/install.md' : join('docs', path)
      expect(existsSync(join(root, file)), link).toBe(true)
      if (section !== undefined) expect(sectionsOf(await readFile(join(root, file), 'utf8')), link).toContain(section)
    }
  })

  it('names only files and npm scripts of the repository', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { scripts: object }
    for (const [, name] of page.matchAll(/npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(name)
    const files = [...page.matchAll(/\bdeploy\/[\w.-]+/g)].map(([path]) => path.replace(/\.$/, ''))
    expect(files).toContain('deploy/Dockerfile')
    // The reader writes it.
    for (const file of files.filter((path) => path !== 'deploy/.env'))
      expect(existsSync(join(root, file)), file).toBe(true)
  })

  it('shows at most three commands for each way to HTTPS, and says which were run', () => {
    const ways = page.split(/^### /m).slice(1)
    expect(ways).toHaveLength(4)
    for (const way of ways) {
      const [, commands = ''] = /```sh\n([\s\S]*?)```/.exec(way) ?? []
      expect(commands.trim().split('\n').length).toBeLessThanOrEqual(3)
    }
    expect(page).toContain('The first is tested with each change. The other three follow their documentation of')
  })
})

/** The anchors of all titles of a page. */
function sectionsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe.skipIf(!hasCaddy)('Caddy as the installation page describes it', () => {
  let folder: string
  let server: ServerProcess
  let caddy: ReturnType<typeof spawn>
  let port: number
  let certificate: Buffer

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hither-caddy-'))
    await chmod(folder, 0o711)
    server = await startProcess({ ...settingsOf('Caddy'), DATA_DIR: join(folder, 'data') })
    port = await freePort()
    const [, site = ''] = /```caddyfile\n([\s\S]*?)```/.exec(page) ?? []
    // Certificates of Caddy's own, ports of this machine, and nothing outside of the folder.
    const options = `{
	admin off
	local_certs
	skip_install_trust
	auto_https disable_redirects
	servers {
		protocols h1 h2
	}
	http_port ${await freePort()}
	https_port ${port}
	storage file_system ${folder}/caddy
}
`
    expect(site).toContain('127.0.0.1:3000')
    const caddyfile = join(folder, 'Caddyfile')
    await writeFile(caddyfile, options + site.replace('127.0.0.1:3000', new URL(server.url).host))
    caddy = spawn('caddy', ['run', '--config', caddyfile, '--adapter', 'caddyfile'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: folder },
    })
    let log = ''
    await new Promise<void>((resolve, reject) => {
      caddy.stderr?.on('data', (text) => {
        log += text
        if (log.includes('serving initial configuration') && log.includes('certificate obtained successfully'))
          resolve()
      })
      caddy.once('exit', (code) => reject(new Error(`Caddy ended with ${code}: ${log}`)))
    })
    certificate = await readFile(join(folder, 'caddy/pki/authorities/local/root.crt'))
  }, 120_000)

  afterAll(async () => {
    if (caddy.exitCode === null) {
      caddy.kill('SIGTERM')
      await once(caddy, 'exit')
    }
    await server.end('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  })

  it('serves the app and its health, and not the metrics, which this machine may read', async () => {
    expect((await call('GET', '/readyz')).status).toBe(200)
    expect((await call('GET', '/metrics')).status).toBe(404)
    expect((await fetch(`${server.url}/metrics`)).status).toBe(200)
  })

  it('passes sign-ups and live changes between two people', async () => {
    const ann = await signUp('ann')
    const bob = await signUp('bob')
    const url = `wss://${host}:${port}/api/realtime/v1/websocket?apikey=anon&vsn=1.0.0`
    const socket = new WebSocket(url, {
      ca: certificate,
      origin: `https://${host}`,
      lookup: (_host: string, { all }: { all?: boolean }, done: (...args: unknown[]) => void) =>
        all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
    } as never)
    const messages: { event: string; payload: { status?: string; data?: { record?: { requester_id?: string } } } }[] =
      []
    let wake = () => {}
    socket.on('message', (text) => {
      messages.push(JSON.parse(String(text)))
      wake()
    })
    const until = async (isIt: (message: (typeof messages)[number]) => boolean) => {
      for (;;) {
        const found = messages.find(isIt)
        if (found) return found
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
    try {
      await once(socket, 'open')
      const changes = [{ event: '*', schema: 'public', table: 'friend_requests' }]
      const payload = { config: { postgres_changes: changes }, access_token: ann.token }
      socket.send(JSON.stringify({ topic: 'realtime:friends', event: 'phx_join', payload, ref: '1', join_ref: '1' }))
      expect((await until(({ event }) => event === 'phx_reply')).payload.status).toBe('ok')
      const asked = await call('POST', '/api/friends/request', { username: 'ann' }, bob.token)
      expect(asked.status).toBeLessThan(300)
      await until(
        ({ event, payload: { data } }) => event === 'postgres_changes' && JSON.stringify(data).includes(bob.id),
      )
    } finally {
      socket.terminate()
    }
  })

  async function signUp(username: string): Promise<{ token: string; id: string }> {
    const account = { email: `${username}@example.org`, password: 'correct horse battery', username }
    const { status, body } = await call('POST', '/api/auth/signup', account)
    expect(status).toBe(201)
    const { access_token, user } = JSON.parse(body) as { access_token: string; user: { id: string } }
    return { token: access_token, id: user.id }
  }

  /** A call through Caddy, under the name of the page. */
  function call(
    method: string,
    path: string,
    body?: object,
    token?: string,
  ): Promise<{ status: number; body: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
    const headers = {
      host,
      ...(body && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const sent = request(
      { host: '127.0.0.1', port, path, method, headers, servername: host, ca: certificate },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part) => (text += part))
        response.once('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
      },
    )
    sent.once('error', reject).end(body && JSON.stringify(body))
    return promise
  }
})

/** The settings that the page gives for a way to HTTPS. */
function settingsOf(way: string): Record<string, string> {
  const [, text = ''] = new RegExp(`^### ${way}$[\\s\\S]*?^Settings: (.+)$`, 'm').exec(page) ?? []
  const pairs = [...text.matchAll(/`([A-Z_]+)=([^`]+)`/g)].map(([, name = '', value = '']) => [name, value])
  expect(pairs.length).toBeGreaterThan(1)
  return Object.fromEntries(pairs)
}
