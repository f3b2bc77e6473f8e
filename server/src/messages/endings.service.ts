import { type MessageId, type UserId } from '@hither/contract/ids.ts'
import { type Announce } from '../platform/changes.ts'
import { type Db } from '../platform/database.ts'
import { deleteChat, isMember } from './conversations.queries.ts'
import { detachUser, listJoinedIds, lockJoined } from './endings.queries.ts'
import { findHeldByNobody } from './members.queries.ts'
import { leaveHeld } from './members.service.ts'
import { deleteMessage } from './messages.queries.ts'

/** Holds every conversation of a person, and of their pings, until the transaction ends. Needs `lockRelations`. */
export async function lockConversations(db: Db, userId: UserId): Promise<void> {
  await lockJoined(db, userId)
}

/**
 * Whoever deletes their account leaves them all; what they said stays, as from nobody, wherever somebody else can read it.
 * Needs `lockConversations`.
 */
export async function leaveAllConversations(db: Db, announce: Announce, userId: UserId, now: Date): Promise<void> {
  for (const id of await listJoinedIds(db, userId)) {
    const chat = await findHeldByNobody(db, id)
    if (!chat) continue
    // Hidden by a block. It would come back with the end of that, which goes with the account; nobody is told.
    if (!(await isMember(db, id, userId))) await deleteChat(db, id)
    else await leaveHeld(db, announce, chat, userId, now)
  }
}

/** For one that had been deleted before and has come back with a backup: nobody is told. */
export async function eraseMessage(db: Db, messageId: MessageId, now: Date): Promise<void> {
  await deleteMessage(db, messageId, now)
}

/** Joins the caller's transaction. The messages of a user who stays become messages of "Deleted user". */
export async function disownMessages(db: Db, userId: UserId): Promise<void> {
  await detachUser(db, userId)
}
