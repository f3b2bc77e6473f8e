import { type SessionId, type UserId } from '@hither/contract/ids.ts'
import { type Db } from '../platform/database.ts'

/** Where a device is reached, and the keys that only it can read with. */
export interface Target {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** Holds an open session until the transaction ends: it does not end meanwhile. Whether there is one. */
export async function lockOpenSession(db: Db, sessionId: SessionId, now: Date): Promise<boolean> {
  const rows = await db`
    select 1 from sessions where id = ${sessionId} and ended_at is null and expires_at > ${now} for share`
  return rows.length > 0
}

export async function deleteOthersWith(db: Db, endpoint: string, sessionId: SessionId): Promise<void> {
  await db`delete from push_subscriptions where endpoint = ${endpoint} and session_id <> ${sessionId}`
}

/** The session's first, or another in its place. */
export async function upsertSubscription(
  db: Db,
  subscription: Target & { id: string; sessionId: SessionId; userId: UserId; now: Date },
): Promise<void> {
  const { id, sessionId, userId, endpoint, p256dh, auth, now } = subscription
  await db`
    insert into push_subscriptions (id, session_id, user_id, endpoint, p256dh, auth, updated_at)
    values (${id}, ${sessionId}, ${userId}, ${endpoint}, ${p256dh}, ${auth}, ${now})
    on conflict (session_id) do update set
      endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth, updated_at = excluded.updated_at,
      failing_since = null`
}

/** All but so many of a person's, the latest. */
export async function deleteSurplus(db: Db, userId: UserId, kept: number): Promise<void> {
  await db`
    delete from push_subscriptions where id in (
      select id from push_subscriptions where user_id = ${userId} order by updated_at desc, id desc offset ${kept})`
}

export async function deleteOfSession(db: Db, sessionId: SessionId): Promise<void> {
  await db`delete from push_subscriptions where session_id = ${sessionId}`
}

export async function findOfSession(db: Db, sessionId: SessionId): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`select id from push_subscriptions where session_id = ${sessionId}`
  return row?.id
}

/** Of where each is reached, the host alone. */
export async function listDevices(
  db: Db,
  userId: UserId,
): Promise<{ session_id: SessionId; push_service: string; updated_at: string }[]> {
  return db<{ session_id: SessionId; push_service: string; updated_at: string }[]>`
    select session_id, split_part(endpoint, '/', 3) as push_service, updated_at
    from push_subscriptions where user_id = ${userId} order by updated_at`
}

export async function deleteAllSubscriptions(db: Db): Promise<void> {
  await db`delete from push_subscriptions`
}

// Of the three that follow, none touches a subscription that was renewed since `endpoint` was read from it.

export async function deleteSubscription(db: Db, id: string, endpoint: string): Promise<void> {
  await db`delete from push_subscriptions where id = ${id} and endpoint = ${endpoint}`
}

export async function updateReached(db: Db, id: string, endpoint: string): Promise<void> {
  await db`
    update push_subscriptions set failing_since = null
    where id = ${id} and endpoint = ${endpoint} and failing_since is not null`
}

/** Notes that it could not be reached; deletes one that could not for longer than `since`. */
export async function updateFailing(db: Db, id: string, endpoint: string, now: Date, since: Date): Promise<void> {
  await db`
    delete from push_subscriptions where id = ${id} and endpoint = ${endpoint} and failing_since < ${since}`
  await db`
    update push_subscriptions set failing_since = ${now}
    where id = ${id} and endpoint = ${endpoint} and failing_since is null`
}
