import AxeBuilder from '@axe-core/playwright'
import { type Input, type Operation, type Reply } from '@hither/contract/operation.ts'
import { type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import { befriend, call, type Person, signUp, storageOf } from './people.ts'

interface Fixtures {
  /** What the embedded map shows. Drawing the whole world is a third of what Home costs, so it is for tests of the map. */
  world: 'whole' | 'empty'
  /** A person with an account; nobody's friend yet. */
  person(name: string): Promise<Person>
  friends(a: Person, b: Person): Promise<void>
  /** Makes a call of the contract as this person. */
  api<O extends Operation>(operation: O, input: Input<O>, as?: Person): Promise<Reply<O>>
  /** A browser of this person's own, signed in and not yet anywhere; nobody for a visitor. */
  browserOf(person: Person | null, options?: BrowserContextOptions): Promise<Page>
  /** Console errors that this test means to cause; any other fails it. */
  expectConsole(...patterns: RegExp[]): void
}

export const test = base.extend<Fixtures>({
  world: ['empty', { option: true }],
  person: async ({ baseURL }, use) => use((name) => signUp(baseURL ?? '', name)),
  api: async ({ baseURL }, use) => use((operation, input, as) => call(baseURL ?? '', operation, input, as)),
  friends: async ({ baseURL }, use) => use((a, b) => befriend(baseURL ?? '', a, b)),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
  expectConsole: async ({}, use, info) => {
    const expected: RegExp[] = []
    Object.assign(info, { expectedConsole: expected })
    await use((...patterns) => expected.push(...patterns))
  },
  browserOf: async ({ browser, baseURL, expectConsole, serviceWorkers, world }, use, info) => {
    void expectConsole
    const errors: string[] = []
    const opened: Page[] = []
    await use(async (person, options = {}) => {
      const context = await browser.newContext({
        ...(person && { storageState: storageOf(baseURL ?? '', person) }),
        ...options,
      })
      // What a service worker loads and keeps is not exchanged.
      if (world === 'empty' && (options.serviceWorkers ?? serviceWorkers) === 'block')
        await context.route('**/assets/world-*', (route) =>
          route.fulfill({ json: { type: 'FeatureCollection', features: [] } }),
        )
      const page = await context.newPage()
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      page.on('pageerror', (error) => errors.push(String(error)))
      opened.push(page)
      return page
    })
    for (const page of opened) await page.context().close()
    const { expectedConsole } = info as unknown as { expectedConsole: RegExp[] }
    expect(errors.filter((error) => !expectedConsole.some((pattern) => pattern.test(error)))).toEqual([])
  },
})

/** Nothing for axe to find, in the light and in the dark scheme. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-color-scheme', colorScheme)
    // Colours on their way from one scheme to the other have no contrast to speak of. What inherits a colour sets out
    // only when that has arrived, so this asks again until all is still; what turns without end is left turning.
    await page.evaluate(async () => {
      function moving() {
        const running = document.getAnimations().filter(({ playState }) => playState === 'running')
        return running.filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
      }
      for (let frame = 0; frame < 300 && moving().length > 0; frame++) await new Promise(requestAnimationFrame)
    })
    // There is no frame of another origin, the one thing that the slower way is for.
    const axe = new AxeBuilder({ page }).setLegacyMode()
    // Only colours differ between the schemes.
    if (colorScheme === 'light') axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    else axe.withRules('color-contrast')
    const { violations } = await axe.analyze()
    const found = violations.map(
      ({ id, nodes }) =>
        `${colorScheme}: ${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join('\n  ')}`,
    )
    expect(found).toEqual([])
  }
}

export { expect }
