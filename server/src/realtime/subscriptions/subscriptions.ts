import type { SessionId, UserId } from '@hither/contract/ids.ts'
import type { Bus } from '../../platform/events/bus.ts'
import type { OutdatedSettings } from '../../platform/events/feed-declaration.ts'
import type { ResumePosition, Resumption, SubscriptionKey } from '../../platform/events/resumption.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { createBindingBudget } from './binding-budget.ts'
import type { BindingSet } from './binding-sets.ts'
import { catchUp } from './catch-up.ts'
import type { Hub } from './hub.ts'
import { isOutdated, Subscription, type SubscriptionOptions } from './subscription.ts'

export const subscriptionLimits = {
  /** How long, in milliseconds, changes are stored for a client whose socket is closed. */
  windowMs: 120_000,
  /**
   * How long, in milliseconds, a stored resume position of a client that receives nothing is left as it is. With the
   * interval of the sweeps and the window, this is less than the time for which the events after a position are in memory.
   */
  refreshMs: 40_000,
  waitingPerPersonMax: 50,
  waitingMax: 50_000,
} as const

/** The user already has the maximum number of subscriptions. */
export class TooManyBindings extends Error {
  override name = 'TooManyBindings'
}

interface SubscriptionRequest extends Omit<SubscriptionOptions, 'keepsSent'> {
  readonly caller: Caller
  /** Identifies the client across reconnections; `null` if it does not request resumption. */
  readonly clientId: string | null
  /** See `JoinConfig.resumeAfter`. */
  readonly resumeAfter: string | null | undefined
}

/** A subscription that already receives changes. */
export interface OpenSubscription {
  readonly subscription: Subscription
  /**
   * Resolves when the subscription also receives the changes of other nodes; to `false` if the client may have missed
   * changes. Never rejects.
   */
  readonly ready: Promise<boolean>
  /** Reports that the channel is closed. With `keep`, the subscription of a client with an id stays for the window. */
  release(mode: 'keep' | 'forget'): void
}

/** The subscriptions of this node: connected ones, and disconnected ones that wait for their client to resume. */
export interface Subscriptions {
  /**
   * Ends disconnected subscriptions of the user if they exceed the budget. Throws `TooManyBindings` if it is still
   * exceeded.
   */
  open(request: SubscriptionRequest): OpenSubscription
  /**
   * Drops subscriptions that have waited for longer than the window, and stores the resume positions that have moved or
   * are about to expire for the other nodes. The caller calls it every few seconds.
   */
  sweep(): void
  endSessions(sessionIds: ReadonlySet<SessionId>): void
  /**
   * Change events may have been lost: drops all disconnected subscriptions, and makes those resync whose join is in
   * progress.
   */
  forgetWaiting(): void
}

interface SubscriptionEntry {
  readonly subscription: Subscription
  readonly userId: UserId
  readonly key: string | null
  readonly clientId: string | null
  readonly topic: string
  readonly signature: string
  readonly bindings: BindingSet
  readonly ready: Promise<boolean>
  sessionId: SessionId
  /** When the client disconnected, in Unix milliseconds; `null` while it is connected. */
  waitsSince: number | null
  /** The position from which the client receives changes, as long as it has acknowledged none. */
  start: string | null
  /** The last change that the client had handled when it came from another node. */
  acknowledged: string | null
  /** What is stored for the other nodes: when it was stored, and its last acknowledged change; `null` if unknown. */
  stored: { readonly at: number; readonly cursor: string | null } | null
  /** Whether the subscription has caught up with the events of other nodes. */
  isSettled: boolean
  isDropped: boolean
}

interface SubscriptionsDeps extends OutdatedSettings {
  readonly hub: Hub
  readonly bus: Bus
  /** `null` on a single node. */
  readonly resumption: Resumption | null
  readonly now: () => Date
  /** Called if resume positions cannot be read or stored. */
  readonly onError: (error: unknown) => void
}

