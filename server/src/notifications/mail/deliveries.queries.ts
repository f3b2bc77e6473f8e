import type { UserId } from '@hither/contract/ids.ts'
import type { SecurityEventKind } from '@hither/contract/runtime/auth/security-events.ts'
import type { LanguageTag } from '@hither/contract/runtime/locales.ts'
import type { Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/statements.ts'
import { leasedQueue } from '../leased-queue.queries.ts'

/** The template of a mail: a link that confirms an address, one that sets a new password, or a security alert. */
type Template = 'confirm' | 'reset' | 'security'

/** A queued mail for an account, for a pending sign-up, or without a recipient. */
export interface Delivery {
  id: string
  template: Template
  user_id: UserId | null
  signup_id: string | null
  security_event: SecurityEventKind | null
  /** The language of the call that caused a mail with a link. */
  locale: string | null
  attempts: number
}

/** A mail with a link. */
export interface NewDelivery {
  readonly template: Exclude<Template, 'security'>
  readonly userId: UserId | null
  readonly signupId: string | null
  readonly language: LanguageTag | null
}

export async function insertDelivery(tx: Tx, delivery: NewDelivery & { id: string; now: Date }): Promise<void> {
  await tx`
    insert into deliveries (id, template, user_id, signup_id, locale, created_at, due_at)
    values (
      ${delivery.id}, ${delivery.template}, ${delivery.userId}, ${delivery.signupId}, ${delivery.language},
      ${delivery.now}, ${delivery.now})`
}

/** Inserts a security alert, if the address is confirmed. Runs when it is awaited or sent with the commit. */
export function insertSecurityAlert(
  tx: Tx,
  alert: { id: string; userId: UserId; change: SecurityEventKind; now: Date },
) {
  return tx`
    insert into deliveries (id, template, user_id, security_event, created_at, due_at)
    select ${alert.id}::uuid, 'security', id, ${alert.change}, ${alert.now}::timestamptz, ${alert.now}::timestamptz
    from users where id = ${alert.userId} and email_confirmed_at is not null`
}

const queue = leasedQueue(sql`deliveries`)

/** Counts the mails that are due and not sent. */
export const getWaiting = queue.getWaiting

export const updateDeliveryDue = queue.updateDue

const claim = queue.claimOf(
  sql`as (
    select id from (
      select id, due_at, row_number() over (partition by coalesce(user_id, signup_id, id) order by due_at, id) as turn
      from deliveries where due_at <= ${'now'}::timestamptz) due
    order by turn, due_at limit ${'limit'}::int)`,
  sql`d.id, d.template, d.user_id, d.signup_id, d.security_event, d.locale, d.attempts`,
)

/** Claims due mails, in turns by recipient. */
export function claimDeliveries(tx: Tx, values: { now: Date; leaseUntil: Date; limit: number }): Promise<Delivery[]> {
  return claim<Delivery>(tx, values)
}

export async function deleteDelivery(tx: Tx, id: string): Promise<void> {
  await tx`delete from deliveries where id = ${id}`
}

/** Deletes old mails and returns their number. */
export async function deleteDeliveriesBefore(tx: Tx, createdBefore: Date): Promise<number> {
  const { count } = await tx`delete from deliveries where created_at < ${createdBefore}`
  return count
}
