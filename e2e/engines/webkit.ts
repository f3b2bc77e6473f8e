import { Builder, By, Key as Keys, Origin, type WebDriver } from 'selenium-webdriver'
import { freePort } from '../../server/test/free-port.ts'
import type { EngineBrowser, EngineTab, Key } from './browser.ts'
import type { Display } from './display.ts'
import { miniBrowserPath, webkitDriverPath } from './installed.ts'

/** Starts the WebDriver of WebKitGTK. Every tab is a browser of its own. */
export async function startWebKit(display: Display): Promise<EngineBrowser> {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  display.start(webkitDriverPath, [`--port=${port}`])
  await untilReady(`${address}/status`)
  return {
    async open() {
      const driver = await new Builder()
        .usingServer(address)
        .withCapabilities({
          browserName: 'MiniBrowser',
          'webkitgtk:browserOptions': { binary: miniBrowserPath, args: ['--automation'] },
          unhandledPromptBehavior: 'ignore',
        })
        .build()
      await driver.manage().setTimeouts({ script: 120_000, pageLoad: 120_000 })
      // The window is as narrow as its toolbar lets it be.
      await driver.manage().window().setRect({ x: 0, y: 0, width: 390, height: 900 })
      return tabOf(driver)
    },
    close: () => display.close(),
  }
}

async function untilReady(address: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      if ((await fetch(address)).ok) return
    } catch (error) {
      if (tries > 200) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const keys: Record<Key, string> = {
  Enter: Keys.ENTER,
  Tab: Keys.TAB,
  ArrowRight: Keys.ARROW_RIGHT,
}

function tabOf(driver: WebDriver): EngineTab {
  const type = (text: string) => driver.actions({ async: true }).sendKeys(text).perform()
  const move = (x: number, y: number) =>
    driver.actions({ async: true }).move({ x: Math.round(x), y: Math.round(y), origin: Origin.VIEWPORT, duration: 0 })
  return {
    load: (address) => driver.get(address),
    reload: () => driver.navigate().refresh(),
    run: (body, ...args) => driver.executeScript(`return (${body.toString()})(...arguments)`, ...args),
    script: (source) => driver.executeScript(source),
    tap: (x, y) => move(x, y).press().release().perform(),
    hover: (x, y) => move(x, y).perform(),
    type,
    press: (key) => type(keys[key]),
    paste: () => driver.actions({ async: true }).keyDown(Keys.CONTROL).sendKeys('v').keyUp(Keys.CONTROL).perform(),
    choose: (selector, path) => driver.findElement(By.css(selector)).sendKeys(path),
    picture: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
    close: () => driver.quit(),
  }
}
