import { type ConversationId, type FriendRequestId, type PingId, type UserId } from '@hither/contract/ids.ts'
import { type NotificationKind } from '@hither/contract/notifications.ts'
import { type Db } from '../platform/database.ts'
import { type Piece, sql, statement } from '../platform/statements.ts'
import { type Target } from './subscriptions.queries.ts'

export type PushKind = NotificationKind | 'test'

/** What a push is about. What it says is read from there when it goes. */
export interface Subject {
  readonly kind: PushKind
  /** Of several that wait with the same, one goes. */
  readonly tag: string
  readonly pingId?: PingId
  readonly responderId?: UserId
  readonly chatId?: ConversationId
  readonly requestId?: FriendRequestId
}

interface Times {
  readonly happenedAt: Date | string
  readonly dueAt: Date
  readonly expiresAt: Date
}

// What joins one that waits goes with it, when that would have gone; of two kinds the later one goes.
const insertFor = (devices: Piece<string>) => statement`
  with device as materialized (${devices})
  insert into push_deliveries (
    id, subscription_id, kind, tag, ping_id, responder_id, chat_id, request_id, happened_at, due_at, expires_at)
  select gen_random_uuid(), d.id, ${'kind'}, ${'tag'}, ${'pingId'}::uuid, ${'responderId'}::uuid, ${'chatId'}::uuid,
    ${'requestId'}::uuid, ${'happenedAt'}::timestamptz, ${'dueAt'}::timestamptz, ${'expiresAt'}::timestamptz
  from device d order by d.id
  on conflict (subscription_id, tag) do update set
    kind = excluded.kind, expires_at = excluded.expires_at, asked = push_deliveries.asked + 1`

// Devices that go at this moment are waited for and left out. In one order, so that no two writers wait for one another.
const forPeople = insertFor(sql`
  select s.id from push_subscriptions s
  where s.user_id = any(${'userIds'}::uuid[])
    and exists (select 1 from sessions where id = s.session_id and ended_at is null and expires_at > ${'dueAt'}::timestamptz)
  order by s.id for key share of s`)

const forDevice = insertFor(
  sql`select s.id from push_subscriptions s where s.id = ${'subscriptionId'} for key share of s`,
)

// Of those that a subject may leave out.
const nothing = { pingId: null, responderId: null, chatId: null, requestId: null }

// They are returned before they run, so that they can go with the commit; each counts the pushes it has written.

/** One for each device of these people that is signed in. */
export function insertForPeople(db: Db, userIds: readonly UserId[], subject: Subject, times: Times) {
  return forPeople(db, { ...nothing, ...subject, ...times, userIds })
}

export function insertForDevice(db: Db, subscriptionId: string, subject: Subject, times: Times) {
  return forDevice(db, { ...nothing, ...subject, ...times, subscriptionId })
}

/** A push on its way, with the device it goes to. */
export interface PushDelivery extends Target {
  readonly id: string
  readonly subscription_id: string
  readonly user_id: UserId
  readonly kind: PushKind
  readonly tag: string
  readonly ping_id: PingId | null
  readonly responder_id: UserId | null
  readonly chat_id: ConversationId | null
  readonly request_id: FriendRequestId | null
  readonly happened_at: string
  readonly expires_at: string
  readonly attempts: number
  readonly asked: number
  /** Whether the device's session is open. */
  readonly is_signed_in: boolean
}

/**
 * Takes the next that is due, for whoever asks first; it is due again at `leaseUntil` unless it is done by then. With
 * `reachableOnly`, none of a device that could not be reached the last time.
 */
export async function claimPush(
  db: Db,
  claim: { now: Date; leaseUntil: Date; reachableOnly: boolean },
): Promise<PushDelivery | undefined> {
  const [row] = await db<PushDelivery[]>`
    update push_deliveries d set due_at = ${claim.leaseUntil}, attempts = d.attempts + 1
    from push_subscriptions s join sessions e on e.id = s.session_id
    where s.id = d.subscription_id and d.id = (
      select w.id from push_deliveries w join push_subscriptions ws on ws.id = w.subscription_id
      where w.due_at <= ${claim.now} and (ws.failing_since is null or not ${claim.reachableOnly}::boolean)
      order by w.due_at limit 1
      for update of w skip locked)
    returning d.id, d.subscription_id, s.user_id, s.endpoint, s.p256dh, s.auth, d.kind, d.tag, d.ping_id,
      d.responder_id, d.chat_id, d.request_id, d.happened_at, d.expires_at, d.attempts, d.asked,
      e.ended_at is null and e.expires_at > ${claim.now} as is_signed_in`
  return row
}

/** So many at most. */
export async function countDue(db: Db, now: Date, most: number): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count
    from (select 1 from push_deliveries where due_at <= ${now} limit ${most}) due`
  return row.count
}

/** Of those that are not due yet. */
export async function findNextDue(db: Db, now: Date): Promise<string | null> {
  const [row] = await db<[{ due_at: string | null }]>`
    select min(due_at) as due_at from push_deliveries where due_at > ${now}`
  return row.due_at
}

/** Deletes it unless something has joined it since it was claimed, which then goes at `dueAt`. */
export async function finishPush(db: Db, { id, asked }: PushDelivery, now: Date, dueAt: Date): Promise<void> {
  await db`delete from push_deliveries where id = ${id} and asked = ${asked}`
  await db`
    update push_deliveries set due_at = ${dueAt}, attempts = 0, happened_at = ${now}
    where id = ${id} and asked <> ${asked}`
}

export async function updateDue(db: Db, id: string, dueAt: Date): Promise<void> {
  await db`update push_deliveries set due_at = ${dueAt} where id = ${id}`
}

/** Answers how many went. */
export async function deleteExpired(db: Db, now: Date): Promise<number> {
  const { count } = await db`delete from push_deliveries where expires_at <= ${now}`
  return count
}
