import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T12:00:00.000Z') })
  vi.resetModules()
})
afterEach(() => vi.useRealTimers())

test('the offset becomes more exact with each response, although the header is truncated to the second', async () => {
  const { noteServerDate, serverNow } = await import('./server-time.ts')
  const aheadMs = 90_400
  for (const [elapsedMs, travelMs] of [
    [0, 300],
    [1370, 40],
    [900, 60],
    [1250, 30],
    [1610, 20],
  ] as const) {
    vi.advanceTimersByTime(elapsedMs)
    const sentAtMs = Date.now()
    vi.advanceTimersByTime(travelMs / 2)
    const header = new Date(Date.now() + aheadMs).toUTCString()
    vi.advanceTimersByTime(travelMs / 2)
    noteServerDate(header, sentAtMs, Date.now())
  }
  expect(Math.abs(serverNow() - Date.now() - aheadMs)).toBeLessThan(300)
})

test('a changed clock resets the offset at once', async () => {
  const { noteServerDate, serverNow } = await import('./server-time.ts')
  noteServerDate(new Date(Date.now()).toUTCString(), Date.now(), Date.now())
  noteServerDate(new Date(Date.now() + 3_600_000).toUTCString(), Date.now(), Date.now())
  expect(Math.abs(serverNow() - Date.now() - 3_600_000)).toBeLessThanOrEqual(500)
})

test('a response without a Date header changes nothing', async () => {
  const { noteServerDate, serverNow } = await import('./server-time.ts')
  noteServerDate(null, Date.now(), Date.now())
  expect(serverNow()).toBe(Date.now())
})
