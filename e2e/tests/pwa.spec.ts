import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium, type Page } from '@playwright/test'
import { chromiumPath } from '../chromium.ts'
import { makeDirect, messagesOf, postMessage } from '../conversations.ts'
import { databasesOn } from '../device-databases.ts'
import { expect, test } from '../fixtures.ts'
import { dropPing, storageOf } from '../people.ts'
import { waitForController } from '../push-device.ts'

test.use({ pages: 'complete', serviceWorkers: 'allow' })

const offline = /ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket connection|Failed to load resource/

test('the app meets the installability criteria of the browser', async ({ baseURL }) => {
  // Playwright's default contexts are incognito, in which apps cannot be installed.
  const context = await chromium.launchPersistentContext('', {
    executablePath: chromiumPath() ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
    baseURL: baseURL ?? '',
  })
  try {
    const page = await context.newPage()
    await page.goto('/login')
    await waitForController(page)
    const session = await context.newCDPSession(page)
    const manifest = (await session.send('Page.getAppManifest')) as { errors: unknown[]; data: string }
    expect(manifest.errors).toEqual([])
    expect(JSON.parse(manifest.data)).toMatchObject({ name: 'Hither', display: 'standalone' })
    const { installabilityErrors } = (await session.send('Page.getInstallabilityErrors')) as {
      installabilityErrors: unknown[]
    }
    expect(installabilityErrors).toEqual([])
    for (const path of iconsOf(manifest.data)) {
      const { status, type } = await page.evaluate(async (url) => {
        const response = await fetch(url)
        return { status: response.status, type: response.headers.get('content-type') }
      }, path)
      expect([path, status, type?.startsWith('image/')]).toEqual([path, 200, true])
    }
  } finally {
    await context.close()
  }
})

