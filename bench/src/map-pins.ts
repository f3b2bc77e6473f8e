import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuthSession } from '@hither/contract/auth/auth.ts'
import type { Ping } from '@hither/contract/pings.ts'
import { chromium, type Page } from '@playwright/test'
import { chromiumPath, drawingArgs } from '../../e2e/chromium.ts'
import { storageOf } from '../../e2e/people.ts'
import { startHither } from './hither.ts'
import { signUp } from './people.ts'

/** Measures the frame times of panning and zooming the map with `PINS` pins, compared with the map without pins. */
const pins = Number(process.env['PINS'] ?? 1000)
const rounds = Number(process.env['ROUNDS'] ?? 3)
const dragSteps = 60
const zoomSteps = 16
const centre = { latitude: 40.7589, longitude: -73.9851 }

const folder = await mkdtemp(join(tmpdir(), 'hither-bench-'))
const running = process.env['HITHER_URL']
const hither =
  running === undefined
    ? await startHither({ DATA_DIR: folder, LOG_LEVEL: 'silent', RATE_LIMITS: 'off', MAP_ONLINE: 'off' })
    : { url: running, stop: async () => undefined }
const browser = await chromium.launch({ executablePath: chromiumPath() ?? '', args: drawingArgs })
try {
  const session = await signUp(hither.url, `bench-${crypto.randomUUID().slice(0, 8)}`)
  // The runs alternate, so that other load on the machine affects both.
  const bare: number[] = []
  const pinned: number[] = []
  for (let round = 0; round < rounds; round++) {
    bare.push(...(await measure(session, 0)))
    pinned.push(...(await measure(session, pins)))
  }
  const ratio = mean(pinned) / mean(bare)
  process.stdout.write(
    [
      `panning and zooming, ${bare.length} and ${pinned.length} frames: mean / median / 95 %`,
      `  the bare map      ${frames(bare)}`,
      `  with ${pins} pins   ${frames(pinned)}`,
      `  ratio of the means ${ratio.toFixed(2)} (goal: at most 1.3)`,
      '',
    ].join('\n'),
  )
} finally {
  await browser.close()
  await hither.stop()
  await rm(folder, { recursive: true, force: true })
}

/** The frame times in milliseconds of one page during panning and zooming. */
async function measure(session: AuthSession, count: number): Promise<number[]> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    serviceWorkers: 'block',
    storageState: storageOf(hither.url, { session: session }),
  })
  const page = await context.newPage()
  await page.route(/\/api\/pings\/\?/, (route) => route.fulfill({ json: pingsOf(session, count) }))
  await page.goto(hither.url)
  await page.getByRole('link', { name: 'GeoNames' }).waitFor()
  if (count > 0) await page.locator('.cluster, .pin').first().waitFor()
  await page.waitForTimeout(2000)
  const times = await moving(page)
  await context.close()
  return times
}

async function moving(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    const state = window as unknown as { frames: number[]; isMeasured: boolean }
    state.frames = []
    state.isMeasured = true
    let before = performance.now()
    requestAnimationFrame(function next(now) {
      state.frames.push(now - before)
      before = now
      if (state.isMeasured) requestAnimationFrame(next)
    })
  })
  await page.mouse.move(1000, 560)
  await page.mouse.down()
  for (let i = 0; i < dragSteps; i++) {
    await page.mouse.move(1000 - 260 * Math.sin(i / 9), 560 - 180 * Math.sin(i / 14))
  }
  await page.mouse.up()
  for (let i = 0; i < zoomSteps; i++) {
    await page.mouse.wheel(0, i < zoomSteps / 2 ? -160 : 160)
    await page.waitForTimeout(60)
  }
  return page.evaluate(() => {
    const state = window as unknown as { frames: number[]; isMeasured: boolean }
    state.isMeasured = false
    return state.frames.slice(1)
  })
}

/** Pins spread over a city, denser in the center. */
function pingsOf({ user }: AuthSession, count: number): Ping[] {
  const now = Date.now()
  return Array.from({ length: count }, (_, i) => {
    const [angle, distance] = [i * 2.399963, 0.09 * (i / count) ** 0.8]
    return {
      id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
      access: 'owner',
      can_respond: false,
      guest_policy: 'off',
      guests: [],
      trips: [],
      user_id: user.id,
      username: user.username,
      display_name: null,
      user_has_image: false,
      name: `Pin ${i}`,
      message: null,
      latitude: centre.latitude + distance * Math.sin(angle),
      longitude: centre.longitude + distance * 1.3 * Math.cos(angle),
      address: null,
      created_at: new Date(now - 60_000).toISOString(),
      updated_at: new Date(now).toISOString(),
      activates_at: null,
      expires_at: new Date(now + (i % 200) * 60_000 + 600_000).toISOString(),
      status: 'active',
      is_public: false,
      has_image: false,
      responses_visible: true,
      conversation_id: null,
      recipients: [],
      responses: [],
    } as unknown as Ping
  })
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function frames(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0
  return [mean(values), at(0.5), at(0.95)].map((ms) => `${ms.toFixed(1)} ms`).join(' / ')
}
