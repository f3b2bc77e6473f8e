import { type ConversationId, type UserId } from '@hither/contract/ids.ts'
import { type Db } from '../platform/database.ts'

/** Also those that a block hides. */
export async function listJoinedIds(db: Db, userId: UserId): Promise<ConversationId[]> {
  const rows = await db<{ chat_id: ConversationId }[]>`
    select chat_id from chat_members where user_id = ${userId} order by chat_id`
  return rows.map(({ chat_id }) => chat_id)
}

/** In one order, or two who go at once could wait for one another. */
export async function lockJoined(db: Db, userId: UserId): Promise<void> {
  await db`
    select id from chats
    where id in (
      select chat_id from chat_members where user_id = ${userId}
      union
      select c.id from chats c join location_pins p on p.id = c.ping_id where p.user_id = ${userId}
    )
    order by id for no key update`
}

/** Messages stay as from "Deleted user", and direct conversations as of nobody. Removals by group admins are deleted. */
export async function detachUser(db: Db, userId: UserId): Promise<void> {
  await db`update messages set sender_id = null where sender_id = ${userId}`
  await db`update chats set pair_low_id = null where pair_low_id = ${userId}`
  await db`update chats set pair_high_id = null where pair_high_id = ${userId}`
  await db`delete from chat_removals where user_id = ${userId}`
}
