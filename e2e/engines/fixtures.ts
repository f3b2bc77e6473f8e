import { writeFile } from 'node:fs/promises'
import { test as base, expect } from '@playwright/test'
import { befriend, entriesOf, type Person, signUp } from '../people.ts'
import type { EngineBrowser } from './browser.ts'
import { openDisplay } from './display.ts'
import type { EngineName } from './installed.ts'
import { startChromium, startFirefox } from './puppeteer.ts'
import { Screen } from './screen.ts'
import { startWebKit } from './webkit.ts'

export interface EngineOptions {
  engine: EngineName
  engineBrowser: EngineBrowser
}

interface Fixtures {
  /** Signs up a user without friends. */
  person(name: string): Promise<Person>
  /** Signs up two users who are friends. */
  pair(): Promise<[Person, Person]>
  /** Opens a tab in which this user is signed in at this origin, by default that of the server; `null` is a visitor. */
  screenOf(person: Person | null, origin?: string): Promise<Screen>
  base: string
}

export const test = base.extend<Fixtures, EngineOptions>({
  engine: ['chromium', { option: true, scope: 'worker' }],
  engineBrowser: [
    async ({ engine }, use) => {
      if (engine === 'chromium') {
        const browser = await startChromium()
        await use(browser)
        return browser.close()
      }
      const display = await openDisplay()
      const browser = await (engine === 'firefox' ? startFirefox(display) : startWebKit(display))
      await use(browser)
      await browser.close()
      await display.close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  base: async ({ baseURL }, use) => use(baseURL ?? ''),
  person: async ({ base }, use) => use((name) => signUp(base, name)),
  pair: async ({ base }, use) =>
    use(async () => {
      const [ann, bob] = [await signUp(base, 'ann'), await signUp(base, 'bob')]
      await befriend(base, ann, bob)
      return [ann, bob]
    }),
  screenOf: async ({ base, engineBrowser }, use, info) => {
    const screens: Screen[] = []
    await use(async (person, origin = base) => {
      const tab = await engineBrowser.open()
      const screen = new Screen(tab)
      screens.push(screen)
      if (person !== null) {
        // A page of this origin that runs no code of the app.
        await tab.load(`${origin}/favicon.svg`)
        await tab.run((entries) => {
          for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value)
        }, entriesOf(person.session))
      }
      return screen
    })
    for (const [index, { tab }] of screens.entries()) {
      if (info.status !== info.expectedStatus)
        await writeFile(info.outputPath(`screen-${index}.png`), await tab.picture())
      await tab.close()
    }
  },
})

export { expect }
