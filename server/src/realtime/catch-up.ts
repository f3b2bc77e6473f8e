import { type UserId } from '@hither/contract/ids.ts'
import { type Change } from '../platform/bus.ts'
import { type LogEntry, type Place, type Seat, type SharedLog } from '../platform/shared-log.ts'
import { type Feed } from './feed.ts'
import { createFrames } from './frames.ts'
import { type Hub, type Subscriber } from './hub.ts'

interface CatchUp {
  readonly hub: Hub
  readonly sharedLog: SharedLog
  /** Resolves once what other nodes say is heard. */
  readonly watched: Promise<void>
  /** Listens to nothing yet. */
  readonly feed: Feed
  /** Asked at the end: then it is not to listen any more. */
  readonly isDropped: () => boolean
  readonly onError: (error: unknown) => void
}

interface Sought extends Seat, Pick<Place, 'signature'> {
  /** As of `JoinConfig.resumeAfter`. */
  readonly after: string | null | undefined
}

export interface CaughtUp {
  /** Whether the feed holds all that its client has missed. */
  readonly isWhole: boolean
  /** From where on it holds all. */
  readonly start: string | null
}

/**
 * Fills the feed of a client that was at another node with what it has missed, and what happens meanwhile, and lets it listen.
 * Each change is told anew as the feed would have been told of it then, so that what may not be shown any more is left out.
 */
export async function catchUp(deps: CatchUp, sought: Sought): Promise<CaughtUp> {
  const { hub, sharedLog, watched, feed, isDropped, onError } = deps
  const { userId, signature, after } = sought
  const meanwhile: (Change | null)[] = []
  const recorder: Subscriber = { hear: (change) => meanwhile.push(change), cut: () => meanwhile.push(null) }
  hub.add(userId, recorder)
  await watched
  const missed = await findMissed(sharedLog, sought).catch((error: unknown) => {
    onError(error)
    return null
  })
  // From here on in one go: nothing may come between the last that is told anew and the first that is told as it happens.
  const told = new Set(missed?.entries.map(({ position }) => position))
  for (const { change } of missed?.entries ?? []) tell(change)
  for (const change of meanwhile) if (change === null || !told.has(change.committedAt)) tell(change)
  hub.remove(userId, recorder)
  if (!isDropped()) hub.add(userId, feed)
  // Also where it is not whole: then it begins anew with what comes next.
  const isWhole = rewind(missed)
  const start = (isWhole ? missed?.from : null) ?? sharedLog.positionOf(userId)
  if (start !== null)
    sharedLog
      .keepPlaces([{ ...seatOf(sought), signature, position: start, hasTold: false, isOwed: !isWhole }])
      .catch(onError)
  return { isWhole, start }

  function tell(change: Change | null): void {
    if (change === null) feed.cut()
    else feed.hear(change, createFrames(change))
  }

  /** Where the client got what comes first, all after that is to be sent; where that was of other feeds, all. */
  function rewind(missed: Missed | null): boolean {
    if (missed === null) {
      feed.log.rewind(null)
      feed.log.owe()
      return false
    }
    const { from, isComplete } = missed
    const isElsewhere = isComplete || after == null
    return feed.log.rewind(isElsewhere && !feed.log.knows(from) ? undefined : from)
  }
}

interface Missed {
  readonly from: string
  readonly entries: readonly LogEntry[]
  /** Whether the change that it begins with is not among the entries any more. */
  readonly isComplete: boolean
}

async function findMissed(sharedLog: SharedLog, sought: Sought): Promise<Missed | null> {
  const { userId, signature, after } = sought
  const place = await sharedLog.placeOf(seatOf(sought))
  if (place?.signature !== signature) return null
  // It says that nothing came of what was told to it.
  if (after === null && place.hasTold) return null
  if (place.isOwed && !(await isBehind(sharedLog, userId, place, after))) return null
  const from = after ?? place.position
  const entries = await sharedLog.since(userId, from)
  if (entries === null) return null
  const [first] = entries
  return { from, entries, isComplete: !first || !from.startsWith(first.position.slice(0, -1)) }
}

/** Whether the client has had a change that came after the notice at this place. */
async function isBehind(sharedLog: SharedLog, userId: UserId, { position }: Place, after: string | null | undefined) {
  if (after == null) return false
  const entries = (await sharedLog.since(userId, position)) ?? []
  return entries.some((entry) => entry.position !== position && after.startsWith(entry.position.slice(0, -1)))
}

function seatOf({ userId, clientId, topic }: Seat): Seat {
  return { userId, clientId, topic }
}
