import { notificationLimits, type PushSubscription } from '@hither/contract/notifications.ts'
import { type Caller } from '../auth/tokens.ts'
import { type Changes } from '../platform/changes.ts'
import { retryConflicts } from '../platform/conflicts.ts'
import { type Pool } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { tellOfTest } from './pushes.service.ts'
import * as queries from './subscriptions.queries.ts'
import { readSubscription } from './subscriptions.rules.ts'

export interface SubscriptionsDeps {
  pool: Pool
  changes: Changes
  /** Origins that push may go to though they are not on the open internet. */
  pushHosts: readonly string[]
  now: () => Date
}

/** A device that somebody else was signed in on before tells their things no more. */
export async function subscribe(
  { pool, changes, pushHosts, now }: SubscriptionsDeps,
  { userId, sessionId }: Caller,
  input: PushSubscription,
): Promise<void> {
  const target = readSubscription(input, pushHosts)
  await retryConflicts(() =>
    changes.commit(pool, async (db) => {
      if (!(await queries.lockOpenSession(db, sessionId, now()))) throw new Refusal('authentication_required')
      await queries.deleteOthersWith(db, target.endpoint, sessionId)
      await queries.upsertSubscription(db, { ...target, id: newId<string>(), sessionId, userId, now: now() })
      await queries.deleteSurplus(db, userId, notificationLimits.devicesPerUser)
    }),
  )
}

export async function unsubscribe({ pool, changes }: SubscriptionsDeps, { sessionId }: Caller): Promise<void> {
  await changes.commit(pool, (db) => queries.deleteOfSession(db, sessionId))
}

/** Goes the way of all others, so that what the push service says to it is nobody's to read. */
export async function sendTest({ pool, changes, now }: SubscriptionsDeps, { sessionId }: Caller): Promise<void> {
  await changes.commit(pool, async (db, announce) => {
    const subscriptionId = await queries.findOfSession(db, sessionId)
    if (!subscriptionId) throw new Refusal('push_not_subscribed')
    await tellOfTest(db, announce, subscriptionId, now())
  })
}
