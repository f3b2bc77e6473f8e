import AxeBuilder from '@axe-core/playwright'
import type { CallInput, Operation, Reply } from '@hither/contract/operation.ts'
import { type BrowserContextOptions, test as base, expect, type Page, type TestInfo } from '@playwright/test'
import { emptyMap, lightenPages, withholdMap } from './light-page.ts'
import { befriend, call, type Person, signUp, storageOf } from './people.ts'

type AxeResults = Awaited<ReturnType<AxeBuilder['analyze']>>

interface Fixtures {
  /**
   * What pages load. With `light`, Home keeps waiting for its map, and code is loaded only when it is needed, which costs
   * half as much. With `map`, there is an empty and coarse map too. Only tests of the map's content and of early loading
   * use `complete`.
   */
  pages: 'complete' | 'map' | 'light'
  /** Signs up a user without friends. */
  person(name: string): Promise<Person>
  friends(a: Person, b: Person): Promise<void>
  /** Calls an operation of the contract as this user. */
  api<O extends Operation>(operation: O, input: CallInput<O>, as?: Person): Promise<Reply<O>>
  /** Opens an empty page in a new browser context in which this user is signed in; `null` is a visitor. */
  browserOf(person: Person | null, options?: BrowserContextOptions): Promise<Page>
  /** Allows console errors that the test causes on purpose. Any other console error fails the test. */
  expectConsole(...patterns: RegExp[]): void
}

export const test = base.extend<Fixtures>({
  pages: ['light', { option: true }],
  person: async ({ baseURL }, use) => use((name) => signUp(baseURL ?? '', name)),
  api: async ({ baseURL }, use) => use((operation, input, as) => call(baseURL ?? '', operation, input, as)),
  friends: async ({ baseURL }, use) => use((a, b) => befriend(baseURL ?? '', a, b)),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
  expectConsole: async ({}, use, info) => {
    const expected: RegExp[] = []
    Object.assign(info, { expectedConsole: expected })
    await use((...patterns) => expected.push(...patterns))
  },
  browserOf: async ({ browser, baseURL, expectConsole, pages, serviceWorkers }, use, info) => {
    void expectConsole
    const errors: string[] = []
    const opened: Page[] = []
    await use(async (person, options = {}) => {
      const context = await browser.newContext({
        ...(person && { storageState: storageOf(baseURL ?? '', person) }),
        ...options,
      })
      if (pages !== 'complete') {
        await lightenPages(context)
        if ((options.serviceWorkers ?? serviceWorkers) === 'block')
          await (pages === 'light' ? withholdMap(context) : emptyMap(context))
      }
      const page = await context.newPage()
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      page.on('pageerror', (error) => errors.push(String(error)))
      opened.push(page)
      return page
    })
    // What happens while the pages close is no failure of the test: requests that a route still holds are released, and end.
    const found = [...errors]
    const { expectedConsole } = info as unknown as { expectedConsole: RegExp[] }
    const unexpected = found.filter((error) => !expectedConsole.some((pattern) => pattern.test(error)))
    const hasFailed = unexpected.length > 0 || info.status !== info.expectedStatus
    for (const page of opened) {
      if (!page.isClosed()) {
        if (hasFailed) await attachScreenshot(info, page)
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await page.context().unrouteAll({ behavior: 'ignoreErrors' })
      }
      await page.context().close()
    }
    expect(unexpected).toEqual([])
  },
})

/** Playwright's own screenshots are taken in passed tests too. */
async function attachScreenshot(info: TestInfo, page: Page): Promise<void> {
  const body = await page.screenshot({ timeout: 5000 }).catch(() => null)
  if (body !== null) await info.attach('screenshot', { body, contentType: 'image/png' })
}

/** The default mode is slower and is needed only for cross-origin frames, which the app does not have. */
function allRules(page: Page): Promise<AxeResults> {
  return new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
}

/** Only colors differ between the schemes. Axe is in the page since `allRules`: to compile it again takes longer than this. */
function contrasts(page: Page): Promise<AxeResults> {
  return page.evaluate(() => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResults> } }
    return axe.run({ runOnly: { type: 'rule', values: ['color-contrast'] }, resultTypes: ['violations'] })
  })
}

/** Expects no axe violations in the light and in the dark scheme. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-color-scheme', colorScheme)
    // Colors in a transition between the schemes have wrong contrasts. An inherited color starts its transition only when
    // that of its parent has ended, so this repeats until no transition runs. Infinite animations are ignored.
    await page.evaluate(async () => {
      function moving() {
        const running = document.getAnimations().filter(({ playState }) => playState === 'running')
        return running.filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
      }
      for (let frame = 0; frame < 300 && moving().length > 0; frame++) await new Promise(requestAnimationFrame)
    })
    const { violations } = await (colorScheme === 'light' ? allRules(page) : contrasts(page))
    const found = violations.map(
      ({ id, nodes }) =>
        `${colorScheme}: ${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join('\n  ')}`,
    )
    expect(found).toEqual([])
  }
}

export { expect }
