import { createPing } from '@hither/contract/pings.ts'
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
    /ERR_(CONNECTION|SOCKET|EMPTY_RESPONSE|INCOMPLETE|CONTENT_LENGTH)|WebSocket connection|Worker failed to load|status of 503/,
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

test('a page whose code of the live channel cannot be loaded, because the server is gone, keeps its content and becomes live later', async ({
  api,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/ERR_FAILED/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(bob)
  let loads = 0
  page.on('load', () => loads++)
  let isGone = true
  await page.route('**/assets/live-*', (route) => (isGone ? route.abort() : route.fallback()))
  await page.route('**/', (route) => (isGone && route.request().method() === 'HEAD' ? route.abort() : route.fallback()))
  await page.goto('/')
  await expect(page.getByText(/^You're offline/)).toBeVisible()

  isGone = false
  await expect(page.getByText(/^You're offline/)).toBeHidden()
  await api(createPing, { body: { name: 'Chess', latitude: 40.7589, longitude: -73.9851 } }, ann)
  await expect(page.getByRole('button', { name: /Chess/ }).first()).toBeVisible()
  expect(loads).toBe(1)
})
