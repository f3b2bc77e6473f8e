import type { MessageId, UserId } from '@hither/contract/ids.ts'
import type { ReactionGroup } from '@hither/contract/messages/message-parts.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import type { OutgoingReaction } from '../outbox/outbox-items.ts'

type Groups = ReactionGroup[]

/** Sets the user's only reaction to a message. Returns the same array if the user has already chosen this emoji. */
export function withReaction(groups: Groups, userId: UserId, emoji: string): Groups {
  if (emojiOf(groups, userId) === emoji) return groups
  const others = withoutReaction(groups, userId)
  if (!others.some((group) => group.emoji === emoji)) return [...others, { emoji, user_ids: [userId] }]
  return others.map((group) => (group.emoji === emoji ? { emoji, user_ids: [...group.user_ids, userId] } : group))
}

/** Removes the user's reaction. Returns the same array if there is none. */
export function withoutReaction(groups: Groups, userId: UserId): Groups {
  if (emojiOf(groups, userId) === undefined) return groups
  return withoutUsers(groups, (other) => other === userId)
}

/** Shows the viewer's choice that is not sent yet. A refused one is not shown. */
export function withPendingReaction<Row extends { message: Message }>(
  row: Row,
  waiting: ReadonlyMap<MessageId, OutgoingReaction>,
  viewerId: UserId,
): Row {
  const choice = waiting.get(row.message.id)
  if (choice === undefined || choice.state === 'failed') return row
  const before = row.message.reactions
  const reactions =
    choice.emoji === null ? withoutReaction(before, viewerId) : withReaction(before, viewerId, choice.emoji)
  return reactions === before ? row : { ...row, message: { ...row.message, reactions } }
}

/** Leaves out the reactions of blocked users. Returns the same array if there are none. */
export function withoutBlocked(groups: Groups, blocked: ReadonlySet<UserId>): Groups {
  if (blocked.size === 0 || !groups.some(({ user_ids }) => user_ids.some((userId) => blocked.has(userId))))
    return groups
  return withoutUsers(groups, (userId) => blocked.has(userId))
}

/** Returns the emoji that the user has chosen. */
export function emojiOf(groups: Groups, userId: UserId): string | undefined {
  return groups.find(({ user_ids }) => user_ids.includes(userId))?.emoji
}

function withoutUsers(groups: Groups, isLeftOut: (userId: UserId) => boolean): Groups {
  return groups
    .map(({ emoji, user_ids }) => ({ emoji, user_ids: user_ids.filter((userId) => !isLeftOut(userId)) }))
    .filter(({ user_ids }) => user_ids.length > 0)
}
