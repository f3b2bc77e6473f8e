import type { Page } from '@playwright/test'

/**
 * Records every distinct matching text on the page in order, starting with the next navigation. A text that is visible for
 * a second or two can appear and disappear between two assertions on a busy machine.
 */
export async function recordTexts(page: Page, pattern: RegExp): Promise<() => Promise<string[]>> {
  await page.addInitScript((source) => {
    const pattern = new RegExp(source)
    const texts: string[] = []
    Object.assign(window, { recordedTexts: texts })
    new MutationObserver(() => {
      const [text] = pattern.exec(document.body?.textContent ?? '') ?? []
      if (text !== undefined && texts.at(-1) !== text) texts.push(text)
    }).observe(document, { childList: true, characterData: true, subtree: true })
  }, pattern.source)
  return () => page.evaluate(() => (window as unknown as { recordedTexts: string[] }).recordedTexts)
}

/** Records the texts of the highlighted messages in order, starting with the next navigation. The highlight lasts two seconds. */
export async function recordHighlights(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const texts: string[] = []
    Object.assign(window, { recordedHighlights: texts })
    new MutationObserver(() => {
      const text = document.querySelector('[data-highlighted="true"]')?.textContent
      if (text !== undefined && texts.at(-1) !== text) texts.push(text)
    }).observe(document, { childList: true, attributes: true, subtree: true })
  })
  return () => page.evaluate(() => (window as unknown as { recordedHighlights: string[] }).recordedHighlights)
}
