import type { UserId } from '@hither/contract/ids.ts'
import type { SecurityEventKind } from '@hither/contract/runtime/auth/security-events.ts'
import type { LanguageTag } from '@hither/contract/runtime/locales.ts'
import type { Db, Tx } from '../../platform/db/database.ts'

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

/**
 * Claims due mails, in turns by recipient. Of concurrent callers each mail goes to one. The mails are due again at
 * `leaseUntil` unless they are finished by then.
 */
export async function claimDeliveries(
  tx: Tx,
  claim: { now: Date; leaseUntil: Date; limit: number },
): Promise<Delivery[]> {
  return tx<Delivery[]>`
    update deliveries set due_at = ${claim.leaseUntil}, attempts = attempts + 1
    where id in (
      select id from deliveries where due_at <= ${claim.now} and id in (
        select id from (
          select id, due_at, row_number() over (partition by coalesce(user_id, signup_id, id) order by due_at, id) as turn
          from deliveries where due_at <= ${claim.now}) due
        order by turn, due_at limit ${claim.limit})
      for update skip locked)
    returning id, template, user_id, signup_id, security_event, locale, attempts`
}

export async function updateDeliveryDue(tx: Tx, id: string, dueAt: Date): Promise<void> {
  await tx`update deliveries set due_at = ${dueAt} where id = ${id}`
}

export async function deleteDelivery(tx: Tx, id: string): Promise<void> {
  await tx`delete from deliveries where id = ${id}`
}

/** Deletes old mails and returns their number. */
export async function deleteDeliveriesBefore(tx: Tx, createdBefore: Date): Promise<number> {
  const { count } = await tx`delete from deliveries where created_at < ${createdBefore}`
  return count
}

/** Counts the mails that are due and not sent. */
export async function getWaiting(db: Db, now: Date): Promise<{ count: number; oldest_s: number }> {
  const [row] = await db<[{ count: number; oldest_s: number }]>`
    select count(*)::integer as count,
      coalesce(extract(epoch from ${now}::timestamptz - min(due_at)), 0)::double precision as oldest_s
    from deliveries where due_at <= ${now}`
  return row
}
