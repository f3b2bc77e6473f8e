import { useCallback, useSyncExternalStore } from 'react'
import { followTimeZone, shownZone, subscribeToZone } from '../i18n/time-zone.ts'

/**
 * How far the server's clock is ahead of this device's, as an interval. A Date header is truncated to the second and
 * was written between sending and receiving, so each response bounds the offset. The intersection of all intervals is
 * stored.
 */
let offset: { lowMs: number; highMs: number } | null = null

export function noteServerDate(date: string | null, sentAtMs: number, receivedAtMs: number) {
  const writtenMs = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(writtenMs)) return
  const bounds = { lowMs: writtenMs - receivedAtMs, highMs: writtenMs + 1000 - sentAtMs }
  const before = offsetMs()
  const common = offset && {
    lowMs: Math.max(offset.lowMs, bounds.lowMs),
    highMs: Math.min(offset.highMs, bounds.highMs),
  }
  // An empty intersection means that one of the clocks was set. Only the newest response counts then.
  offset = common && common.lowMs <= common.highMs ? common : bounds
  if (Math.abs(offsetMs() - before) >= 1000) refreshTickers()
}

/** Returns the server's time in Unix milliseconds. */
export function serverNow(): number {
  return Date.now() + offsetMs()
}

/** Returns the server's time, updated every `intervalMs` and at once when the tab becomes visible. */
export function useServerNow(intervalMs: number): number {
  return useServerTime(intervalMs, (nowMs) => nowMs)
}

/**
 * Returns `read(serverNow())` and renders only when the result changes, because most texts last longer than a second.
 */
export function useServerTime<T extends string | number | boolean>(intervalMs: number, read: (nowMs: number) => T): T {
  const subscribe = useCallback((listener: () => void) => subscribeToTicker(intervalMs, listener), [intervalMs])
  return useSyncExternalStore(subscribe, () => read(tickerOf(intervalMs).nowMs))
}

/** Renders a component that shows times, and no passing of time, again in another time zone. */
export function useTimeZone(): string {
  return useSyncExternalStore(subscribeToZone, shownZone)
}

function offsetMs(): number {
  return offset === null ? 0 : (offset.lowMs + offset.highMs) / 2
}

interface Ticker {
  nowMs: number
  listeners: Set<() => void>
}

const tickers = new Map<number, Ticker>()
let timer: { id: ReturnType<typeof setInterval>; periodMs: number } | null = null

function tickerOf(intervalMs: number): Ticker {
  let ticker = tickers.get(intervalMs)
  if (ticker === undefined) {
    ticker = { nowMs: serverNow(), listeners: new Set() }
    tickers.set(intervalMs, ticker)
  }
  return ticker
}

function subscribeToTicker(intervalMs: number, listener: () => void): () => void {
  const ticker = tickerOf(intervalMs)
  ticker.listeners.add(listener)
  // Other subscribers may have left this ticker almost one period old, so a new subscriber starts with the current
  // time.
  if (serverNow() - ticker.nowMs > 1000) beat(ticker)
  restartTimer()
  return () => {
    ticker.listeners.delete(listener)
    restartTimer()
  }
}

function restartTimer() {
  const intervals = [...tickers].filter(([, ticker]) => ticker.listeners.size > 0).map(([intervalMs]) => intervalMs)
  const periodMs = intervals.length === 0 ? null : Math.min(...intervals)
  if (periodMs === (timer?.periodMs ?? null)) return
  if (timer !== null) clearInterval(timer.id)
  else document.addEventListener('visibilitychange', handleVisibility)
  timer = periodMs === null ? null : { id: setInterval(beatThoseDue, periodMs), periodMs }
  if (timer === null) document.removeEventListener('visibilitychange', handleVisibility)
}

function beatThoseDue() {
  followTimeZone()
  for (const [intervalMs, ticker] of tickers) {
    // Timers fire a little early or late. Half a period of the fastest ticker is accurate enough.
    if (serverNow() - ticker.nowMs >= intervalMs - (timer?.periodMs ?? 0) / 2) beat(ticker)
  }
}

function beat(ticker: Ticker) {
  ticker.nowMs = serverNow()
  for (const listener of [...ticker.listeners]) listener()
}

function refreshTickers() {
  for (const ticker of tickers.values()) beat(ticker)
}

// The texts of the same moment differ in another zone.
subscribeToZone(refreshTickers)

function handleVisibility() {
  if (document.visibilityState === 'visible') refreshTickers()
}