export function createSubscriptions({
  hub,
  bus,
  resumption,
  now,
  placeKeepMs,
  onError,
}: SubscriptionsDeps): Subscriptions {
  /** The newest subscription of each key. */
  const current = new Map<string, SubscriptionEntry>()
  /** The disconnected subscriptions, oldest first: all of them, and those of each user. */
  const waiting = new Set<SubscriptionEntry>()
  const waitingOf = new Map<UserId, Set<SubscriptionEntry>>()
  const budget = createBindingBudget()
  /** How often change events may have been lost. */
  let gapCount = 0

  return {
    open(request) {
      const { caller, clientId, resumeAfter, topic } = request
      const key = clientId === null ? null : JSON.stringify([caller.userId, clientId, topic])
      const signature = request.bindings.signature
      const before = key === null ? undefined : current.get(key)
      const canResume = before !== undefined && before.signature === signature && before.isSettled && !isExpired(before)
      if (!(canResume && before.waitsSince !== null)) assertCapacity(caller.userId, request.bindings, before)
      const entry = canResume ? resumeEntry(before, request) : keep(request, key, signature)
      if (before && before !== entry && before.waitsSince !== null) drop(before)
      let isReleased = false
      return {
        subscription: entry.subscription,
        ready: canResume ? resume(entry, resumeAfter) : entry.ready,
        release(mode) {
          if (!isReleased) release(entry, mode)
          isReleased = true
        },
      }
    },
    sweep() {
      for (const entry of waiting) {
        if (!isExpired(entry)) break
        drop(entry)
      }
      savePositions()
    },
    endSessions(sessionIds) {
      for (const entry of [...waiting]) if (sessionIds.has(entry.sessionId)) drop(entry)
    },
    forgetWaiting() {
      gapCount++
      for (const entry of [...waiting]) drop(entry)
    },
  }

  async function resume(entry: SubscriptionEntry, after: string | null | undefined): Promise<boolean> {
    const { log } = entry.subscription
    const gapsBefore = gapCount
    await entry.ready
    // Another node may have delivered the change that the client names before this node has read it.
    await resumption?.catchUp().catch(onError)
    if (gapCount !== gapsBefore) log.requireResync()
    log.forget((change) => isOutdated(change, entry.userId, now(), { placeKeepMs }))
    return log.rewind(after)
  }

  function assertCapacity(userId: UserId, bindings: BindingSet, resumable: SubscriptionEntry | undefined): void {
    // The subscription that this request replaces is dropped first, then the ones that have waited longest.
    const own = [...(waitingOf.get(userId) ?? [])]
    for (const entry of own.toSorted((a, b) => Number(b === resumable) - Number(a === resumable)))
      if (!budget.hasCapacity(userId, bindings.all.length)) drop(entry)
    if (!budget.hasCapacity(userId, bindings.all.length)) throw new TooManyBindings()
  }

  function resumeEntry(before: SubscriptionEntry, request: SubscriptionRequest): SubscriptionEntry {
    if (before.waitsSince !== null) {
      stopWaiting(before)
      before.sessionId = request.caller.sessionId
      // The client may have been connected to another node in the meantime.
      before.stored = null
      return before
    }
    // The old socket may still be open, or belong to a duplicate of the browser tab: its subscription continues.
    const subscription = new Subscription(keyed(request), before.subscription.log.copy())
    hub.add(before.userId, subscription)
    const ready = bus.watch(before.userId).then(() => true)
    return register({ ...before, subscription, ready, stored: null, sessionId: request.caller.sessionId })
  }

  /** Creates a subscription. If the client was connected to another node, it resumes from the position stored there. */
  function keep(request: SubscriptionRequest, key: string | null, signature: string): SubscriptionEntry {
    const { caller, clientId, topic } = request
    const { userId, sessionId } = caller
    const subscription = new Subscription(keyed(request))
    const watched = bus.watch(userId)
    const state = { waitsSince: null, start: null, acknowledged: null, stored: null, isDropped: false }
    const { bindings } = request
    const fields = { subscription, userId, key, clientId, topic, signature, bindings, sessionId, ...state }
    if (resumption === null || clientId === null) {
      subscription.log.requireResync()
      hub.add(userId, subscription)
      return register({ ...fields, isSettled: true, ready: watched.then(() => false) })
    }
    const deps = { hub, resumption, subscription, isDropped: () => entry.isDropped, now, placeKeepMs, onError }
    const resuming = { userId, clientId, topic, signature, after: request.resumeAfter }
    const gapsBefore = gapCount
    const ready = catchUp(deps, resuming).then(({ isComplete, start, acknowledged }) => {
      entry.start = start
      entry.acknowledged = acknowledged
      entry.isSettled = true
      const hasMissed = gapCount !== gapsBefore
      if (isComplete && hasMissed) subscription.log.requireResync()
      return isComplete && !hasMissed
    })
    const entry = register({ ...fields, isSettled: false, ready })
    return entry
  }

  function register(entry: SubscriptionEntry): SubscriptionEntry {
    budget.add(entry.userId, entry.bindings.all.length)
    if (entry.key !== null) current.set(entry.key, entry)
    return entry
  }

  function savePositions(): void {
    if (resumption === null) return
    const at = now().getTime()
    const saved: SubscriptionEntry[] = []
    const positions: (SubscriptionKey & ResumePosition)[] = []
    for (const entry of current.values()) {
      const position = isSaveDue(entry, at) ? positionOf(entry, resumption) : null
      if (!position) continue
      positions.push(position)
      saved.push(entry)
      entry.stored = { at, cursor: entry.subscription.log.ackedCursor }
    }
    if (positions.length === 0) return
    const forget = () => {
      for (const entry of saved) entry.stored = null
    }
    resumption.save(positions).then(
      (areStored) => {
        if (!areStored) forget()
      },
      (error: unknown) => {
        forget()
        onError(error)
      },
    )
  }

  /** A stored position stays valid while the client receives nothing, so it is stored again only before it expires. */
  function isSaveDue({ stored, subscription: { log } }: SubscriptionEntry, at: number): boolean {
    if (stored === null || stored.cursor !== log.ackedCursor) return true
    return log.isEmpty() && at - stored.at >= subscriptionLimits.refreshMs
  }

  function positionOf(
    entry: SubscriptionEntry,
    recent: Pick<Resumption, 'position'>,
  ): (SubscriptionKey & ResumePosition) | null {
    const { userId, clientId, topic, signature, waitsSince, subscription, start, acknowledged } = entry
    // Saving would extend the window of a disconnected client. The position is not saved if entries were discarded
    // without an acknowledgement.
    if (clientId === null || waitsSince !== null || !entry.isSettled || subscription.log.needsResync()) return null
    const { ackedCursor } = subscription.log
    const position = (subscription.log.isEmpty() ? recent.position() : ackedCursor) ?? start
    if (position === null) return null
    const lastAcknowledged = ackedCursor ?? acknowledged
    return { userId, clientId, topic, signature, position, lastAcknowledged, owesResync: false }
  }

  function release(entry: SubscriptionEntry, mode: 'keep' | 'forget'): void {
    if (mode === 'forget' || entry.key === null || current.get(entry.key) !== entry) {
      const { userId, clientId, topic } = entry
      if (mode === 'forget' && clientId !== null) resumption?.remove({ userId, clientId, topic }).catch(onError)
      drop(entry)
      return
    }
    entry.waitsSince = now().getTime()
    waiting.add(entry)
    const own = waitingOf.get(entry.userId) ?? new Set()
    waitingOf.set(entry.userId, own.add(entry))
    // A client that makes up ids evicts its own subscriptions first.
    for (const [entries, most] of [
      [own, subscriptionLimits.waitingPerPersonMax] as const,
      [waiting, subscriptionLimits.waitingMax] as const,
    ]) {
      const [oldest] = entries
      if (oldest && entries.size > most) drop(oldest)
    }
  }

  function stopWaiting(entry: SubscriptionEntry): void {
    entry.waitsSince = null
    waiting.delete(entry)
    const own = waitingOf.get(entry.userId)
    own?.delete(entry)
    if (own?.size === 0) waitingOf.delete(entry.userId)
  }

  function drop(entry: SubscriptionEntry): void {
    stopWaiting(entry)
    if (entry.key !== null && current.get(entry.key) === entry) current.delete(entry.key)
    if (!entry.isDropped) budget.remove(entry.userId, entry.bindings.all.length)
    entry.isDropped = true
    hub.remove(entry.userId, entry.subscription)
    bus.unwatch(entry.userId)
  }

  function isExpired({ waitsSince }: SubscriptionEntry): boolean {
    return waitsSince !== null && now().getTime() - waitsSince >= subscriptionLimits.windowMs
  }
}

function keyed(request: SubscriptionRequest): SubscriptionOptions {
  return { ...request, keepsSent: request.clientId !== null }
}
