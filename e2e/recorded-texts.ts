import { type Page } from '@playwright/test'

/**
 * Records, from the next navigation on, every different text on the page that matches, in the order in which they came.
 * What stands for a second or two can come and go between two looks at the page of a busy machine.
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
