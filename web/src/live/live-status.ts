import { useSyncExternalStore } from 'react'
import { serverNow } from '../api/server-time.ts'

export type LiveStatus = 'connecting' | 'live' | 'offline'

interface State {
  status: LiveStatus
  /** When what is on screen was last known to be complete; null before the first connection. */
  liveUntilMs: number | null
}

let state: State = { status: 'connecting', liveUntilMs: null }
const listeners = new Set<() => void>()

export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(subscribe, () => state.status)
}

/** Since when the app has been offline, or null while it is not. */
export function useOfflineSince(): number | null {
  return useSyncExternalStore(subscribe, () => (state.status === 'offline' ? (state.liveUntilMs ?? startedMs) : null))
}

export function setLiveStatus(status: LiveStatus) {
  if (status === state.status) return
  const liveUntilMs = state.status === 'live' ? serverNow() : state.liveUntilMs
  state = { status, liveUntilMs }
  for (const listener of [...listeners]) listener()
}

/** What is on screen at the start is from an earlier visit. */
export function setKnownUntil(ms: number) {
  state = { ...state, liveUntilMs: state.liveUntilMs ?? ms }
}

export function liveStatus(): LiveStatus {
  return state.status
}

const startedMs = Date.now()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
