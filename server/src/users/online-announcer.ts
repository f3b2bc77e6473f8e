import { setTimeout as pause } from 'node:timers/promises'
import type { UserId } from '@hither/contract/ids.ts'
import { type Backoff, backoffMs } from '../platform/async/backoff.ts'

/** Announces who came online or went offline. */
interface OnlineAnnouncer {
  /** Announces the status of the user at once, or after the pause if it was announced just before. */
  announce(userId: UserId): void
  /** Announces at once what waits for a pause, and resolves when that has ended. Failures are no longer retried. */
  stop(): Promise<void>
}

/**
 * `announceStatus` announces the current status of a user. It runs once at a time for each user. After a pause it runs again
 * if the status has changed in the meantime, or if it failed: a client that comes and goes many times a second costs one
 * announcement a second, and the last one has the last status.
 */
export function createOnlineAnnouncer(
  announceStatus: (userId: UserId) => Promise<void>,
  onError: (error: unknown) => void,
  pauses: Backoff = { firstMs: 1000, maxMs: 30_000 },
): OnlineAnnouncer {
  const due = new Set<UserId>()
  const running = new Map<UserId, Promise<void>>()
  const stopping = new AbortController()

  return {
    announce(userId) {
      due.add(userId)
      if (!running.has(userId)) running.set(userId, run(userId))
    },
    async stop() {
      stopping.abort()
      await Promise.all(running.values())
    },
  }

  async function run(userId: UserId): Promise<void> {
    let failures = 0
    while (due.delete(userId)) {
      try {
        await announceStatus(userId)
        failures = 0
      } catch (error) {
        onError(error)
        failures++
        if (!stopping.signal.aborted) due.add(userId)
      }
      const pauseMs = backoffMs(failures + 1, pauses)
      // Rejects when the announcer stops.
      await pause(pauseMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
    }
    running.delete(userId)
  }
}
