import type { SecurityEvent } from '@hither/contract/auth/security-events.ts'
import type { SecurityEventId, SessionId, UserId } from '@hither/contract/ids.ts'
import { type SecurityEventKind, securityEventLimits } from '@hither/contract/runtime/auth/security-events.ts'
import type { Db, Pool, Tx } from '../../platform/db/database.ts'

/** Runs when it is awaited or sent with the commit. */
export function insertEvent(
  tx: Tx,
  event: {
    id: SecurityEventId
    userId: UserId
    kind: SecurityEventKind
    sessionId: SessionId | null
    device: string | null
    at: Date
  },
) {
  return tx`
    insert into security_events (id, user_id, kind, session_id, device, created_at)
    values (${event.id}, ${event.userId}, ${event.kind}, ${event.sessionId}, ${event.device}, ${event.at})`
}

/** Lists the latest events, newest first. A person has seen what they did in the session that asks. */
export async function listEvents(db: Db, userId: UserId, sessionId: SessionId): Promise<SecurityEvent[]> {
  return db<SecurityEvent[]>`
    select id, kind, device, created_at,
      case when session_id = ${sessionId} then coalesce(seen_at, created_at) else seen_at end as seen_at
    from security_events where user_id = ${userId} order by id desc limit ${securityEventLimits.listMax}`
}

/** One statement, which is a transaction of its own. */
export async function updateSeen(pool: Pool, userId: UserId, upTo: SecurityEventId, now: Date): Promise<void> {
  await pool`
    update security_events set seen_at = ${now}
    where user_id = ${userId} and id <= ${upTo} and seen_at is null`
}

export async function deleteEventsOf(tx: Tx, userId: UserId): Promise<void> {
  await tx`delete from security_events where user_id = ${userId}`
}
