import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { emptyMap, lightenPages } from './light-page.ts'
import { bridgeScript, type Platform, platformHeaders, pluginHeaders } from './native-plugins.ts'

/** A message over the bridge from the page to the phone. */
interface Call {
  readonly callbackId: string
  readonly pluginId: string
  readonly methodName: string
  readonly options: Record<string, unknown>
}

type Answer = (options: Record<string, unknown>) => unknown

/** An error with which a plugin rejects a call. */
export class NativeError extends Error {
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

/**
 * Emulates the native side of the packaged app. The bridge is Capacitor's own script and the plugin headers are those of the
 * installed plugins, but this class provides the results of plugin calls. It does not emulate a device.
 */
export class NativePhone {
  readonly platform: Platform
  /** The preferences that the system stores between starts of the app. */
  readonly preferences = new Map<string, string>()
  readonly keyStore = new Map<string, string>()
  /** The link that launches the app. */
  launchUrl: string | null = null
  /** The actual addresses of servers, by the origin that the app uses. */
  readonly hosts = new Map<string, string>()
  readonly calls: Call[] = []
  readonly #browser: Browser
  readonly #answers = new Map<string, Answer>()
  readonly #listeners: { plugin: string; event: string; callbackId: string }[] = []
  #context: BrowserContext | null = null
  #page: Page | null = null

  constructor(browser: Browser, platform: Platform = 'android') {
    this.#browser = browser
    this.platform = platform
    this.answer('App.getLaunchUrl', () => (this.launchUrl === null ? undefined : { url: this.launchUrl }))
    this.answer('App.minimizeApp', () => undefined)
    this.answer('SplashScreen.hide', () => undefined)
    this.answer('SystemBars.setStyle', () => undefined)
    this.answer('Preferences.get', ({ key }) => ({ value: this.preferences.get(String(key)) ?? null }))
    this.answer('Preferences.set', ({ key, value }) => void this.preferences.set(String(key), String(value)))
    this.answer('SecureStorage.internalGetItem', ({ prefixedKey }) => ({
      data: this.keyStore.get(String(prefixedKey)) ?? null,
    }))
    this.answer(
      'SecureStorage.internalSetItem',
      ({ prefixedKey, data }) => void this.keyStore.set(String(prefixedKey), String(data)),
    )
    this.answer('SecureStorage.internalRemoveItem', ({ prefixedKey }) => ({
      success: this.keyStore.delete(String(prefixedKey)),
    }))
  }

  answer(method: string, answer: Answer): void {
    this.#answers.set(method, answer)
  }

  /**
   * Restarts the app, as after the user closed it. Memory is cleared and stored data stays. The app starts on Home or,
   * like after a reload, on the screen at `path`.
   */
  async start(options: BrowserContextOptions = {}, path = '/'): Promise<Page> {
    await this.stop()
    this.#listeners.length = 0
    this.calls.length = 0
    this.#context = await this.#browser.newContext({ serviceWorkers: 'allow', ...options })
    // A browser asks for this permission before a page may call a server on the same machine. Older versions do not know it.
    await this.#context.grantPermissions(['local-network-access']).catch(() => undefined)
    await this.#context.exposeBinding('toPhone', ({ page }, message: Call | string) =>
      this.#receive(page, typeof message === 'string' ? (JSON.parse(message) as Call) : message),
    )
    await this.#context.addInitScript(this.#bridge())
    await this.#context.route('https://localhost/**', async (route) => {
      const { body, contentType } = await packed(new URL(route.request().url()).pathname)
      await route.fulfill({ body, contentType })
    })
    await lightenPages(this.#context)
    await emptyMap(this.#context)
    for (const [origin, base] of this.hosts)
      await this.#context.route(`${origin}/**`, async (route) => {
        try {
          await route.fulfill({ response: await route.fetch({ url: route.request().url().replace(origin, base) }) })
        } catch (error) {
          // The page may have been closed meanwhile.
          if (!/disposed|closed/.test(String(error))) throw error
        }
      })
    this.#page = await this.#context.newPage()
    await this.#page.goto(`https://localhost${path}`)
    return this.#page
  }

  async stop(): Promise<void> {
    await this.#context?.close()
    this.#context = null
  }

  /** Sends an event of a plugin to the page. Throws if the page has no listener for it. */
  async emit(plugin: string, event: string, data: unknown): Promise<void> {
    const listening = this.#listeners.filter((listener) => listener.plugin === plugin && listener.event === event)
    if (listening.length === 0) throw new Error(`Nobody listens to ${event} of ${plugin}`)
    for (const { callbackId } of listening)
      await this.#send({ callbackId, pluginId: plugin, methodName: 'addListener', success: true, save: true, data })
  }

  /** The options of all calls of a method so far. */
  asked(method: string): Record<string, unknown>[] {
    return this.calls
      .filter(({ pluginId, methodName }) => `${pluginId}.${methodName}` === method)
      .map(({ options }) => options)
  }

  async #receive(page: Page, call: Call): Promise<void> {
    const { callbackId, pluginId, methodName, options } = call
    this.calls.push(call)
    if (methodName === 'addListener') {
      this.#listeners.push({ plugin: pluginId, event: String(options['eventName']), callbackId })
      return
    }
    const result = { callbackId, pluginId, methodName, save: false }
    try {
      const answer = this.#answers.get(`${pluginId}.${methodName}`)
      if (answer === undefined) throw new NativeError(`"${pluginId}.${methodName}()" was not expected`, 'UNEXPECTED')
      const data = await answer(options)
      await this.#send({ ...result, success: true, ...(data !== undefined && { data }) }, page)
    } catch (error) {
      const { message, code } = error as NativeError
      await this.#send({ ...result, success: false, error: { message, ...(code !== undefined && { code }) } }, page)
    }
  }

  /** Sends the result of a call. Android returns it through the called object, iOS runs a script. */
  async #send(result: unknown, page = this.#page): Promise<void> {
    const script =
      this.platform === 'android'
        ? `androidBridge.onmessage({ data: ${JSON.stringify(JSON.stringify(result))} })`
        : `Capacitor.fromNative(${JSON.stringify(result)})`
    // The page may have been closed.
    await page?.evaluate(script).catch(() => undefined)
  }

  #bridge(): string {
    const headers = [...platformHeaders(this.platform), ...pluginHeaders(this.platform)]
    const port =
      this.platform === 'android'
        ? 'window.androidBridge = { postMessage: (text) => void toPhone(text) }'
        : 'window.webkit = { messageHandlers: { bridge: { postMessage: (call) => void toPhone(call) } } }'
    return [
      'window.Capacitor = { DEBUG: false, isLoggingEnabled: false, Plugins: {} }',
      port,
      bridgeScript,
      `window.Capacitor.PluginHeaders = ${JSON.stringify(headers)}`,
    ].join(';\n')
  }
}

const dist = fileURLToPath(new URL('../web/dist/', import.meta.url))

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
}

/** Serves a file of the app as the native shell does. A path without a file extension is a screen. */
async function packed(path: string): Promise<{ body: Buffer; contentType: string }> {
  const name = extname(path) === '' ? '/index.html' : path
  return { body: await readFile(join(dist, name)), contentType: types[extname(name)] ?? 'application/octet-stream' }
}
