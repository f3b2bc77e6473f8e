import { type SessionId, type UserId } from '@hither/contract/ids.ts'
import { type Caller } from '../auth/tokens.ts'
import { type Bus } from '../platform/bus.ts'
import { type Resumption } from '../platform/events/resumption.ts'
import { createBindingBudget } from './binding-budget.ts'
import { type Binding } from './bindings.ts'
import { catchUp } from './catch-up.ts'
import { createFeed, type Feed, type FeedOf } from './feed.ts'
import { type Hub } from './hub.ts'

export const feedLimits = {
  /** How long what happens is kept for a client whose socket is gone. */
  windowMs: 120_000,
  waitingPerPersonMax: 50,
  waitingMax: 50_000,
} as const

/** The user has as many subscriptions as one user may have. */
export class TooManyBindings extends Error {
  override name = 'TooManyBindings'
}

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
  /** Once it resolves, what other nodes say is heard as well. `false` where the app may have missed something. Never rejects. */
  readonly ready: Promise<boolean>
  /** Its channel is gone. Unless it is to be forgotten, it listens on for the window, for a client that gave its id. */
  release(mode: 'keep' | 'forget'): void
}

/** The subscriptions of this node: those with a channel, and those that wait for their client to come back. */
export interface Feeds {
  /** Ends disconnected subscriptions of the user where they exceed the budget. Throws `TooManyBindings` if it is still exceeded. */
  open(request: FeedRequest): OpenFeed
  /** To be called every few seconds: gives up those that have waited for too long, and lets the other nodes know how far all came. */
  sweep(): void
  endSessions(sessionIds: ReadonlySet<SessionId>): void
  /** Durable events may have been missed: nobody who is away can resume without reading everything again. */
  forgetWaiting(): void
}

interface Kept {
  readonly feed: Feed
  readonly userId: UserId
  readonly key: string | null
  readonly clientId: string | null
  readonly topic: string
  readonly signature: string
  readonly bindings: readonly Binding[]
  readonly ready: Promise<boolean>
  sessionId: SessionId
  /** Since when its client is away. */
  waitsSince: number | null
  /** From where its client is to be told all, as long as it has acknowledged nothing. */
  start: string | null
  /** What its client had handled when it came from another node. */
  acknowledged: string | null
  /** Whether it has caught up with what was told at other nodes. */
  isSettled: boolean
  /** Whether, before that, durable events may have been missed. */
  hasMissed: boolean
  isDropped: boolean
}

interface FeedsDeps {
  readonly hub: Hub
  readonly bus: Bus
  /** `null` where there is no other node. */
  readonly resumption: Resumption | null
  readonly now: () => Date
  /** Resume positions cannot be read or stored at present. */
  readonly onError: (error: unknown) => void
}

