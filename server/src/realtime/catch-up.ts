import { type Change } from '../platform/bus.ts'
import { type RecentEvent } from '../platform/events/recent-events.ts'
import { type ResumePosition, type Resumption, type SubscriptionKey } from '../platform/events/resumption.ts'
import { type Feed } from './feed.ts'
import { createFrames } from './frames.ts'
import { type Hub, type Subscriber } from './hub.ts'

interface CatchUp {
  readonly hub: Hub
  readonly resumption: Resumption
  /** Listens to nothing yet. */
  readonly feed: Feed
  /** Asked at the end: a feed that was dropped meanwhile does not listen any more. */
  readonly isDropped: () => boolean
  readonly onError: (error: unknown) => void
}

interface Request extends SubscriptionKey, Pick<ResumePosition, 'signature'> {
  /** As of `JoinConfig.resumeAfter`. */
  readonly after: string | null | undefined
}

export interface CaughtUp {
  /** Whether the feed holds everything that its client has missed. */
  readonly isComplete: boolean
  /** From where on the feed holds everything. */
  readonly start: string
  /** The `commit_timestamp` that the client named as the last it handled. */
  readonly acknowledged: string | null
}

/**
 * Fills the feed of a client that was at another node with what it has missed and with what happens meanwhile, and lets it
 * listen. Each change passes through the feed as it would have then, so that what may not be shown any more is left out.
 */
export async function catchUp(deps: CatchUp, request: Request): Promise<CaughtUp> {
  const { hub, resumption, feed, isDropped, onError } = deps
  const { userId, signature, after } = request
  // First, so that nothing that was committed before the join is taken for what happens meanwhile.
  const isCurrent = await resumption.catchUp().then(
    () => true,
    (error: unknown) => {
      onError(error)
      return false
    },
  )
  const meanwhile: (Change | null)[] = []
  const recorder: Subscriber = { hear: (change) => meanwhile.push(change), cut: () => meanwhile.push(null) }
  hub.add(userId, recorder)
  const missed = isCurrent
    ? await findMissed(resumption, request).catch((error: unknown) => {
        onError(error)
        return null
      })
    : null
  // From here on without a pause: nothing may come between the last recent event and the first that is delivered live.
  const delivered = new Set(missed?.events.map(({ position }) => position))
  for (const { change } of missed?.events ?? []) pass(change)
  for (const change of meanwhile) if (change === null || !delivered.has(change.committedAt)) pass(change)
  hub.remove(userId, recorder)
  if (!isDropped()) hub.add(userId, feed)
  // Also where it is incomplete: the feed then begins with what comes next.
  const isComplete = rewind(missed)
  const acknowledged = after ?? null
  const start = (isComplete ? missed?.from : null) ?? resumption.position()
  resumption
    .save([{ ...keyOf(request), signature, position: start, lastAcknowledged: acknowledged, owesResync: !isComplete }])
    .catch(onError)
  return { isComplete, start, acknowledged }

  function pass(change: Change | null): void {
    if (change === null) feed.cut()
    else feed.hear(change, createFrames(change))
  }

  /** Where the client received the first of the events, everything after it is sent; where that was of another feed, all. */
  function rewind(missed: Missed | null): boolean {
    if (missed === null) {
      feed.log.rewind(null)
      feed.log.owe()
      return false
    }
    const { from, beginsAfter } = missed
    const isElsewhere = beginsAfter || after == null
    return feed.log.rewind(isElsewhere && !feed.log.knows(from) ? undefined : from)
  }
}

interface Missed {
  readonly from: string
  readonly events: readonly RecentEvent[]
  /** Whether the events begin after `from`, and not with it. */
  readonly beginsAfter: boolean
}

async function findMissed(resumption: Resumption, request: Request): Promise<Missed | null> {
  const { userId, signature, after } = request
  const stored = await resumption.find(keyOf(request))
  if (stored?.signature !== signature) return null
  // The client says that it handled nothing of what it acknowledged.
  if (after === null && stored.lastAcknowledged !== null) return null
  if (stored.owesResync && !isBehind(resumption, request, stored)) return null
  // What it handled last may be long ago: everything after it, up to the stored position, was for others.
  const from = after == null || after === stored.lastAcknowledged ? stored.position : after
  const events = resumption.since(userId, from)
  if (events === null) return null
  const [first] = events
  return { from, events, beginsAfter: !first || !from.startsWith(first.position.slice(0, -1)) }
}

/** Whether the client has handled a change that came after the notice at this position. */
function isBehind(resumption: Resumption, { userId, after }: Request, { position }: ResumePosition): boolean {
  if (after == null) return false
  const events = resumption.since(userId, position) ?? []
  return events.some((event) => event.position !== position && after.startsWith(event.position.slice(0, -1)))
}

function keyOf({ userId, clientId, topic }: SubscriptionKey): SubscriptionKey {
  return { userId, clientId, topic }
}
