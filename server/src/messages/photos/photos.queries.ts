import type { MessageId, UserId } from '@hither/contract/ids.ts'
import type { ImageRow } from '../../files/files.service.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements.ts'
import { chatOfMessage, isSeenMessage } from '../message-lock.queries.ts'

const photo = statement`
  select i.storage_key, i.thumb_storage_key, i.hash, i.width, i.height, i.bytes, i.thumb_bytes
  from ${chatOfMessage} left join images i on i.message_id = m.id
  where ${isSeenMessage}`

type Found = { [Column in keyof ImageRow]: ImageRow[Column] | null }

/**
 * Finds the photo of a message; null if the message has none, and undefined if the viewer does not see the message.
 * Returns the same for a deleted message as for an unknown one.
 */
export async function findPhoto(
  db: Db,
  viewerId: UserId,
  messageId: MessageId,
  now: Date,
): Promise<ImageRow | null | undefined> {
  const [row] = await photo<Found>(db, { viewerId, messageId, now })
  return row && (row.storage_key === null ? null : (row as ImageRow))
}
