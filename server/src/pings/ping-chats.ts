import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import type { Announce } from '../events/changes.ts'
import type { Tx } from '../platform/db/database.ts'

/** The chat of a ping. Pings do not know conversations; all functions need the owner of the ping locked. */
export interface PingChats {
  /** Adds those of the users who want to join the chats of pings, unless an admin has removed them from this one. */
  join(tx: Tx, announce: Announce, conversationId: ConversationId, userIds: readonly UserId[], now: Date): Promise<void>
  /** Removes a user. Does nothing if the user is no member. */
  leave(tx: Tx, announce: Announce, conversationId: ConversationId, userId: UserId, now: Date): Promise<void>
  /** Moves the date of the chat by as much as the end of the ping has moved. Does nothing for a chat without a date. */
  moveDate(
    tx: Tx,
    announce: Announce,
    conversationId: ConversationId,
    end: { readonly before: string; readonly after: string },
  ): Promise<void>
}
