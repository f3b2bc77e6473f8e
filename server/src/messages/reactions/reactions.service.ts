import type { MessageId, UserId } from '@hither/contract/ids.ts'
import type { Reaction } from '@hither/contract/messages/reactions.ts'
import { feeds } from '../../feeds/feeds.ts'
import type { Db } from '../../platform/db/database.ts'
import { JsonText } from '../../platform/db/json-text.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import type { MessagesDeps } from '../chats.service.ts'
import { assertCanSend } from '../messages.rules.ts'
import * as queries from './reactions.queries.ts'
import { assertBelowLimit, readEmoji } from './reactions.rules.ts'

export type ReactionNotice = queries.ReactionNotice

/** Reacts to a message, or changes the caller's reaction. The same emoji again changes nothing. */
export async function setReaction(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  messageId: MessageId,
  text: string,
): Promise<Reaction> {
  const emoji = readEmoji(text)
  return changes.commit(pool, async (tx, announce, withCommit) => {
    const chat = await queries.lockReactedMessage(tx, callerId, messageId, now())
    if (!chat) throw new Refusal('message_not_found')
    assertCanSend(chat)
    const before = chat.own && reactionOf(chat, callerId, messageId, chat.own)
    if (before?.emoji === emoji) return before
    if (!before) assertBelowLimit(chat.reaction_count)
    const at = now()
    const reaction = reactionOf(chat, callerId, messageId, { emoji, created_at: at.toISOString() })
    const audience = feeds.message_reactions.audience(chat)
    if (before) announce.update('message_reactions', reaction, before, audience)
    else announce.insert('message_reactions', reaction, audience)
    withCommit(queries.upsertReaction(tx, reaction))
    const { id: conversationId, author_id: authorId } = chat
    if (!before && authorId !== null && authorId !== callerId)
      announce.publish({ kind: 'message_reacted', conversationId, messageId: reaction.message_id, authorId, at })
    return reaction
  })
}

/** Removes the caller's reaction. Succeeds without a change if there is none, or if the caller does not see the message. */
export async function removeReaction(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  messageId: MessageId,
): Promise<void> {
  await changes.commit(pool, async (tx, announce, withCommit) => {
    const chat = await queries.lockReactedMessage(tx, callerId, messageId, now())
    if (!chat?.own) return
    const reaction = reactionOf(chat, callerId, messageId, chat.own)
    announce.delete('message_reactions', reaction, feeds.message_reactions.audience(chat))
    withCommit(queries.deleteReaction(tx, messageId, callerId))
  })
}

/** Lists the reactions to a message, oldest first. */
export async function listReactions(
  { pool, now }: MessagesDeps,
  viewerId: UserId,
  messageId: MessageId,
): Promise<JsonText<Reaction[]>> {
  const [row] = await queries.listReactions(pool, viewerId, messageId, now())
  if (!row) throw new Refusal('message_not_found')
  return new JsonText(row.json)
}

/** Finds the latest reaction since `since` to a message of the viewer, who would be notified of it. */
export function findReactionNotice(
  db: Db,
  viewerId: UserId,
  messageId: MessageId,
  since: string,
  now: Date,
): Promise<ReactionNotice | undefined> {
  return queries.findNotice(db, viewerId, messageId, since, now)
}

function reactionOf(
  { id, caller_username }: queries.ReactedMessage,
  callerId: UserId,
  messageId: MessageId,
  { emoji, created_at }: { emoji: string; created_at: string },
): Reaction {
  return {
    // Clients may write an id in upper case; the database stores lower case.
    message_id: messageId.toLowerCase() as MessageId,
    conversation_id: id,
    user_id: callerId,
    username: caller_username,
    emoji,
    created_at,
  }
}
