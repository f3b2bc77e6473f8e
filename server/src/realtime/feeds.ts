import { type SessionId, type UserId } from '@hither/contract/ids.ts'
import { type Caller } from '../auth/tokens.ts'
import { type Bus } from '../platform/bus.ts'
import { createFeed, type Feed, type FeedOf } from './feed.ts'
import { type Hub } from './hub.ts'

export const feedLimits = {
  /** How long what happens is kept for a client whose socket is gone. */
  windowMs: 120_000,
  waitingPerPersonMax: 50,
  waitingMax: 50_000,
} as const

export interface FeedRequest extends Omit<FeedOf, 'keepsSent'> {
  readonly caller: Caller
  /** Names the client over all its reconnections; `null` where it asks for no resumption. */
  readonly clientId: string | null
  /** As of `JoinConfig`. */
  readonly resumeAfter: string | null | undefined
}

/** A subscription that listens already. */
export interface OpenFeed {
  readonly feed: Feed
  /** Where it is `false` the app may have missed something. */
  readonly isResumed: boolean
  /** Once it resolves, what other nodes say is heard as well. */
  readonly ready: Promise<void>
  /** Its channel is gone. Unless it is to be forgotten, it listens on for the window, for a client that gave its id. */
  release(mode: 'keep' | 'forget'): void
}

/** The subscriptions of this node: those with a channel, and those that wait for their client to come back. */
export interface Feeds {
  open(request: FeedRequest): OpenFeed
  /** To be called every few seconds: gives up those that have waited for too long. */
  sweep(): void
  endSessions(sessionIds: ReadonlySet<SessionId>): void
  /** Nobody who is away can be told all they have missed. */
  forgetWaiting(): void
}

interface Kept {
  readonly feed: Feed
  readonly userId: UserId
  readonly key: string | null
  readonly signature: string
  readonly ready: Promise<void>
  sessionId: SessionId
  /** Since when its client is away. */
  waitsSince: number | null
}

export function createFeeds({ hub, bus, now }: { hub: Hub; bus: Bus; now: () => Date }): Feeds {
  /** By key, the newest of each. */
  const current = new Map<string, Kept>()
  /** The longest waiting first, of everyone and of each. */
  const waiting = new Set<Kept>()
  const waitingOf = new Map<UserId, Set<Kept>>()

  return {
    open(request) {
      const { caller, clientId, resumeAfter, topic } = request
      const key = clientId === null ? null : JSON.stringify([caller.userId, clientId, topic])
      const signature = JSON.stringify([request.vsn, request.bindings.map(({ id }) => id)])
      const before = key === null ? undefined : current.get(key)
      const canResume = before !== undefined && before.signature === signature && !isOver(before)
      const kept = canResume ? takeUp(before, request) : keep(createFeed(keyed(request)), caller, key, signature)
      if (before && before !== kept && before.waitsSince !== null) drop(before)
      kept.sessionId = caller.sessionId
      let isReleased = false
      return {
        feed: kept.feed,
        isResumed: canResume && kept.feed.log.rewind(resumeAfter),
        ready: kept.ready,
        release(mode) {
          if (!isReleased) release(kept, mode)
          isReleased = true
        },
      }
    },
    sweep() {
      for (const kept of waiting) {
        if (!isOver(kept)) break
        drop(kept)
      }
    },
    endSessions(sessionIds) {
      for (const kept of [...waiting]) if (sessionIds.has(kept.sessionId)) drop(kept)
    },
    forgetWaiting() {
      for (const kept of [...waiting]) drop(kept)
    },
  }

  function takeUp(before: Kept, request: FeedRequest): Kept {
    if (before.waitsSince !== null) {
      endWait(before)
      return before
    }
    // Its old socket is not yet known to be gone, or belongs to a copy of the tab: that one goes on by itself.
    return keep(createFeed(keyed(request), before.feed.log.copy()), request.caller, before.key, before.signature)
  }

  function keep(feed: Feed, { userId, sessionId }: Caller, key: string | null, signature: string): Kept {
    const ready = bus.watch(userId)
    hub.add(userId, feed)
    const kept = { feed, userId, key, signature, ready, sessionId, waitsSince: null }
    if (key !== null) current.set(key, kept)
    return kept
  }

  function release(kept: Kept, mode: 'keep' | 'forget'): void {
    if (mode === 'forget' || kept.key === null || current.get(kept.key) !== kept) {
      drop(kept)
      return
    }
    kept.waitsSince = now().getTime()
    waiting.add(kept)
    const own = waitingOf.get(kept.userId) ?? new Set()
    waitingOf.set(kept.userId, own.add(kept))
    // Whoever makes up ids pushes out their own first.
    for (const [kepts, most] of [
      [own, feedLimits.waitingPerPersonMax] as const,
      [waiting, feedLimits.waitingMax] as const,
    ]) {
      const [oldest] = kepts
      if (oldest && kepts.size > most) drop(oldest)
    }
  }

  function endWait(kept: Kept): void {
    kept.waitsSince = null
    waiting.delete(kept)
    const own = waitingOf.get(kept.userId)
    own?.delete(kept)
    if (own?.size === 0) waitingOf.delete(kept.userId)
  }

  function drop(kept: Kept): void {
    endWait(kept)
    if (kept.key !== null && current.get(kept.key) === kept) current.delete(kept.key)
    hub.remove(kept.userId, kept.feed)
    bus.unwatch(kept.userId)
  }

  function isOver({ waitsSince }: Kept): boolean {
    return waitsSince !== null && now().getTime() - waitsSince >= feedLimits.windowMs
  }
}

function keyed(request: FeedRequest): FeedOf {
  return { ...request, keepsSent: request.clientId !== null }
}
