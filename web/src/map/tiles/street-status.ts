import { loading } from '../map-defaults.ts'
import type { TilesError } from './tile-json.ts'

export type FailureReason = TilesError['reason']

/** The state of the street maps. `attempt` starts at 1. */
export type StreetStatus =
  | { phase: 'loading' | 'waiting' | 'ready'; attempt: number }
  | { phase: 'failed'; attempt: number; reason: FailureReason }

export type StreetEvent = { type: 'failed'; reason: FailureReason } | { type: 'due' | 'loaded' | 'complete' | 'retry' }

export const attempts = loading.retries + 1
export const atFirst: StreetStatus = { phase: 'loading', attempt: 1 }

/** Returns the next state. A refused key is not retried automatically, because the server would refuse it again. */
export function nextStatus(status: StreetStatus, event: StreetEvent): StreetStatus {
  switch (event.type) {
    case 'retry':
      return atFirst
    case 'loaded':
      return status.phase === 'loading' ? { phase: 'ready', attempt: status.attempt } : status
    case 'complete':
      // The attempts are reset only when no tile is missing any more.
      return status.phase === 'ready' && status.attempt > 1 ? { phase: 'ready', attempt: 1 } : status
    case 'due':
      return status.phase === 'waiting' ? { phase: 'loading', attempt: status.attempt } : status
    case 'failed':
      // Many tiles fail at once, which counts as one failure.
      if (status.phase === 'failed' || (status.phase === 'waiting' && event.reason !== 'key')) return status
      return event.reason === 'key' || status.attempt >= attempts
        ? { phase: 'failed', attempt: status.attempt, reason: event.reason }
        : { phase: 'waiting', attempt: status.attempt + 1 }
  }
}
