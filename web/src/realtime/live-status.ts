import { createStore, useStore } from 'zustand'
import { serverNow } from '../api/server-time.ts'

type LiveStatus = 'connecting' | 'live' | 'offline'

interface State {
  status: LiveStatus
  /** The last time at which the data on screen was complete, in milliseconds; null before the first connection. */
  liveUntilMs: number | null
}

const live = createStore<State>(() => ({ status: 'connecting', liveUntilMs: null }))

export function useLiveStatus(): LiveStatus {
  return useStore(live, ({ status }) => status)
}

/** Returns false while the app is offline: whether other users are online is then unknown. */
export function usePresenceKnown(): boolean {
  return useLiveStatus() !== 'offline'
}

/** Returns the time since which the app has been offline, or null while it is online. */
export function useOfflineSince(): number | null {
  return useStore(live, ({ status, liveUntilMs }) => (status === 'offline' ? (liveUntilMs ?? startedMs) : null))
}

export function setLiveStatus(status: LiveStatus) {
  const before = live.getState()
  if (status === before.status) return
  live.setState({ status, liveUntilMs: before.status === 'live' ? serverNow() : before.liveUntilMs })
}

/** The data that is shown at the start is from an earlier visit. */
export function setKnownUntil(ms: number) {
  live.setState(({ liveUntilMs }) => ({ liveUntilMs: liveUntilMs ?? ms }))
}

export function liveStatus(): LiveStatus {
  return live.getState().status
}

const startedMs = Date.now()
