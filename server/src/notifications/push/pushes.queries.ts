import type { UserId } from '@hither/contract/ids.ts'
import type { SecurityEventKind } from '@hither/contract/runtime/auth/security-events.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { type Piece, sql, statement } from '../../platform/db/statements.ts'
import type { PushKind, Receivers } from '../kinds/kind.ts'
import { leasedQueue } from '../leased-queue.queries.ts'
import type { Vacancy } from './lanes.rules.ts'
import type { Target } from './subscriptions.queries.ts'

/** A push to insert. Its content is read when it is sent. */
interface QueuedPush {
  readonly kind: PushKind
  readonly tag: string
  /** What it is about, in the form of its kind. */
  readonly subject: object
  readonly happenedAt: Date | string
  readonly expiresAt: Date
}

// A push joins a waiting one with the same tag and is sent at the time of that one. Of two kinds the later one is sent.
const insertFor = (
  devices: Piece<string>,
  dueAt: Piece<string> = sql`${'dueAt'}::timestamptz`,
  more = sql``,
) => statement`
  with device as materialized (${devices})
  insert into push_deliveries (id, subscription_id, kind, tag, subject, happened_at, due_at, expires_at)
  select gen_random_uuid(), d.id, ${'kind'}, ${'tag'}, ${'subject'}::jsonb, ${'happenedAt'}::timestamptz, ${dueAt},
    ${'expiresAt'}::timestamptz
  from device d order by d.id
  on conflict (subscription_id, tag) do update set
    kind = excluded.kind, subject = excluded.subject, expires_at = excluded.expires_at,
    asked = push_deliveries.asked + 1 ${more}`

// Waits for devices that are being deleted and leaves them out. Locks them in the order of their ids, so that two
// writers do not deadlock.
const devicesOfPeople = sql`
  select s.id from push_subscriptions s
  where s.user_id = any(${'userIds'}::uuid[])
    and exists (select 1 from sessions where id = s.session_id and ended_at is null and expires_at > ${'dueAt'}::timestamptz)
  order by s.id for key share of s`

const forPeople = insertFor(devicesOfPeople)

const forPeopleAtOnce = insertFor(devicesOfPeople, undefined, sql`, due_at = excluded.due_at`)

const forEach = insertFor(
  sql`
  select s.id, p.due_at from push_subscriptions s
  join unnest(${'userIds'}::uuid[], ${'dueAts'}::timestamptz[]) as p (user_id, due_at) on p.user_id = s.user_id
  where exists (select 1 from sessions where id = s.session_id and ended_at is null and expires_at > p.due_at)
  order by s.id for key share of s`,
  sql`d.due_at`,
)

// The sessions that a new password ends have ended already in the same transaction, at the time of the event. A trigger
// deletes their devices at the commit, unless this push waits for them.
const forOthers = insertFor(sql`
  select s.id from push_subscriptions s
  where s.user_id = ${'ownerId'} and s.session_id is distinct from ${'exceptSessionId'}::uuid
    and exists (
      select 1 from sessions where id = s.session_id and expires_at > ${'dueAt'}::timestamptz
        and (ended_at is null or ended_at = ${'happenedAt'}::timestamptz and ${'subject'}::jsonb->>'change' = any(${'lastChanges'}::text[])))
  order by s.id for key share of s`)

const forDevice = insertFor(sql`select s.id from push_subscriptions s where s.id = ${'deviceId'} for key share of s`)

/** Changes that sign devices out. The trigger `sessions_forget_push_subscription` names them too. */
const lastChanges: readonly SecurityEventKind[] = ['password_changed', 'password_reset']

/**
 * Inserts one push for each of the devices. Returned before it runs, so that it can be sent with the commit. `count` is the
 * number of inserted pushes.
 */
export function insertPushes(tx: Tx, push: QueuedPush, to: Receivers) {
  const values = { ...push, subject: JSON.stringify(push.subject) }
  if ('people' in to) {
    const userIds = to.people.map(({ userId }) => userId)
    const dueAts = to.people.map(({ dueAt }) => dueAt.toISOString())
    return forEach(tx, { ...values, userIds, dueAts })
  }
  if ('ownerId' in to) return forOthers(tx, { ...values, ...to, lastChanges })
  if ('deviceId' in to) return forDevice(tx, { ...values, ...to })
  const { userIds, dueAt, isAtOnce } = to
  return (isAtOnce ? forPeopleAtOnce : forPeople)(tx, { ...values, userIds, dueAt })
}

/** A claimed push with the device it is sent to. */
export interface PushDelivery extends Target {
  readonly id: string
  readonly subscription_id: string
  readonly user_id: UserId
  readonly is_slow: boolean
  readonly kind: PushKind
  readonly tag: string
  readonly subject: object
  /** The language of the account, and that of the session of the device. */
  readonly user_locale: string | null
  readonly session_locale: string | null
  readonly happened_at: string
  readonly expires_at: string
  readonly attempts: number
  readonly asked: number
  /** Whether the session of the device is open. */
  readonly is_signed_in: boolean
  /** Whether the push reports the change that ended the session of the device. Nothing else is sent to it. */
  readonly is_last: boolean
}

