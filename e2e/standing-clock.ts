import { expect, type Locator, type Page } from '@playwright/test'

/** Before the page is opened: from `stopClock` on, its time passes only as told. */
export async function bringClock(page: Page): Promise<void> {
  await page.clock.install()
}

/** Nor does the mouse stay where a notice may come up under it, which would hold it there. */
export async function stopClock(page: Page): Promise<void> {
  await page.mouse.move(0, 0)
  // On a busy machine that moment may be over before the page hears of it.
  await expect(async () => {
    const nowMs = await page.evaluate(() => Date.now())
    await page.clock.pauseAt(nowMs + 1000)
  }).toPass()
}

/** Expects the notice to come, to stay for `durationMs` and then to go, by a clock that stands still. */
export async function expectShownFor(page: Page, notice: Locator, durationMs: number): Promise<void> {
  await passUntil(page, notice, 'visible', 10_000)
  await page.clock.runFor(durationMs - 500)
  await expect(notice).toBeVisible()
  // What fades takes a moment longer.
  await passUntil(page, notice, 'hidden', 1500)
}

const stepMs = 50

/**
 * Lets the page's time pass in small steps until the notice is as expected, and never faster than real time: what the notice
 * waits for, such as an answer of the server, takes real time, however little of the processor it gets.
 */
async function passUntil(page: Page, notice: Locator, state: 'visible' | 'hidden', atMostMs: number) {
  for (let passedMs = 0; passedMs < atMostMs; passedMs += stepMs) {
    await page.clock.runFor(stepMs)
    const hasCome = await notice.waitFor({ state, timeout: stepMs }).then(
      () => true,
      () => false,
    )
    if (hasCome) return
  }
  await notice.waitFor({ state, timeout: stepMs })
}
