import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type AuthSession } from '@hither/contract/auth.ts'
import { type Ping } from '@hither/contract/pings.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createDataFolders, type DataFolders } from '../test/data-folder.ts'
import { freePort } from '../test/free-port.ts'

// Each starts several processes, one after the other.
vi.setConfig({ testTimeout: 120_000 })

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
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

test('every ping that was acknowledged is there after the server was killed mid-work, again and again', async () => {
  const acknowledged: string[] = []
  let session: AuthSession | undefined
  for (let round = 0; round < 3; round++) {
    const server = await started()
    session ??= await post<AuthSession>('/auth/signup', {
      email: 'ann@example.org',
      password: 'correct horse',
      username: 'ann',
    })
    const { access_token } = session
    const killed = acknowledged.length + 6
    // Several under way at once, so that the kill falls into the middle of some.
    const writers = Array.from({ length: 4 }, async () => {
      for (;;) {
        const ping = await post<Ping>(
          '/pings/',
          { name: 'Here', latitude: 1, longitude: 2, is_public: true },
          access_token,
        ).catch(() => null)
        if (!ping?.id) return
        acknowledged.push(ping.id)
        if (acknowledged.length === killed) server.kill('SIGKILL')
      }
    })
    await Promise.all(writers)
  }
  const server = await started()
  const mine = await get<Ping[]>('/pings/my-pings', session?.access_token ?? '')
  expect(mine.map((ping) => ping.id)).toEqual(expect.arrayContaining(acknowledged))
  expect(acknowledged.length).toBeGreaterThanOrEqual(18)
  expect(await ended(server, 'SIGTERM')).toBe(0)
})

test('a second server on the same data folder is told so and leaves it alone', async () => {
  await started()
  const { code, output } = await outcome(launch({ PORT: String(await freePort()) }))
  expect(code).toBe(1)
  expect(output).toContain(`Another Hither is already running on the data folder ${folder}`)
})

test('a wrong setting stops the start with a sentence that names it', async () => {
  const { code, output } = await outcome(launch({ PORT: 'eighty' }))
  expect(code).toBe(1)
  expect(output).toContain('PORT must be a whole number from 0 to 65535.')
})

function launch(environment: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], DATA_DIR: folder, PORT: String(port), LOG_LEVEL: 'silent', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  return child
}

async function started(): Promise<ChildProcess> {
  const child = launch()
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text) => String(text).includes('Hither is running') && resolve())
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
  })
  return child
}

async function outcome(child: ChildProcess) {
  let output = ''
  child.stdout?.on('data', (text) => (output += text))
  child.stderr?.on('data', (text) => (output += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, output }
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill(signal)
  })
}

async function post<Body>(path: string, body: unknown, token?: string): Promise<Body> {
  const response = await fetch(`http://127.0.0.1:${port}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  return response.json() as Promise<Body>
}

async function get<Body>(path: string, token: string): Promise<Body> {
  const response = await fetch(`http://127.0.0.1:${port}/api${path}`, { headers: { authorization: `Bearer ${token}` } })
  return response.json() as Promise<Body>
}
