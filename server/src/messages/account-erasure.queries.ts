import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import type { Reaction } from '@hither/contract/messages/reactions.ts'
import type { Tx } from '../platform/db/database.ts'
import { statement } from '../platform/db/statements.ts'
import * as shown from './messages.visibility.ts'

/** Lists the conversations of a user, including those that a block hides. */
export async function listJoinedIds(tx: Tx, userId: UserId): Promise<ConversationId[]> {
  const rows = await tx<{ chat_id: ConversationId }[]>`
    select chat_id from chat_members where user_id = ${userId} order by chat_id`
  return rows.map(({ chat_id }) => chat_id)
}

/**
 * Locks the conversations of a user, and those with a reaction of the user, in the order of their ids, so that two
 * concurrent account deletions do not deadlock.
 */
export async function lockJoined(tx: Tx, userId: UserId): Promise<void> {
  await tx`
    select id from chats
    where id in (
      select chat_id from chat_members where user_id = ${userId}
      union
      select c.id from chats c join location_pins p on p.id = c.ping_id where p.user_id = ${userId}
      union
      select id from chats where ping_owner_id = ${userId}
      union
      select m.chat_id from message_reactions r join messages m on m.id = r.message_id where r.user_id = ${userId}
    )
    order by id for no key update`
}

/**
 * Lists the reactions of a user that others see, by conversation: also in groups that the user has left, but not in
 * direct conversations that a block hides.
 */
export async function listShownReactions(tx: Tx, userId: UserId): Promise<readonly Reaction[]> {
  return shownReactions<Reaction>(tx, { userId })
}

const shownReactions = statement`
  select r.message_id, m.chat_id as conversation_id, r.user_id, u.username, r.emoji, r.created_at
  from message_reactions r
  join messages m on m.id = r.message_id
  join chats c on c.id = m.chat_id
  join users u on u.id = r.user_id
  where r.user_id = ${'userId'} and ${shown.isOpen} order by m.chat_id, r.created_at`

export async function deleteReactions(tx: Tx, userId: UserId): Promise<void> {
  await tx`delete from message_reactions where user_id = ${userId}`
}

/**
 * Keeps messages as from "Deleted user" and direct conversations without this member. Deletes photos and the records of
 * removals by group admins.
 */
export async function detachUser(tx: Tx, userId: UserId): Promise<void> {
  await tx`update messages set sender_id = null where sender_id = ${userId}`
  await tx`update chats set pair_low_id = null where pair_low_id = ${userId}`
  await tx`update chats set pair_high_id = null where pair_high_id = ${userId}`
  await tx`update chats set ping_owner_id = null where ping_owner_id = ${userId}`
  await tx`delete from images where uploaded_by = ${userId}`
  await tx`delete from chat_removals where user_id = ${userId}`
}
