import { expect, type Locator, type Page } from '@playwright/test'

/** Installs a fake clock. Call it before the page is opened. After `pauseClock` its time advances only on request. */
export async function installClock(page: Page): Promise<void> {
  await page.clock.install()
}

/** Pauses the clock of the page. It also moves the mouse away, because a notice under the mouse does not time out. */
export async function pauseClock(page: Page): Promise<void> {
  await page.mouse.move(0, 0)
  // On a busy machine that time may have passed before the page receives the call, so the call is repeated.
  await expect(async () => {
    const nowMs = await page.evaluate(() => Date.now())
    await page.clock.pauseAt(nowMs + 1000)
  }).toPass()
}

/** Expects the notice to appear, to stay visible for `durationMs` and then to disappear, with a paused clock. */
export async function expectShownFor(page: Page, notice: Locator, durationMs: number): Promise<void> {
  await advanceUntil(page, notice, 'visible', 10_000)
  await page.clock.runFor(durationMs - 500)
  await expect(notice).toBeVisible()
  // The fade-out takes a little longer.
  await advanceUntil(page, notice, 'hidden', 1500)
}

const waitMs = 50

/**
 * Advances the clock of the page in small steps until the notice has the expected state, and never faster than real time,
 * because the notice may wait for a response of the server, which takes real time on a busy machine. With `stepMs`, it waits
 * longer than the clock of the page shows.
 */
export async function advanceUntil(
  page: Page,
  notice: Locator,
  state: 'visible' | 'hidden',
  atMostMs: number,
  stepMs = waitMs,
) {
  for (let passedMs = 0; passedMs < atMostMs; passedMs += stepMs) {
    await page.clock.runFor(stepMs)
    // On a busy machine, no observation may end within the wait below, and the clock would run past the notice.
    if ((await notice.isVisible()) === (state === 'visible')) return
    const hasCome = await notice.waitFor({ state, timeout: waitMs }).then(
      () => true,
      () => false,
    )
    if (hasCome) return
  }
  await notice.waitFor({ state, timeout: waitMs })
}
