import type { UserId } from '@hither/contract/ids.ts'
import type { SecurityEventKind } from '@hither/contract/runtime/auth/security-events.ts'
import type { Announce, WithCommit } from '../../events/changes.ts'
import type { QueueFigures } from '../../ops/metrics.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/ids.ts'
import {
  type Delivery,
  getWaiting,
  insertDelivery,
  insertSecurityAlert,
  type NewDelivery,
} from './deliveries.queries.ts'

export type { Delivery }

/**
 * Queues a mail. It is sent soon after the commit, with retries until the mail server
 * accepts it. An address without an account or sign-up gets a row too, so that the call takes the same time.
 */
export async function queueMail(tx: Tx, announce: Announce, mail: NewDelivery, now: Date): Promise<void> {
  await insertDelivery(tx, { id: newId<string>(), ...mail, now })
  announce.deliveriesWaiting()
}

/**
 * Queues the mail about a change to how an account can be entered, for a confirmed address: another one may be that of a
 * stranger. Is sent with the commit.
 */
export function queueSecurityAlert(
  { tx, announce, withCommit }: { tx: Tx; announce: Announce; withCommit: WithCommit },
  alert: { userId: UserId; change: SecurityEventKind },
  now: Date,
): void {
  const insert = insertSecurityAlert(tx, { id: newId<string>(), ...alert, now })
  withCommit(insert, (count) => count > 0 && announce.deliveriesWaiting())
}

/** Returns the queue figures of mails that are due and not sent, for the metrics. */
export function getWaitingMails(db: Db, now: Date): Promise<QueueFigures> {
  return getWaiting(db, now)
}
