import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { AuthSession } from '@hither/contract/auth/auth.ts'
import { createConversation } from '@hither/contract/messages/messages.ts'
import { createPing } from '@hither/contract/pings.ts'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { chromiumPath, drawingArgs } from '../../e2e/chromium.ts'
import { entriesOf, storageOf } from '../../e2e/people.ts'
import { freePort } from '../../server/test/free-port.ts'
import { startHither } from './hither.ts'
import { befriend, call, say, signUp } from './people.ts'
import { median } from './process.ts'

/**
 * Measures waiting times in a browser: the first visit with Lighthouse's mobile preset, a start from the service worker, and
 * the longest task when a live change arrives. Requires a build of the web app.
 */
const rounds = Number(process.env['ROUNDS'] ?? 3)
const lighthouse = process.env['LIGHTHOUSE'] ?? 'lighthouse@13.5.0'
const pins = 200
const messages = 500
const arrivals = 10

const folder = await mkdtemp(join(tmpdir(), 'hither-bench-'))
const hither = await startHither({ DATA_DIR: folder, LOG_LEVEL: 'silent', RATE_LIMITS: 'off', MAP_ONLINE: 'off' })
const browser = await chromium.launch({ executablePath: chromiumPath() ?? '', args: drawingArgs })
try {
  const { ann, bob, conversationId } = await populate()
  const runs = { login: [] as Picture[], home: [] as Picture[], warm: [] as number[] }
  // The runs alternate, so that other load on the machine affects all of them.
  for (let round = 0; round < rounds; round++) {
    runs.login.push(await picture('/login', null))
    runs.home.push(await picture('/', ann))
    runs.warm.push(await warmStart(ann))
  }
  const pinMs = await longestTask(ann, '/', (number) => call(hither.url, createPing, { body: pinOf(number) }, bob))
  const messageMs = await longestTask(ann, `/chat/${conversationId}`, (number) =>
    say(hither.url, bob, conversationId, `Arrival ${number}`),
  )
  const of = (pictures: readonly Picture[], key: keyof Picture) => median(pictures.map((picture) => picture[key]))
  print([
    ['sign-in: performance', of(runs.login, 'performance').toFixed(0), 'at least 95'],
    ['sign-in: first paint', seconds(of(runs.login, 'firstPaintMs')), 'at most 1.5 s'],
    ['sign-in: blocked', `${of(runs.login, 'blockedMs').toFixed(0)} ms`, ''],
    ['sign-in: scripts as sent', kilobytes(of(runs.login, 'scriptBytes')), ''],
    ['Home: performance', of(runs.home, 'performance').toFixed(0), ''],
    ['Home: first paint', seconds(of(runs.home, 'firstPaintMs')), ''],
    ['Home: largest paint', seconds(of(runs.home, 'largestPaintMs')), 'at most 2.5 s'],
    ['Home: blocked', `${of(runs.home, 'blockedMs').toFixed(0)} ms`, ''],
    ['warm start to the names of the pins', `${median(runs.warm).toFixed(0)} ms`, 'under 500 ms'],
    [`longest task as a pin comes to ${pins}`, `${pinMs.toFixed(0)} ms`, 'at most 100 ms'],
    [`longest task as a message comes to ${messages}`, `${messageMs.toFixed(0)} ms`, 'at most 100 ms'],
  ])
} finally {
  await browser.close()
  await hither.stop()
  await rm(folder, { recursive: true, force: true })
}

interface Picture {
  performance: number
  firstPaintMs: number
  largestPaintMs: number
  blockedMs: number
  scriptBytes: number
}

async function populate() {
  const [ann, bob] = [await signUp(hither.url, 'ann'), await signUp(hither.url, 'bob')]
  await befriend(hither.url, ann, bob)
  // A user can have only a limited number of pins, so other friends of ann create the rest.
  for (let number = 0; number < pins; number += 40) {
    const owner = await signUp(hither.url, `pins-${number}`)
    await befriend(hither.url, owner, ann)
    for (let n = number; n < number + 40; n++) await call(hither.url, createPing, { body: pinOf(n) }, owner)
  }
  const conversation = await call(hither.url, createConversation, { body: { participant_ids: [bob.user.id] } }, ann)
  for (let n = 0; n < messages; n++) {
    const content = `${n} ${'and some more of it '.repeat(n % 7)}`.trim()
    await say(hither.url, n % 3 === 0 ? ann : bob, conversation.id, content)
  }
  return { ann, bob, conversationId: conversation.id }
}

