import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuthSession } from '@hither/contract/auth/auth.ts'
import { createConversation } from '@hither/contract/messages/messages.ts'
import { createPing } from '@hither/contract/pings.ts'
import { type Browser, chromium, type Locator, type Page } from '@playwright/test'
import { chromiumPath, drawingArgs } from '../../e2e/chromium.ts'
import { storageOf } from '../../e2e/people.ts'
import { startHither } from './hither.ts'
import { befriend, call, say, signUp } from './people.ts'
import { median } from './process.ts'
import { printTable } from './table.ts'

/**
 * `npm run bench:feel`: counts the taps from opening the app to a shared pin and to an answer, and measures the time from the
 * tap to the friend's screen, the time of a change of the language, and the layout shift of every screen on a phone. Requires a build of the web app.
 */
const rounds = Number(process.env['ROUNDS'] ?? 5)
const place = { latitude: 40.7589, longitude: -73.9851 }
/** Long enough for the map, the lists and everything that loads while the page is idle. */
const settleMs = 5000

const folder = await mkdtemp(join(tmpdir(), 'hither-feel-'))
const hither = await startHither({ DATA_DIR: folder, LOG_LEVEL: 'silent', RATE_LIMITS: 'off', MAP_ONLINE: 'off' })
const browser = await chromium.launch({ executablePath: chromiumPath() ?? '', args: drawingArgs })
try {
  const [ann, bob] = [await signUp(hither.url, 'ann'), await signUp(hither.url, 'bob')]
  await befriend(hither.url, ann, bob)
  const { pinTaps, answerTaps, pinMs, answerMs } = await tapsAndTimes(browser, ann, bob)
  const shifts = await layoutShifts(browser, ann, bob)
  const languageMs = await languageTimes(browser, ann)
  printTable(`What users feel, on a phone, median of ${rounds}`, [
    ['', 'value', 'goal'],
    ['taps from opening the app to a shared pin', String(pinTaps), '≤ 2'],
    ['taps from opening the app to an answer', String(answerTaps), '1'],
    ["ms from the tap on Pin Location to the friend's list", median(pinMs).toFixed(0), ''],
    ["ms from the tap on Going to the owner's screen", median(answerMs).toFixed(0), ''],
    ['ms from the tap on another language to the screen in it', median(languageMs).toFixed(0), '≤ 1500'],
    ...shifts.map(([screen, shift]) => [`layout shift of ${screen}`, shift.toFixed(3), '≤ 0.05']),
  ])
} finally {
  await browser.close()
  await hither.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Counts every tap, so that the figures follow the app. */
function countingTaps() {
  let taps = 0
  return {
    tap: async (target: Locator) => {
      taps++
      await target.click()
    },
    count: () => taps,
  }
}

async function tapsAndTimes(on: Browser, ann: AuthSession, bob: AuthSession) {
  const [annPage, bobPage] = [await open(on, ann), await open(on, bob)]
  const [pinMs, answerMs]: [number[], number[]] = [[], []]

  const forPin = countingTaps()
  await forPin.tap(annPage.getByRole('button', { name: /^Quick pin/ }))
  await rowOf(bobPage, "ann's pin").waitFor()
  const forAnswer = countingTaps()
  await forAnswer.tap(rowOf(bobPage, "ann's pin").getByRole('button', { name: 'Going' }))
  await annPage.getByText('bob is going').waitFor()

  for (let round = 0; round < rounds; round++) {
    const name = `Round ${round}`
    await annPage.getByRole('button', { name: 'Drop a pin' }).click()
    await annPage.getByLabel('Name').fill(name)
    const pinnedAt = performance.now()
    await annPage.getByRole('button', { name: 'Pin Location' }).click()
    await rowOf(bobPage, name).waitFor({ state: 'attached' })
    pinMs.push(performance.now() - pinnedAt)
    const going = annPage.getByText('bob is going')
    // Messages are shown one after the other.
    await annPage.getByText(/^Shared with/).waitFor({ state: 'hidden' })
    await going.waitFor({ state: 'detached' })
    const answeredAt = performance.now()
    await rowOf(bobPage, name).getByRole('button', { name: 'Going' }).dispatchEvent('click')
    await going.waitFor({ state: 'attached' })
    answerMs.push(performance.now() - answeredAt)
  }
  await Promise.all([annPage, bobPage].map((page) => page.context().close()))
  return { pinTaps: forPin.count(), answerTaps: forAnswer.count(), pinMs, answerMs }
}

/** The milliseconds from the tap on a language in the list of the profile until the screen is shown in that language. */
async function languageTimes(on: Browser, ann: AuthSession): Promise<number[]> {
  const page = await open(on, ann, '/profile')
  const times: number[] = []
  const languages = [
    ['Deutsch', 'Einstellungen'],
    ['English', 'Preferences'],
  ] as const
  for (let round = 0; round < rounds; round++)
    for (const [name, heading] of languages) {
      await page.getByRole('button', { name: /^(Language|Sprache)/ }).click()
      const choice = page.getByRole('radio', { name: new RegExp(`^${name}`) })
      await choice.waitFor()
      const chosenAt = performance.now()
      await choice.click()
      await page.getByRole('heading', { name: heading }).waitFor()
      times.push(performance.now() - chosenAt)
    }
  await page.context().close()
  return times
}

/** The cumulative layout shift of each screen, from the navigation until nothing loads any more. */
async function layoutShifts(on: Browser, ann: AuthSession, bob: AuthSession): Promise<[string, number][]> {
  const ping = await call(
    hither.url,
    createPing,
    { body: { ...place, name: 'Soup at noon', message: 'Upstairs' } },
    bob,
  )
  const chat = await call(hither.url, createConversation, { body: { participant_ids: [bob.user.id] } }, ann)
  for (let number = 0; number < 40; number++) await say(hither.url, bob, chat.id, `Message ${number}`)
  const screens = ['/', '/chat', `/chat/${chat.id}`, '/friends', '/profile', `/pins/${ping.id}`]
  const shifts: [string, number][] = []
  for (const path of screens) {
    const page = await open(on, ann, path)
    shifts.push([path.replace(/[0-9a-f-]{36}/, '…'), await shiftOf(page)])
    await page.context().close()
  }
  for (const path of ['/login', '/signup']) {
    const page = await open(on, null, path)
    shifts.push([path, await shiftOf(page)])
    await page.context().close()
  }
  return shifts
}

function shiftOf(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { shift: number }).shift)
}

/** Opens a screen on a phone at the place of the pins, and waits until it is complete. */
async function open(on: Browser, person: AuthSession | null, path = '/'): Promise<Page> {
  const context = await on.newContext({
    viewport: { width: 390, height: 844 },
    permissions: ['geolocation'],
    geolocation: place,
    ...(person && { storageState: storageOf(hither.url, { session: person }) }),
  })
  const page = await context.newPage()
  await page.addInitScript(() => {
    const state = window as unknown as { shift: number }
    state.shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) state.shift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(`${hither.url}${path}`)
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(settleMs)
  return page
}

function rowOf(page: Page, name: string): Locator {
  return page.getByRole('listitem').filter({ hasText: name })
}
