import { expect, test } from '../fixtures.ts'
import { befriend, dropPing, signUp, storageOf } from '../people.ts'
import { startOwnServer } from '../servers.ts'

test.use({ pages: 'map' })

test('after the server was killed and started again, browsers reconnect by themselves and converge', async ({
  browserOf,
  expectConsole,
}) => {
  // The server starts twice.
  test.slow()
  // Requests and sockets fail while the server is down, also that of the map's worker. A server that has just started may
  // not be connected to its database yet.
  expectConsole(
    /ERR_(CONNECTION|EMPTY_RESPONSE|INCOMPLETE|CONTENT_LENGTH)|WebSocket connection|Worker failed to load|status of 503/,
  )
  const server = await startOwnServer({})
  const { base } = server
  try {
    const [ann, bob] = [await signUp(base, 'ann'), await signUp(base, 'bob')]
    await befriend(base, ann, bob)
    const before = await dropPing(base, ann, { name: 'Before the fall' })
    const page = await browserOf(null, { baseURL: base, storageState: storageOf(base, bob) })
    let loads = 0
    page.on('load', () => loads++)
    await page.goto('/')
    await expect(page.getByRole('button', { name: new RegExp(before.name) }).first()).toBeVisible()

    await server.restart()
    // Bob's browser may not have reconnected yet, so it must catch up as well as receive live changes.
    await dropPing(base, ann, { name: 'After the fall', latitude: 40.79 })
    await expect(page.getByRole('button', { name: /After the fall/ }).first()).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('button', { name: /Before the fall/ }).first()).toBeVisible()
    await dropPing(base, ann, { name: 'Live again', latitude: 40.73 })
    await expect(page.getByRole('button', { name: /Live again/ }).first()).toBeVisible()
    expect(loads).toBe(1)
  } finally {
    await server.stop()
  }
})
