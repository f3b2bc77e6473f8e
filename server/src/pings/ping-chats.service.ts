import { type ConversationId, type PingId } from '@hither/contract/ids.ts'
import { type Announce } from '../platform/changes.ts'
import { type Db } from '../platform/database.ts'
import { findAnnounced } from './pings.queries.ts'
import { rowOf } from './pings.service.ts'

/** Tells the owner and the invitees of a ping that its chat is another one than it was. Needs the ping's owner locked. */
export async function announceChat(
  db: Db,
  announce: Announce,
  pingId: PingId,
  before: ConversationId | null,
  now: Date,
): Promise<void> {
  const ping = await findAnnounced(db, pingId, now)
  if (!ping) return
  const row = rowOf(ping)
  announce.update('location_pins', row, { ...row, conversation_id: before }, [ping.user_id, ...ping.invitee_ids])
}