/** Pins spread over a city, so that many are not in a cluster. */
function pinOf(number: number) {
  const [angle, distance] = [number * 2.399963, 0.05 * (number / pins) ** 0.8]
  return {
    name: `Pin ${number}`,
    latitude: 40.7589 + distance * Math.sin(angle),
    longitude: -73.9851 + distance * 1.3 * Math.cos(angle),
  }
}

/** Runs Lighthouse once in a new browser in which this user is signed in. */
async function picture(path: string, person: AuthSession | null): Promise<Picture> {
  const profile = await mkdtemp(join(tmpdir(), 'hither-lighthouse-'))
  const port = await portOfChrome(profile, person)
  try {
    const { stdout } = await promisify(execFile)(
      'npx',
      [
        '--yes',
        lighthouse,
        `${hither.url}${path}`,
        `--port=${port.number}`,
        '--output=json',
        '--quiet',
        '--only-categories=performance',
        '--disable-storage-reset',
      ],
      { maxBuffer: 64 * 2 ** 20 },
    )
    const { audits, categories } = JSON.parse(stdout.slice(stdout.indexOf('{')))
    const scripts = audits['network-requests'].details.items.filter(
      (item: { resourceType: string; url: string }) =>
        item.resourceType === 'Script' && !item.url.includes('maplibre-gl'),
    )
    return {
      performance: categories.performance.score * 100,
      firstPaintMs: audits['first-contentful-paint'].numericValue,
      largestPaintMs: audits['largest-contentful-paint'].numericValue,
      blockedMs: audits['total-blocking-time'].numericValue,
      scriptBytes: scripts.reduce((sum: number, item: { transferSize: number }) => sum + item.transferSize, 0),
    }
  } finally {
    await port.close()
    await rm(profile, { recursive: true, force: true })
  }
}

/** Starts Chrome with only the session stored, without a service worker or cache. */
async function portOfChrome(profile: string, person: AuthSession | null) {
  const number = await freePort()
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath() ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', `--remote-debugging-port=${number}`],
  })
  if (person !== null) {
    const page = await context.newPage()
    // A page of the same origin without scripts.
    await page.goto(`${hither.url}/favicon.svg`)
    await page.evaluate((entries) => {
      for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value)
    }, entriesOf(person))
    await page.close()
  }
  return { number, close: () => context.close() }
}

/** The time in milliseconds from the navigation until the name of a pin is visible, with all data cached and the usual latency to the server. */
async function warmStart(person: AuthSession): Promise<number> {
  const context = await contextOf(person)
  try {
    const first = await context.newPage()
    await first.goto(hither.url)
    await first
      .getByText(/^Pin \d+/)
      .first()
      .waitFor({ state: 'attached' })
    await first.evaluate(async () => {
      await navigator.serviceWorker.ready
      if (navigator.serviceWorker.controller !== null) return
      await new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      )
    })
    // The cached data is written shortly after it is shown.
    await first.waitForTimeout(3000)
    await first.close()
    const again = await context.newPage()
    await again.addInitScript(() => {
      const look = () => {
        const isThere = [...(document.querySelectorAll('section li') ?? [])].some((row) =>
          /Pin \d+/.test(row.textContent),
        )
        if (isThere) requestAnimationFrame(() => Object.assign(window, { usefulMs: performance.now() }))
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
    await again.goto(hither.url)
    const handle = await again.waitForFunction(() => (window as unknown as { usefulMs?: number }).usefulMs)
    return (await handle.jsonValue()) ?? Number.NaN
  } finally {
    await context.close()
  }
}

/** The longest task in the second after each change, in milliseconds; 0 if no task took the 50 ms from which browsers report it. */
async function longestTask(
  person: AuthSession,
  path: string,
  arrive: (number: number) => Promise<unknown>,
): Promise<number> {
  const context = await contextOf(person)
  try {
    const page = await context.newPage()
    await page.goto(`${hither.url}${path}`)
    await settled(page)
    await page.evaluate(() => {
      const state = window as unknown as { tasks: number[] }
      state.tasks = []
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) state.tasks.push(duration)
      }).observe({ type: 'longtask' })
    })
    for (let n = 0; n < arrivals; n++) {
      await arrive(pins + n)
      await page.waitForTimeout(1000)
    }
    const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks)
    return Math.max(0, ...tasks)
  } finally {
    await context.close()
  }
}

async function settled(page: Page) {
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(5000)
}

function contextOf(person: AuthSession): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width: 390, height: 844 },
    storageState: storageOf(hither.url, { session: person }),
  })
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} KB`
}

function print(rows: readonly (readonly [string, string, string])[]) {
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`)
  process.stdout.write(`${['| of the web app | median | goal |', '|---|---:|---|', ...lines].join('\n')}\n`)
}
