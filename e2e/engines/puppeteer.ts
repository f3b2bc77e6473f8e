import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core'
import { chromiumPath, drawingArgs, lightArgs } from '../chromium.ts'
import type { EngineBrowser, EngineTab } from './browser.ts'
import type { Display } from './display.ts'
import { firefoxPath } from './installed.ts'

/** Starts Chromium, which draws the map without a screen too. */
export async function startChromium(): Promise<EngineBrowser> {
  const browser = await puppeteer.launch({
    executablePath: chromiumPath() ?? '/usr/bin/chromium',
    args: [...drawingArgs, ...lightArgs, '--lang=en-US', '--force-prefers-reduced-motion'],
    env: { ...process.env, TZ: 'America/New_York', LANGUAGE: 'en_US' },
  })
  return browserOf(browser)
}

/** Starts Firefox through WebDriver BiDi. Without a screen it has no WebGL. */
export async function startFirefox(display: Display): Promise<EngineBrowser> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefoxPath,
    headless: false,
    env: display.env,
    extraPrefsFirefox: {
      'webgl.force-enabled': true,
      'ui.prefersReducedMotion': 1,
      'intl.accept_languages': 'en-US',
    },
  })
  return browserOf(browser)
}

function browserOf(browser: Browser): EngineBrowser {
  return {
    async open() {
      const context = await browser.createBrowserContext()
      const page = await context.newPage()
      await page.setViewport({ width: 390, height: 844 })
      return tabOf(page, () => context.close())
    },
    close: () => browser.close(),
  }
}

function tabOf(page: Page, close: () => Promise<void>): EngineTab {
  return {
    async load(address) {
      await page.goto(address, { waitUntil: 'load' })
    },
    async reload() {
      await page.reload({ waitUntil: 'load' })
    },
    run: (body, ...args) => page.evaluate(body as unknown as (...args: unknown[]) => never, ...args),
    async script(source) {
      await page.evaluate(source)
    },
    tap: (x, y) => page.mouse.click(x, y),
    hover: (x, y) => page.mouse.move(x, y),
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    async paste() {
      await page.keyboard.down('Control')
      await page.keyboard.press('v', { commands: ['Paste'] })
      await page.keyboard.up('Control')
    },
    async choose(selector, path) {
      const input = await page.$(selector)
      if (input === null) throw new Error(`There is no ${selector}`)
      await (input as ElementHandle<HTMLInputElement>).uploadFile(path)
    },
    picture: async () => Buffer.from(await page.screenshot()),
    close,
  }
}
