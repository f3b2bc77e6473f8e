import type { SessionId, UserId } from '@hither/contract/ids.ts'
import type { Db, Tx } from '../../platform/db/database.ts'

/** The endpoint of a device, and the keys with which only the device can decrypt. */
export interface Target {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** Locks an open session until the transaction ends. Returns whether it exists. */
export async function lockOpenSession(tx: Tx, sessionId: SessionId, now: Date): Promise<boolean> {
  const rows = await tx`
    select 1 from sessions where id = ${sessionId} and ended_at is null and expires_at > ${now} for share`
  return rows.length > 0
}

export async function deleteOthersWith(tx: Tx, endpoint: string, sessionId: SessionId): Promise<void> {
  await tx`delete from push_subscriptions where endpoint = ${endpoint} and session_id <> ${sessionId}`
}

/** Inserts or replaces the subscription of a session. A slow device stays slow until it has answered in time. */
export async function upsertSubscription(
  tx: Tx,
  subscription: Target & { id: string; sessionId: SessionId; userId: UserId; now: Date },
): Promise<void> {
  const { id, sessionId, userId, endpoint, p256dh, auth, now } = subscription
  await tx`
    insert into push_subscriptions (id, session_id, user_id, endpoint, p256dh, auth, updated_at)
    values (${id}, ${sessionId}, ${userId}, ${endpoint}, ${p256dh}, ${auth}, ${now})
    on conflict (session_id) do update set
      endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth, updated_at = excluded.updated_at,
      failing_since = null`
}

/** Deletes all subscriptions of a user except the latest ones. */
export async function deleteSurplus(tx: Tx, userId: UserId, limit: number): Promise<void> {
  await tx`
    delete from push_subscriptions where id in (
      select id from push_subscriptions where user_id = ${userId} order by updated_at desc, id desc offset ${limit})`
}

export async function deleteOfSession(tx: Tx, sessionId: SessionId): Promise<void> {
  await tx`delete from push_subscriptions where session_id = ${sessionId}`
}

export async function findOfSession(tx: Tx, sessionId: SessionId): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`select id from push_subscriptions where session_id = ${sessionId}`
  return row?.id
}

/** Lists the devices of a user. Of the endpoints only the host is returned. */
export function listDevices(db: Db, userId: UserId) {
  return db<{ session_id: SessionId; push_service: string; updated_at: string }[]>`
    select session_id, split_part(endpoint, '/', 3) as push_service, updated_at
    from push_subscriptions where user_id = ${userId} order by updated_at`
}

export async function deleteAllSubscriptions(tx: Tx): Promise<void> {
  await tx`delete from push_subscriptions`
}

// The following four functions leave a subscription unchanged that was renewed since `endpoint` was read from it.

export async function deleteSubscription(tx: Tx, id: string, endpoint: string): Promise<void> {
  await tx`delete from push_subscriptions where id = ${id} and endpoint = ${endpoint}`
}

export async function updateReached(tx: Tx, id: string, endpoint: string): Promise<void> {
  await tx`
    update push_subscriptions set failing_since = null
    where id = ${id} and endpoint = ${endpoint} and failing_since is not null`
}

export async function updateSlow(tx: Tx, id: string, endpoint: string, isSlow: boolean): Promise<void> {
  await tx`update push_subscriptions set is_slow = ${isSlow} where id = ${id} and endpoint = ${endpoint}`
}

/** Records a failed attempt. Deletes the subscription if it has been unreachable since before `since`. */
export async function updateFailing(tx: Tx, id: string, endpoint: string, now: Date, since: Date): Promise<void> {
  await tx`
    delete from push_subscriptions where id = ${id} and endpoint = ${endpoint} and failing_since < ${since}`
  await tx`
    update push_subscriptions set failing_since = ${now}
    where id = ${id} and endpoint = ${endpoint} and failing_since is null`
}
