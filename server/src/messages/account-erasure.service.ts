import type { MessageId, UserId } from '@hither/contract/ids.ts'
import type { Announce } from '../events/changes.ts'
import { feeds } from '../feeds/feeds.ts'
import type { Tx } from '../platform/db/database.ts'
import {
  deleteReactions,
  detachUser,
  listJoinedIds,
  listShownReactions,
  lockJoined,
} from './account-erasure.queries.ts'
import { deleteChat, isMember } from './conversations.queries.ts'
import { findConversationUnchecked } from './members.queries.ts'
import { removeMember } from './members.service.ts'
import { deleteMessage } from './messages.queries.ts'

/** Locks every conversation of a user and of their pings until the transaction ends. Needs `lockRelations`. */
export async function lockConversations(tx: Tx, userId: UserId): Promise<void> {
  await lockJoined(tx, userId)
}

/**
 * Removes a user whose account is deleted from all their conversations. Their messages stay as from "Deleted user" if
 * another member can read them. Needs `lockConversations`.
 */
export async function leaveAllConversations(tx: Tx, announce: Announce, userId: UserId, now: Date): Promise<void> {
  await eraseReactions(tx, announce, userId)
  for (const id of await listJoinedIds(tx, userId)) {
    const chat = await findConversationUnchecked(tx, id)
    if (!chat) continue
    // The conversation is hidden by a block. The block ends with the account and would show it again; nothing is
    // announced.
    if (chat.type === 'direct' && !(await isMember(tx, id, userId, now))) await deleteChat(tx, id)
    else await removeMember(tx, announce, chat, userId, now)
  }
}

/** Deletes the reactions of a user and announces it to the other members who see them. */
async function eraseReactions(tx: Tx, announce: Announce, userId: UserId): Promise<void> {
  const reactions = await listShownReactions(tx, userId)
  for (const id of new Set(reactions.map(({ conversation_id }) => conversation_id))) {
    const chat = await findConversationUnchecked(tx, id)
    const members = chat?.members.filter(({ user_id }) => user_id !== userId) ?? []
    for (const reaction of reactions)
      if (reaction.conversation_id === id)
        announce.delete('message_reactions', reaction, feeds.message_reactions.audience({ members }))
  }
  await deleteReactions(tx, userId)
}

/** Erases a message that was deleted before and came back with a restored backup. Announces nothing. */
export async function eraseMessage(tx: Tx, messageId: MessageId, now: Date): Promise<void> {
  await deleteMessage(tx, messageId, now)
}

/**
 * Changes the sender of the messages of a user whose account stays to "Deleted user".
 */
export async function disownMessages(tx: Tx, userId: UserId): Promise<void> {
  await detachUser(tx, userId)
}
