import { type UserId } from '@hither/contract/ids.ts'
import { type Announce } from '../platform/changes.ts'
import { type Db } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { type Delivery, insertDelivery, type Template } from './deliveries.queries.ts'

export type { Delivery }

/**
 * Joins the caller's transaction; it goes soon after the commit, and again until the mail server has taken it. Whoever is
 * neither account nor sign-up gets a row all the same, so that the caller takes as long.
 */
export async function queueMail(
  db: Db,
  announce: Announce,
  mail: { template: Template; userId: UserId | null; signupId: string | null },
  now: Date,
): Promise<void> {
  await insertDelivery(db, { id: newId<string>(), ...mail, now })
  announce.deliveriesWaiting()
}
