import type { Announce, EventTransaction } from '../../events/changes.ts'
import type { DomainEvent } from '../../events/domain-events.ts'
import type { QueueFigures } from '../../ops/metrics.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { kinds } from '../kinds/index.ts'
import type { NewPush, PushKind, Receivers } from '../kinds/kind.ts'
import * as queries from './pushes.queries.ts'

/**
 * Subscribes to domain events: inserts the pushes of an event in its transaction, with the commit. They are sent soon
 * after the commit. Visibility, preferences and content are checked when a push is sent.
 */
export function queuePushes(event: DomainEvent, { tx, announce, withCommit }: EventTransaction): void {
  for (const kind of Object.keys(kinds) as PushKind[]) {
    const pushOf = kinds[kind].events[event.kind] as ((event: DomainEvent) => NewPush<object>) | undefined
    if (!pushOf) continue
    const { to, ...push } = pushOf(event)
    if (isForNobody(to)) continue
    const expiresAt = new Date(event.at.getTime() + kinds[kind].lifetimeMs)
    withCommit(
      queries.insertPushes(tx, { ...push, kind, expiresAt }, to),
      (count) => count > 0 && announce.pushesWaiting(),
    )
  }
}

function isForNobody(to: Receivers): boolean {
  return ('people' in to && to.people.length === 0) || ('userIds' in to && to.userIds.length === 0)
}

/** Queues a test push for one device. */
export async function queueTestPush(tx: Tx, announce: Announce, deviceId: string, now: Date): Promise<void> {
  const expiresAt = new Date(now.getTime() + kinds.test.lifetimeMs)
  const push = { kind: 'test', tag: 'test', subject: {}, happenedAt: now, expiresAt } as const
  const { count } = await queries.insertPushes(tx, push, { deviceId, dueAt: now })
  if (count > 0) announce.pushesWaiting()
}

/** Returns the queue figures of pushes that are due and not sent, for the metrics. */
export function getWaitingPushes(db: Db, now: Date): Promise<QueueFigures> {
  return queries.getWaiting(db, now)
}