export function createFeeds({ hub, bus, resumption, now, onError }: FeedsDeps): Feeds {
  /** By key, the newest of each. */
  const current = new Map<string, Kept>()
  /** The longest waiting first, of everyone and of each. */
  const waiting = new Set<Kept>()
  const waitingOf = new Map<UserId, Set<Kept>>()
  const budget = createBindingBudget()

  return {
    open(request) {
      const { caller, clientId, resumeAfter, topic } = request
      const key = clientId === null ? null : JSON.stringify([caller.userId, clientId, topic])
      const signature = JSON.stringify([request.vsn, request.bindings.map(({ id }) => id)])
      const before = key === null ? undefined : current.get(key)
      const canResume = before !== undefined && before.signature === signature && before.isSettled && !isOver(before)
      if (!(canResume && before.waitsSince !== null)) assertRoom(caller.userId, request.bindings, before)
      const kept = canResume ? takeUp(before, request) : keep(request, key, signature)
      if (before && before !== kept && before.waitsSince !== null) drop(before)
      let isReleased = false
      return {
        feed: kept.feed,
        ready: canResume ? resume(kept, resumeAfter) : kept.ready,
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
      keepPlaces()
    },
    endSessions(sessionIds) {
      for (const kept of [...waiting]) if (sessionIds.has(kept.sessionId)) drop(kept)
    },
    forgetWaiting() {
      for (const kept of [...waiting]) drop(kept)
      for (const kept of current.values()) if (!kept.isSettled) kept.hasMissed = true
    },
  }

  async function resume(kept: Kept, after: string | null | undefined): Promise<boolean> {
    await kept.ready
    // What the client names may have been delivered to it by another node, and not yet here.
    await resumption?.catchUp().catch(onError)
    return kept.feed.log.rewind(after)
  }

  function assertRoom(userId: UserId, bindings: readonly Binding[], resumable: Kept | undefined): void {
    // What the request itself replaces goes first; then the subscriptions that have waited longest.
    const own = [...(waitingOf.get(userId) ?? [])]
    for (const kept of own.toSorted((a, b) => Number(b === resumable) - Number(a === resumable)))
      if (!budget.hasRoom(userId, bindings)) drop(kept)
    if (!budget.hasRoom(userId, bindings)) throw new TooManyBindings()
  }

  function takeUp(before: Kept, request: FeedRequest): Kept {
    if (before.waitsSince !== null) {
      endWait(before)
      before.sessionId = request.caller.sessionId
      return before
    }
    // Its old socket is not yet known to be gone, or belongs to a copy of the tab: that one goes on by itself.
    const feed = createFeed(keyed(request), before.feed.log.copy())
    hub.add(before.userId, feed)
    const ready = bus.watch(before.userId).then(() => true)
    return enlist({ ...before, feed, ready, sessionId: request.caller.sessionId })
  }

  /** Where it was at another node, it goes on from there. */
  function keep(request: FeedRequest, key: string | null, signature: string): Kept {
    const { caller, clientId, topic } = request
    const { userId, sessionId } = caller
    const feed = createFeed(keyed(request))
    const watched = bus.watch(userId)
    const state = { waitsSince: null, start: null, acknowledged: null, hasMissed: false, isDropped: false }
    const { bindings } = request
    const kept = { feed, userId, key, clientId, topic, signature, bindings, sessionId, ...state }
    if (resumption === null || clientId === null) {
      feed.log.owe()
      hub.add(userId, feed)
      return enlist({ ...kept, isSettled: true, ready: watched.then(() => false) })
    }
    const deps = { hub, resumption, feed, isDropped: () => entry.isDropped, onError }
    const resuming = { userId, clientId, topic, signature, after: request.resumeAfter }
    const ready = catchUp(deps, resuming).then(({ isComplete, start, acknowledged }) => {
      entry.start = start
      entry.acknowledged = acknowledged
      entry.isSettled = true
      if (isComplete && entry.hasMissed) feed.log.owe()
      return isComplete && !entry.hasMissed
    })
    const entry = enlist({ ...kept, isSettled: false, ready })
    return entry
  }

  function enlist(kept: Kept): Kept {
    budget.add(kept.userId, kept.bindings)
    if (kept.key !== null) current.set(kept.key, kept)
    return kept
  }

  function keepPlaces(): void {
    if (resumption === null) return
    const positions = [...current.values()].flatMap((kept) => {
      const { userId, clientId, topic, signature, waitsSince, feed, start, acknowledged } = kept
      // Whoever is away is waited for until a time that nothing puts off; what was cut or lost is not known to have arrived.
      if (clientId === null || waitsSince !== null || !kept.isSettled || feed.log.isShort()) return []
      const { ackedCursor } = feed.log
      const position = (feed.log.isEmpty() ? resumption.position() : ackedCursor) ?? start
      if (position === null) return []
      return [
        {
          userId,
          clientId,
          topic,
          signature,
          position,
          lastAcknowledged: ackedCursor ?? acknowledged,
          owesResync: false,
        },
      ]
    })
    if (positions.length > 0) resumption.save(positions).catch(onError)
  }

  function release(kept: Kept, mode: 'keep' | 'forget'): void {
    if (mode === 'forget' || kept.key === null || current.get(kept.key) !== kept) {
      const { userId, clientId, topic } = kept
      if (mode === 'forget' && clientId !== null) resumption?.remove({ userId, clientId, topic }).catch(onError)
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
    if (!kept.isDropped) budget.remove(kept.userId, kept.bindings)
    kept.isDropped = true
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
