import type { SecurityEvent } from '@hither/contract/auth/security-events.ts'
import type { SecurityEventId, SessionId, UserId } from '@hither/contract/ids.ts'
import type { SecurityEventKind } from '@hither/contract/runtime/auth/security-events.ts'
import type { Announce, WithCommit } from '../../events/changes.ts'
import { queueSecurityAlert } from '../../notifications/mail/deliveries.service.ts'
import type { Pool, Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/ids.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { deviceOf } from '../auth.rules.ts'
import * as queries from './security-events.queries.ts'

interface NewSecurityEvent {
  readonly userId: UserId
  readonly kind: SecurityEventKind
  /** The session that makes the change; `null` without one. */
  readonly sessionId: SessionId | null
  /** Of the person who makes the change; `null` if that is not the owner of the account. */
  readonly userAgent: string | null
  readonly at: Date
}

interface EventTransaction {
  readonly tx: Tx
  readonly announce: Announce
  readonly withCommit: WithCommit
  readonly canSendMail: boolean
}

/**
 * Records a change to how an account can be entered and notifies its owner. Is sent with the commit.
 */
export function recordSecurityEvent(
  { tx, announce, withCommit, canSendMail }: EventTransaction,
  { userId, kind, sessionId, userAgent, at }: NewSecurityEvent,
): void {
  const device = userAgent === null ? null : deviceOf(userAgent)
  withCommit(queries.insertEvent(tx, { id: newId<SecurityEventId>(), userId, kind, sessionId, device, at }))
  announce.publish({ kind: 'account_entry_changed', userId, change: kind, exceptSessionId: sessionId, at })
  if (canSendMail) queueSecurityAlert({ tx, announce, withCommit }, { userId, change: kind }, at)
}

export function listSecurityEvents({ pool }: { pool: Pool }, { userId, sessionId }: Caller): Promise<SecurityEvent[]> {
  return queries.listEvents(pool, userId, sessionId)
}

/** Marks everything up to this event as seen. Ids are ordered by time. */
export async function markSecurityEventsSeen(
  { pool, now }: { pool: Pool; now: () => Date },
  { userId }: Caller,
  upTo: SecurityEventId,
): Promise<void> {
  await queries.updateSeen(pool, userId, upTo, now())
}
