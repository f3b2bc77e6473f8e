import type { PushSubscription } from '@hither/contract/notifications.ts'
import { notificationLimits } from '@hither/contract/runtime/notifications.ts'
import type { Changes } from '../../events/changes.ts'
import { retryConflicts } from '../../platform/db/conflicts.ts'
import type { Pool } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/ids.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { queueTestPush } from './pushes.service.ts'
import * as queries from './subscriptions.queries.ts'
import { readSubscription } from './subscriptions.rules.ts'

export interface SubscriptionsDeps {
  pool: Pool
  changes: Changes
  /** Origins of push services that are allowed although they are not public. */
  pushHosts: readonly string[]
  now: () => Date
}

/**
 * Stores the subscription of the caller's device. If another user was signed in on the device before, their
 * notifications end there.
 */
export async function subscribe(
  { pool, changes, pushHosts, now }: SubscriptionsDeps,
  { userId, sessionId }: Caller,
  input: PushSubscription,
): Promise<void> {
  const target = readSubscription(input, pushHosts)
  await retryConflicts(() =>
    changes.commit(pool, async (tx) => {
      if (!(await queries.lockOpenSession(tx, sessionId, now()))) throw new Refusal('authentication_required')
      await queries.deleteOthersWith(tx, target.endpoint, sessionId)
      await queries.upsertSubscription(tx, { ...target, id: newId<string>(), sessionId, userId, now: now() })
      await queries.deleteSurplus(tx, userId, notificationLimits.devicesPerUser)
    }),
  )
}

export async function unsubscribe({ pool, changes }: SubscriptionsDeps, { sessionId }: Caller): Promise<void> {
  await changes.commit(pool, (tx) => queries.deleteOfSession(tx, sessionId))
}

/** Sends a test push through the queue, so that the caller cannot read the response of the push service. */
export async function sendTest({ pool, changes, now }: SubscriptionsDeps, { sessionId }: Caller): Promise<void> {
  await changes.commit(pool, async (tx, announce) => {
    const subscriptionId = await queries.findOfSession(tx, sessionId)
    if (!subscriptionId) throw new Refusal('push_not_subscribed')
    await queueTestPush(tx, announce, subscriptionId, now())
  })
}
