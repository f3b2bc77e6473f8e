import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import * as queries from './notices.queries.ts'

export type PingNotice = queries.PingNotice

/**
 * Finds what a notification says about a ping. Returns nothing for a person who neither owns the ping nor has a response to
 * it, also if they have lost access.
 */
export async function findNotice(db: Db, viewerId: UserId, pingId: PingId, now: Date): Promise<PingNotice | undefined> {
  const notice = await queries.findNotice(db, viewerId, pingId, now)
  return notice && (notice.user_id === viewerId || notice.response !== null) ? notice : undefined
}

/** Stores that a person was notified of a change of a ping. */
export function noteChangePushed(tx: Tx, pingId: PingId, userId: UserId, at: Date): Promise<void> {
  return queries.updateChangePushed(tx, pingId, userId, at)
}