interface Claim extends Vacancy {
  readonly now: Date
  readonly leaseUntil: Date
  /** Whether to claim the pushes of slow devices or those of the others. */
  readonly isSlow: boolean
}

const ready = sql`
  w.due_at <= ${'now'}::timestamptz and ws.is_slow = ${'isSlow'}::boolean
    and w.user_id <> all(${'exceptPeople'}::uuid[]) and split_part(ws.endpoint, '/', 3) <> all(${'exceptHosts'}::text[])`

const isLastChange = sql`(d.kind = 'security' and d.subject->>'change' = any(${'lastChanges'}::text[]))`

const queue = leasedQueue(sql`push_deliveries`)

/** Counts the pushes that are due and not sent. */
export const getWaiting = queue.getWaiting

export const updateDue = queue.updateDue

const claimOf = (chosen: Piece<string>) =>
  queue.claimOf(
    chosen,
    sql`d.id, d.subscription_id, s.user_id, s.endpoint, s.p256dh, s.auth, s.is_slow, d.kind, d.tag, d.subject,
      (select locale from users where id = s.user_id) as user_locale, e.locale as session_locale,
      d.happened_at, d.expires_at, d.attempts, d.asked,
      e.ended_at is null and e.expires_at > ${'now'}::timestamptz as is_signed_in,
      coalesce(${isLastChange} and d.happened_at = e.ended_at, false) as is_last`,
    sql`from push_subscriptions s join sessions e on e.id = s.session_id where s.id = d.subscription_id and`,
  )

// One step for each person: an index holds the pushes by person and time.
const turns = claimOf(sql`
  (user_id, id, number) as (
    select ${'after'}::uuid, null::uuid, 0
    union all
    select next.user_id, next.id, c.number + 1
    from chosen c cross join lateral (
      select w.user_id, w.id from push_deliveries w join push_subscriptions ws on ws.id = w.subscription_id
      where w.user_id > c.user_id and ${ready}
      order by w.user_id, w.due_at, w.subscription_id limit 1) next
    where c.number < ${'limit'}::int)`)

// The devices that a person has had for the longest time come first: an intruder may have added others.
const securityTurns = claimOf(sql`
  as (
    select distinct on (w.user_id) w.id from push_deliveries w join push_subscriptions ws on ws.id = w.subscription_id
    where w.kind = 'security' and ${ready}
    order by w.user_id, w.due_at, w.subscription_id limit ${'limit'}::int)`)

/**
 * Claims the next due push of each of the next people after `after`, in the order of their ids. Of concurrent callers each
 * push goes to one. A push is due again at `leaseUntil` unless it is finished by then.
 */
export async function claimPushes(tx: Tx, claim: Claim & { after: string }): Promise<PushDelivery[]> {
  return turns<PushDelivery>(tx, { ...claim, lastChanges })
}

/** Like `claimPushes`, for the pushes about the security of accounts. */
export async function claimSecurityPushes(tx: Tx, claim: Claim): Promise<PushDelivery[]> {
  return securityTurns<PushDelivery>(tx, { ...claim, lastChanges })
}

/** Returns when the next push becomes due. */
export async function findNextDue(db: Db, now: Date): Promise<string | null> {
  const [row] = await db<[{ due_at: string | null }]>`
    select min(due_at) as due_at from push_deliveries where due_at > ${now}`
  return row.due_at
}

/**
 * Deletes a push, unless another one has joined it since it was claimed; it is then sent at `dueAt`, or at once if that one
 * must be. Events from `happenedAt` on have not been sent.
 */
export async function finishPush(
  tx: Tx,
  { id, asked }: PushDelivery,
  { now, dueAt, happenedAt }: { now: Date; dueAt: Date; happenedAt: Date | string },
): Promise<void> {
  await tx`delete from push_deliveries where id = ${id} and asked = ${asked}`
  await tx`
    update push_deliveries set due_at = case when due_at <= ${now} then due_at else ${dueAt} end, attempts = 0,
      happened_at = ${happenedAt}
    where id = ${id} and asked <> ${asked}`
}

/** Deletes outdated pushes, and the devices to which they would have been the last ones. Returns their number. */
export async function deleteExpired(tx: Tx, now: Date): Promise<number> {
  const [devices, pushes] = await Promise.all([
    tx`
      delete from push_subscriptions s using push_deliveries d, sessions e
      where d.expires_at <= ${now} and d.kind = 'security' and d.subject->>'change' = any(${lastChanges}::text[])
        and s.id = d.subscription_id and e.id = s.session_id and e.ended_at is not null`,
    tx`delete from push_deliveries where expires_at <= ${now}`,
  ])
  return devices.count + pushes.count
}