test('the app opens offline on every route, with cached data and its time', async ({
  person,
  friends,
  browserOf,
  baseURL,
  expectConsole,
}) => {
  expectConsole(offline)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', bob, { name: 'Soup at noon' })
  const page = await browserOf(ann)
  await page.goto('/')
  await waitForController(page)
  await expect(page.getByRole('button', { name: /Soup at noon/ }).first()).toBeVisible()
  await page.getByRole('link', { name: /^Friends/ }).click()
  await expect(page.getByText(bob.username)).toBeVisible()
  await expectStored(page, ['"friends","list"'])
  await page.goto(`/pins/${ping.id}`)
  await expect(page.getByText('Soup at noon').first()).toBeVisible()
  await expectStored(page, [`"one","${ping.id}"`])

  await page.context().setOffline(true)
  const shown = [
    ['/', page.getByRole('button', { name: /Soup at noon/ })],
    [`/pins/${ping.id}`, page.getByText('Soup at noon')],
    ['/friends', page.getByText(bob.username)],
    ['/chat', page.getByRole('heading', { name: 'Messages' })],
    ['/profile', page.getByRole('heading', { name: ann.username })],
  ] as const
  for (const [path, what] of shown) {
    await page.goto(path)
    await expect(what.first(), path).toBeVisible()
    await expect(page.getByText(/^You're offline\. Showing what we had at \d+:\d\d/), path).toBeVisible()
  }

  await page.context().setOffline(false)
  await expect(page.getByText(/^You're offline/)).toBeHidden({ timeout: 20_000 })
})

test('a chat that the device knows opens offline from the list of friends', async ({
  person,
  friends,
  browserOf,
  baseURL,
  expectConsole,
}) => {
  expectConsole(offline)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const direct = await makeDirect(baseURL, bob, ann)
  await postMessage(baseURL, direct.id, 'See you at 8', bob)
  const page = await browserOf(ann)
  await page.goto('/friends')
  await waitForController(page)
  await page.getByRole('link', { name: /^Chat/ }).click()
  await page.getByRole('link', { name: new RegExp(bob.username) }).click()
  await expect(messagesOf(page).getByText('See you at 8')).toBeVisible()
  await expectStored(page, ['"chat","list"', `"one","${direct.id}"`])

  await page.context().setOffline(true)
  await page.goto('/friends')
  await page.getByRole('button', { name: new RegExp(`${bob.username}.*Since`) }).click()
  await page.getByRole('dialog', { name: bob.username }).getByRole('button', { name: 'Message' }).click()
  await expect(page).toHaveURL(`/chat/${direct.id}`)
  await expect(messagesOf(page).getByText('See you at 8')).toBeVisible()
})

test('data that was shown just before the page was closed is available offline', async ({
  person,
  friends,
  browserOf,
  baseURL,
  expectConsole,
}) => {
  expectConsole(offline)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await browserOf(ann)
  await page.goto('/')
  await waitForController(page)
  const ping = await dropPing(baseURL ?? '', bob)
  await page.goto(`/pins/${ping.id}`)
  const going = page.getByRole('button', { name: 'Going', exact: true })
  await expect(going).toBeVisible()
  await page.context().setOffline(true)
  await page.reload()
  await expect(going).toBeVisible()
})

test('no cached data of one account remains on the device for the next', async ({
  person,
  friends,
  browserOf,
  baseURL,
  expectConsole,
}) => {
  expectConsole(offline)
  const [ann, bob, eve] = [await person('ann'), await person('bob'), await person('eve')]
  await friends(ann, bob)
  await dropPing(baseURL ?? '', bob, { name: 'Secret supper' })
  const page = await browserOf(ann)
  await page.goto('/')
  await waitForController(page)
  await expect(page.getByRole('button', { name: /Secret supper/ }).first()).toBeVisible()
  await expectStored(page, ['Secret supper'])

  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect.poll(() => databasesOn(page)).not.toContain('Secret supper')

  const { origins } = storageOf(baseURL ?? '', eve)
  await page.evaluate((entries) => {
    for (const { name, value } of entries) localStorage.setItem(name, value)
  }, origins[0]?.localStorage ?? [])
  await page.context().setOffline(true)
  await page.goto('/')
  await expect(page.getByText('My Pins')).toBeVisible()
  await expect(page.getByText('Secret supper')).toHaveCount(0)
})

test('a new version waits until the user activates it, and unsaved input stays', async ({ browser, baseURL }) => {
  const front = await startFront(baseURL ?? '')
  const context = await browser.newContext({ serviceWorkers: 'allow' })
  try {
    const page = await context.newPage()
    await page.goto(`${front.url}/login`)
    await waitForController(page)
    front.release()
    await page.getByRole('textbox', { name: /email/i }).fill('ann@example.org')
    await lookForUpdate(page)
    const prompt = page.getByText('A new version of Hither is ready.')
    await expect(prompt).toBeVisible()
    await expect(page.getByRole('textbox', { name: /email/i })).toHaveValue('ann@example.org')
    await page.getByRole('button', { name: 'Later' }).click()
    await expect(prompt).toBeHidden()
    await expect(page.getByRole('textbox', { name: /email/i })).toHaveValue('ann@example.org')

    await page.reload()
    await expect(prompt).toBeVisible()
    const loaded = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Update' }).click()
    await loaded
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
    await expect(prompt).toBeHidden()
  } finally {
    await context.close()
    await front.close()
  }
})

test('copies of a sign-in page of a network in the caches are replaced at the next load', async ({
  browserOf,
  expectConsole,
}) => {
  expectConsole(offline)
  const page = await browserOf(null, { locale: 'de-DE' })
  await page.goto('/login')
  await waitForController(page)
  const damaged = await page.evaluate(async () => {
    const portal = () => new Response('<title>Sign in</title>', { headers: { 'Content-Type': 'text/html' } })
    const cut = () => new Response('{"a":', { headers: { 'Content-Type': 'application/json' } })
    const damaged: string[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const { url } of await cache.keys()) {
        if (!/texts.de-visitor|assets.app-|index.html/.test(url)) continue
        await cache.put(url, url.includes('visitor') ? cut() : portal())
        damaged.push(new URL(url).pathname)
      }
    }
    return damaged
  })
  expect(damaged.length).toBeGreaterThanOrEqual(3)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Willkommen zurück' })).toBeVisible()
})

async function expectStored(page: Page, texts: readonly string[]): Promise<void> {
  await expect
    .poll(async () => {
      const stored = await databasesOn(page)
      return texts.filter((text) => !stored.includes(text))
    })
    .toEqual([])
}

function lookForUpdate(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    await registration?.update()
  })
}

function iconsOf(manifest: string): string[] {
  const { icons, shortcuts, screenshots } = JSON.parse(manifest) as {
    icons: { src: string }[]
    shortcuts: { icons: { src: string }[] }[]
    screenshots: { src: string }[]
  }
  return [...icons, ...shortcuts.flatMap((shortcut) => shortcut.icons), ...screenshots].map(({ src }) => src)
}

/** Starts a reverse proxy that can release a "new version": the same app with another service worker. */
async function startFront(target: string): Promise<{ url: string; release(): void; close(): Promise<void> }> {
  let version = ''
  const server: Server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { 'if-none-match': _, 'if-modified-since': __, ...asked } = incoming.headers
    const headers = { ...asked, host: new URL(target).host, 'accept-encoding': 'identity' }
    const upstream = request(target + incoming.url, { method: incoming.method ?? 'GET', headers }, (answer) => {
      const isWorker = incoming.url === '/sw.js'
      const { 'content-length': ___, ...passed } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 502, isWorker ? passed : answer.headers)
      answer.pipe(outgoing, { end: !isWorker })
      if (isWorker) answer.on('end', () => outgoing.end(version))
    })
    upstream.on('error', () => outgoing.destroy())
    incoming.pipe(upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    release() {
      version = '\n// the next one'
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
