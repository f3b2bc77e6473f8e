import type { Change } from '../../platform/events/bus.ts'
import type { OutdatedSettings } from '../../platform/events/feed-declaration.ts'
import type { RecentEvent } from '../../platform/events/recent-events.ts'
import type { ResumePosition, Resumption, SubscriptionKey } from '../../platform/events/resumption.ts'
import { createFrames } from './frames.ts'
import type { Hub, Subscriber } from './hub.ts'
import { isOutdated, type Subscription } from './subscription.ts'

interface CatchUp extends OutdatedSettings {
  readonly hub: Hub
  readonly resumption: Resumption
  /** The subscription to fill. It is not yet in the hub, so it receives no changes. */
  readonly subscription: Subscription
  /** Checked at the end: a subscription that was dropped in the meantime is not added to the hub. */
  readonly isDropped: () => boolean
  readonly now: () => Date
  readonly onError: (error: unknown) => void
}

interface Request extends SubscriptionKey, Pick<ResumePosition, 'signature'> {
  /** See `JoinConfig.resumeAfter`. */
  readonly after: string | null | undefined
}

interface CaughtUp {
  /** Whether the subscription contains everything that its client has missed. */
  readonly isComplete: boolean
  /** The position from which the subscription is complete. */
  readonly start: string
  /** The `commit_timestamp` that the client named as the last it handled. */
  readonly acknowledged: string | null
}

/**
 * Fills the subscription of a client that was connected to another node with the changes it has missed, and adds it to
 * the hub. Each change passes through the subscription in its original order, so that it leaves out what the user may no
 * longer see.
 */
export async function catchUp(deps: CatchUp, request: Request): Promise<CaughtUp> {
  const { hub, resumption, subscription, isDropped, now, onError } = deps
  const { userId, signature, after } = request
  // Reading the log comes first, so that changes committed before the join are not mistaken for live ones.
  const isCurrent = await resumption.catchUp().then(
    () => true,
    (error: unknown) => {
      onError(error)
      return false
    },
  )
  const meanwhile: (Change | null)[] = []
  const recorder: Subscriber = {
    wants: () => true,
    deliver: (change) => meanwhile.push(change),
    cut: () => meanwhile.push(null),
  }
  hub.add(userId, recorder)
  const missed = isCurrent
    ? await findMissed(resumption, request).catch((error: unknown) => {
        onError(error)
        return null
      })
    : null
  // No `await` from here on: no change may come between the last recent event and the first live one.
  const delivered = new Set(missed?.events.map(({ position }) => position))
  for (const { change } of missed?.events ?? []) pass(change())
  for (const change of meanwhile) if (change === null || !delivered.has(change.committedAt)) pass(change)
  hub.remove(userId, recorder)
  if (!isDropped()) hub.add(userId, subscription)
  subscription.log.forget((change) => isOutdated(change, userId, now(), deps))
  // This also happens if changes are missing: the subscription then begins with the next change.
  const isComplete = rewind(missed)
  const acknowledged = after ?? null
  const start = (isComplete ? missed?.from : null) ?? resumption.position()
  resumption
    .save([{ ...keyOf(request), signature, position: start, lastAcknowledged: acknowledged, owesResync: !isComplete }])
    .catch(onError)
  return { isComplete, start, acknowledged }

  function pass(change: Change | null): void {
    if (change === null) subscription.cut()
    else subscription.deliver(change, createFrames(change))
  }

  /**
   * Sends everything after the first event that the client received. If another subscription delivered it, sends all
   * events.
   */
  function rewind(missed: Missed | null): boolean {
    if (missed === null) {
      subscription.log.rewind(null)
      subscription.log.requireResync()
      return false
    }
    const { from, beginsAfter } = missed
    const isElsewhere = beginsAfter || after == null
    return subscription.log.rewind(isElsewhere && !subscription.log.knows(from) ? undefined : from)
  }
}

interface Missed {
  readonly from: string
  readonly events: readonly RecentEvent[]
  /** Whether the events begin after `from`, so that `from` itself is not among them. */
  readonly beginsAfter: boolean
}

async function findMissed(resumption: Resumption, request: Request): Promise<Missed | null> {
  const { userId, signature, after } = request
  const stored = await resumption.find(keyOf(request))
  if (stored?.signature !== signature) return null
  // The client says that it has handled nothing, although it acknowledged something.
  if (after === null && stored.lastAcknowledged !== null) return null
  if (stored.owesResync && !isBehind(resumption, request, stored)) return null
  // The client may have handled its last change long ago: everything between it and the stored position was not for
  // this client.
  const from = after == null || after === stored.lastAcknowledged ? stored.position : after
  const events = resumption.since(userId, from)
  if (events === null) return null
  const [first] = events
  return { from, events, beginsAfter: !first || !from.startsWith(first.position.slice(0, -1)) }
}

/** Whether the client has handled a change after the resync notice at this position. */
function isBehind(resumption: Resumption, { userId, after }: Request, { position }: ResumePosition): boolean {
  if (after == null) return false
  const events = resumption.since(userId, position) ?? []
  return events.some((event) => event.position !== position && after.startsWith(event.position.slice(0, -1)))
}

function keyOf({ userId, clientId, topic }: SubscriptionKey): SubscriptionKey {
  return { userId, clientId, topic }
}
