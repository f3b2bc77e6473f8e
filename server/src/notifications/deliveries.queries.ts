import { type UserId } from '@hither/contract/ids.ts'
import { type Db } from '../platform/database.ts'

/** Of a mail, what it says: the link that confirms an address, or the one that sets a new password. */
export type Template = 'confirm' | 'reset'

/** For an account, for a sign-up that is none yet, or for nobody. */
export interface Delivery {
  id: string
  template: Template
  user_id: UserId | null
  signup_id: string | null
  attempts: number
}

export async function insertDelivery(
  db: Db,
  delivery: { id: string; template: Template; userId: UserId | null; signupId: string | null; now: Date },
): Promise<void> {
  await db`
    insert into deliveries (id, template, user_id, signup_id, created_at, due_at)
    values (
      ${delivery.id}, ${delivery.template}, ${delivery.userId}, ${delivery.signupId}, ${delivery.now}, ${delivery.now})`
}

/** Takes those that are due, for whoever asks first; they are due again at `leaseUntil` unless they are done by then. */
export async function claimDeliveries(
  db: Db,
  claim: { now: Date; leaseUntil: Date; limit: number },
): Promise<Delivery[]> {
  return db<Delivery[]>`
    update deliveries set due_at = ${claim.leaseUntil}, attempts = attempts + 1
    where id in (
      select id from deliveries where due_at <= ${claim.now} order by due_at limit ${claim.limit}
      for update skip locked)
    returning id, template, user_id, signup_id, attempts`
}

export async function updateDeliveryDue(db: Db, id: string, dueAt: Date): Promise<void> {
  await db`update deliveries set due_at = ${dueAt} where id = ${id}`
}

export async function deleteDelivery(db: Db, id: string): Promise<void> {
  await db`delete from deliveries where id = ${id}`
}

/** Answers how many went. */
export async function deleteDeliveriesBefore(db: Db, createdBefore: Date): Promise<number> {
  const { count } = await db`delete from deliveries where created_at < ${createdBefore}`
  return count
}
