import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '../fixtures.ts'
import { befriend, dropPing, signUp, storageOf } from '../people.ts'

const main = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))

test('after the server was killed and started again, browsers reconnect by themselves and converge', async ({
  browserOf,
  expectConsole,
}) => {
  // While the server is away, calls and sockets fail, and the browser says so.
  expectConsole(
    /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|WebSocket connection|Worker failed to load/,
  )
  const folder = await mkdtemp(join(tmpdir(), 'hither-restart-'))
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  let server = await start(folder, port)
  try {
    const [ann, bob] = [await signUp(base, 'ann'), await signUp(base, 'bob')]
    await befriend(base, ann, bob)
    const before = await dropPing(base, ann, { name: 'Before the fall' })
    const page = await browserOf(null, { baseURL: base, storageState: storageOf(base, bob) })
    let loads = 0
    page.on('load', () => loads++)
    await page.goto('/')
    await expect(page.getByRole('button', { name: new RegExp(before.name) }).first()).toBeVisible()

    server.kill('SIGKILL')
    await new Promise((resolve) => server.once('exit', resolve))
    server = await start(folder, port)
    // Made while bob's browser may not have come back yet: it has to catch up as well as to hear.
    await dropPing(base, ann, { name: 'After the fall' })
    await expect(page.getByRole('button', { name: /After the fall/ }).first()).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('button', { name: /Before the fall/ }).first()).toBeVisible()
    await dropPing(base, ann, { name: 'Live again' })
    await expect(page.getByRole('button', { name: /Live again/ }).first()).toBeVisible()
    expect(loads).toBe(1)
  } finally {
    server.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
})

async function start(folder: string, port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], DATA_DIR: folder, PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text) => String(text).includes('Hither is running') && resolve())
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
  })
  return child
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('No port')
  return address.port
}
