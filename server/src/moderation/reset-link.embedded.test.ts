import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createDataFolders, type DataFolders } from '../../test/data-folder.ts'
import { freePort } from '../../test/free-port.ts'
import { compileCache } from '../../test/server-process.ts'

// The tests start several processes, one after the other.
vi.setConfig({ testTimeout: 180_000 })

const program = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const password = 'correct horse battery'
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
  for (const child of running) if (child.exitCode === null && child.signalCode === null) await ended(child, 'SIGKILL')
})

test('the operator creates a reset link for the only admin while the server runs and while it is stopped', async () => {
  const server = await started()
  const code = /admin#code=(\S+)/.exec(server.output())?.[1]
  const { token } = await post('/auth/signup', { email: 'ann@example.org', password, username: 'ann' })
  expect((await post('/admin/claim', { code }, token)).status).toBe(204)

  const online = await ran(['ANN@example.org'])
  expect(online).toMatchObject({ code: 0 })
  // A preview of the link uses nothing up.
  await fetch(linkIn(online.output).replace(/#.*/, ''))
  expect(await reset(linkIn(online.output), 'a first new password')).toBe(204)
  expect((await signIn('a first new password')).status).toBe(200)
  expect(await reset(linkIn(online.output), 'a first new password')).toBe(400)

  await ended(server.child)
  const offline = await ran(['ann'])
  expect(offline).toMatchObject({ code: 0 })
  await started()
  expect(await reset(linkIn(offline.output), 'a second new password')).toBe(204)
  expect((await signIn('a second new password')).status).toBe(200)
  expect((await signIn('a first new password')).status).toBe(401)

  const unknown = await ran(['nobody@example.org'])
  expect(unknown).toEqual({ code: 1, output: 'No account has this email or username.\n' })
})

test('the command without an account says how it is used', async () => {
  const { code, output } = await ran([])
  expect({ code, output }).toEqual({
    code: 1,
    output: 'No link was created. Usage: hither reset-link EMAIL_OR_USERNAME\n',
  })
})

function linkIn(output: string): string {
  const link = /http:\S+\/reset-password#token=[\w-]{43}/.exec(output)?.[0]
  if (!link) throw new Error(`No link: ${output}`)
  return link
}

async function reset(link: string, secret: string): Promise<number> {
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token')
  return (await post('/auth/reset-password', { token, password: secret })).status
}

function signIn(secret: string) {
  return post('/auth/login', { email: 'ann@example.org', password: secret })
}

async function post(path: string, body: unknown, token?: string) {
  const response = await fetch(`http://127.0.0.1:${port}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  const { access_token = '' } = (text === '' ? {} : JSON.parse(text)) as { access_token?: string }
  return { status: response.status, token: access_token }
}

function launch(path: string, args: readonly string[] = []): ChildProcess {
  const child = spawn(process.execPath, [program(path), ...args], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: folder,
      PORT: String(port),
      LOG_LEVEL: 'silent',
      RATE_LIMITS: 'off',
      BACKUPS_ENABLED: 'off',
      ...compileCache,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  return child
}

async function started() {
  const child = launch('server/src/main.ts')
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text) => {
      output += text
      if (output.includes('Hither is running')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
  })
  return { child, output: () => output }
}

async function ran(args: readonly string[]) {
  const child = launch('scripts/hither.ts', ['reset-link', ...args])
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
