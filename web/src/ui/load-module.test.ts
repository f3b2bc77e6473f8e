import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const loadTexts = vi.hoisted(() => vi.fn(async () => undefined))
vi.mock('../i18n/texts.ts', () => ({ loadTexts }))

const failure = new TypeError('Failed to fetch dynamically imported module')
const reload = vi.fn()
const answer = vi.fn(async () => ({ ok: true }))
let isOnline: boolean
let stored: Map<string, string>

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) })
  isOnline = true
  stored = new Map()
  reload.mockClear()
  loadTexts.mockClear()
  answer.mockReset().mockResolvedValue({ ok: true })
  vi.stubGlobal('fetch', answer)
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('navigator', {
    get onLine() {
      return isOnline
    },
  })
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a module that loads is returned after one attempt', async () => {
  const load = vi.fn(async () => 'module')
  const { loadModule } = await newPage()
  await expect(loadModule(load)).resolves.toBe('module')
  expect(load).toHaveBeenCalledTimes(1)
})

test('the code of a module runs after its texts have been loaded, and the texts are requested again if they fail', async () => {
  const load = vi.fn(async () => 'module')
  loadTexts.mockRejectedValueOnce(failure)
  const { loadModule } = await newPage()
  const loading = loadModule(load, 'home')
  await vi.advanceTimersByTimeAsync(299)
  expect(load).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  await expect(loading).resolves.toBe('module')
  expect(loadTexts.mock.calls).toEqual([['home'], ['home']])
})

test('a module that fails once is loaded again after 300 ms', async () => {
  const load = vi.fn(async () => 'module').mockRejectedValueOnce(failure)
  const { loadModule } = await newPage()
  const loading = loadModule(load)
  await vi.advanceTimersByTimeAsync(299)
  expect(load).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  await expect(loading).resolves.toBe('module')
  expect(load).toHaveBeenCalledTimes(2)
  expect(reload).not.toHaveBeenCalled()
})

test('modules that fail three times while the server answers reload the page once and stay pending', async () => {
  const { loadModule } = await newPage()
  const settled = vi.fn()
  for (const _part of ['one', 'two']) loadModule(fail).then(settled, settled)
  await vi.advanceTimersByTimeAsync(1000)
  expect(reload).toHaveBeenCalledTimes(1)
  expect(settled).not.toHaveBeenCalled()
})

test('a module that fails while the server starts is loaded once it answers, without reloading the page', async () => {
  const load = vi
    .fn(async () => 'module')
    .mockRejectedValueOnce(failure)
    .mockRejectedValueOnce(failure)
  const { loadModule } = await newPage()
  const loading = loadModule(load)
  await vi.advanceTimersByTimeAsync(300)
  await expect(loading).resolves.toBe('module')
  expect(reload).not.toHaveBeenCalled()
})

test('the page is not reloaded again within 60 seconds', async () => {
  const before = await newPage()
  void before.loadModule(fail)
  await vi.advanceTimersByTimeAsync(300)
  expect(reload).toHaveBeenCalledTimes(1)

  await vi.advanceTimersByTimeAsync(59_000)
  const after = await newPage()
  const second = expect(after.loadModule(fail)).rejects.toBe(failure)
  await vi.advanceTimersByTimeAsync(300)
  await second
  expect(reload).toHaveBeenCalledTimes(1)

  await vi.advanceTimersByTimeAsync(700)
  void after.loadModule(fail)
  await vi.advanceTimersByTimeAsync(300)
  expect(reload).toHaveBeenCalledTimes(2)
})

test('a module that fails while the browser is offline is rejected', async () => {
  isOnline = false
  const { loadModule } = await newPage()
  const loading = expect(loadModule(fail)).rejects.toBe(failure)
  await vi.advanceTimersByTimeAsync(300)
  await loading
  expect(reload).not.toHaveBeenCalled()
})

test('a module that fails while the server does not answer is rejected', async () => {
  answer.mockRejectedValue(new TypeError('Failed to fetch'))
  const { loadModule } = await newPage()
  const loading = expect(loadModule(fail)).rejects.toBe(failure)
  await vi.advanceTimersByTimeAsync(300)
  await loading
  expect(reload).not.toHaveBeenCalled()
})

test('the page is not reloaded where the time of the reload cannot be stored', async () => {
  vi.stubGlobal('sessionStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('storage is disabled', 'SecurityError')
    },
  })
  const { loadModule } = await newPage()
  const loading = expect(loadModule(fail)).rejects.toBe(failure)
  await vi.advanceTimersByTimeAsync(300)
  await loading
  expect(reload).not.toHaveBeenCalled()
})

test('a part of a screen that fails to load without a network is loaded when there is one', async () => {
  isOnline = false
  const events = new EventTarget()
  vi.stubGlobal('window', events)
  const load = vi
    .fn(async () => 'module')
    .mockRejectedValueOnce(failure)
    .mockRejectedValueOnce(failure)
  const { loadPart } = await newPage()
  const settled = vi.fn()
  const loading = loadPart(load)
  loading.then(settled, settled)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(settled).not.toHaveBeenCalled()

  isOnline = true
  events.dispatchEvent(new Event('online'))
  await expect(loading).resolves.toBe('module')
  expect(reload).not.toHaveBeenCalled()
})

test('a part of a screen that fails to load while the server does not answer is loaded when it answers', async () => {
  answer.mockRejectedValue(new TypeError('Failed to fetch'))
  const load = vi.fn(fail)
  const { loadPart } = await newPage()
  const loading = loadPart<string>(load)
  await vi.advanceTimersByTimeAsync(20_000)
  load.mockImplementation((async () => 'module') as () => Promise<never>)
  await vi.advanceTimersByTimeAsync(5300)
  await expect(loading).resolves.toBe('module')
  expect(reload).not.toHaveBeenCalled()
})

test('a part of a screen that cannot be loaded with a network is rejected like a screen', async () => {
  stored.set('reloaded_at', String(Date.now()))
  const { loadPart } = await newPage()
  const loading = expect(loadPart(fail)).rejects.toBe(failure)
  await vi.advanceTimersByTimeAsync(300)
  await loading
})

async function fail(): Promise<never> {
  throw failure
}

/** The module as a newly loaded page has it. */
async function newPage() {
  vi.resetModules()
  return await import('./load-module.ts')
}
