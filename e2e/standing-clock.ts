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

/** That it comes, stands for so long and then goes, by a clock that stands still. */
export async function expectShownFor(page: Page, notice: Locator, durationMs: number): Promise<void> {
  await passUntil(page, 5000, () => notice.isVisible())
  await page.clock.runFor(durationMs - 500)
  await expect(notice).toBeVisible()
  // What fades takes a moment longer.
  await passUntil(page, 1500, () => notice.isHidden())
}

/** In small steps, since a page goes on in its own time after each. */
async function passUntil(page: Page, atMostMs: number, isSo: () => Promise<boolean>) {
  for (let passedMs = 0; passedMs < atMostMs; passedMs += 50) {
    await page.clock.runFor(50)
    if (await isSo()) return
  }
  expect(await isSo()).toBe(true)
}
