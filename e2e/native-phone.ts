import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page } from '@playwright/test'
import { bridgeScript, type Platform, platformHeaders, pluginHeaders } from './native-plugins.ts'

/** What goes over the bridge towards the phone. */
interface Call {
  readonly callbackId: string
  readonly pluginId: string
  readonly methodName: string
  readonly options: Record<string, unknown>
}

type Answer = (options: Record<string, unknown>) => unknown

/** Rejects the call as a plugin does. */
export class NativeError extends Error {
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

/**
 * Stands in for a phone with the app on it: the bridge is Capacitor's own script, the plugins are those that are installed,
 * and what they answer is written here. It emulates the bridge; it is no device.
 */
export class NativePhone {
  readonly platform: Platform
  /** What the system keeps of the app from one start to the next. */
  readonly preferences = new Map<string, string>()
  readonly keyStore = new Map<string, string>()
  /** The link that the app is started with. */
  launchUrl: string | null = null
  /** Servers that stand elsewhere than their address says. */
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

  /** Starts the app anew, as after it was swept away: what is in memory is gone, what the system keeps is not. */
  async start(options: BrowserContextOptions = {}): Promise<Page> {
    await this.stop()
    this.#listeners.length = 0
    this.calls.length = 0
    this.#context = await this.#browser.newContext({ serviceWorkers: 'allow', ...options })
    // In a browser this page would have to ask before it speaks to a server on the same machine; in older ones not.
    await this.#context.grantPermissions(['local-network-access']).catch(() => undefined)
    await this.#context.exposeBinding('toPhone', ({ page }, message: Call | string) =>
      this.#receive(page, typeof message === 'string' ? (JSON.parse(message) as Call) : message),
    )
    await this.#context.addInitScript(this.#bridge())
    await this.#context.route('https://localhost/**', async (route) => {
      const { body, contentType } = await packed(new URL(route.request().url()).pathname)
      await route.fulfill({ body, contentType })
    })
    for (const [origin, base] of this.hosts)
      await this.#context.route(`${origin}/**`, async (route) => {
        const response = await route.fetch({ url: route.request().url().replace(origin, base) })
        // The page may have gone meanwhile, and with it the answer.
        await route.fulfill({ response }).catch((error: Error) => {
          if (!/disposed|closed/.test(error.message)) throw error
        })
      })
    this.#page = await this.#context.newPage()
    await this.#page.goto('https://localhost/')
    return this.#page
  }

  async stop(): Promise<void> {
    await this.#context?.close()
    this.#context = null
  }

  /** Tells the page that something happened, as long as it listens. */
  async emit(plugin: string, event: string, data: unknown): Promise<void> {
    const listening = this.#listeners.filter((listener) => listener.plugin === plugin && listener.event === event)
    if (listening.length === 0) throw new Error(`Nobody listens to ${event} of ${plugin}`)
    for (const { callbackId } of listening)
      await this.#send({ callbackId, pluginId: plugin, methodName: 'addListener', success: true, save: true, data })
  }

  /** What was asked of one method so far. */
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

  /** Android answers through the object that was called, iOS by running a script. */
  async #send(result: unknown, page = this.#page): Promise<void> {
    const script =
      this.platform === 'android'
        ? `androidBridge.onmessage({ data: ${JSON.stringify(JSON.stringify(result))} })`
        : `Capacitor.fromNative(${JSON.stringify(result)})`
    // A page that is gone hears nothing.
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

/** As the shell serves its own files: a path without an ending is a screen. */
async function packed(path: string): Promise<{ body: Buffer; contentType: string }> {
  const name = extname(path) === '' ? '/index.html' : path
  return { body: await readFile(join(dist, name)), contentType: types[extname(name)] ?? 'application/octet-stream' }
}
