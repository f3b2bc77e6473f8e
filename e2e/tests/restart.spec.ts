import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../server/test/free-port.ts'
import { expect, test } from '../fixtures.ts'
import { befriend, dropPing, signUp, storageOf } from '../people.ts'
import { killServer, runServer, stopServer } from '../servers.ts'

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
  let server = await runServer(folder, port)
  try {
    const [ann, bob] = [await signUp(base, 'ann'), await signUp(base, 'bob')]
    await befriend(base, ann, bob)
    const before = await dropPing(base, ann, { name: 'Before the fall' })
    const page = await browserOf(null, { baseURL: base, storageState: storageOf(base, bob) })
    let loads = 0
    page.on('load', () => loads++)
    await page.goto('/')
    await expect(page.getByRole('button', { name: new RegExp(before.name) }).first()).toBeVisible()

    await killServer(server)
    server = await runServer(folder, port)
    // Made while bob's browser may not have come back yet: it has to catch up as well as to hear.
    await dropPing(base, ann, { name: 'After the fall', latitude: 40.79 })
    await expect(page.getByRole('button', { name: /After the fall/ }).first()).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('button', { name: /Before the fall/ }).first()).toBeVisible()
    await dropPing(base, ann, { name: 'Live again', latitude: 40.73 })
    await expect(page.getByRole('button', { name: /Live again/ }).first()).toBeVisible()
    expect(loads).toBe(1)
  } finally {
    await stopServer(server)
    await rm(folder, { recursive: true, force: true })
  }
})
