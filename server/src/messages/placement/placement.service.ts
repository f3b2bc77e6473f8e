import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import { messageLimits } from '@hither/contract/runtime/messages/messages.ts'
import type { Announce, WithCommit } from '../../events/changes.ts'
import { feeds } from '../../feeds/feeds.ts'
import type { Tx } from '../../platform/db/database.ts'
import { inOrder } from '../../platform/db/in-order.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { lockUserAndRead } from '../../users/user-locks.ts'
import { chatRowOf, type LockedChat, lockAndFind, lockConversation, type MessagesDeps } from '../chats.service.ts'
import { type ChatWithMembers, findChatOfCaller, type Member } from '../members.queries.ts'
import { memberOf } from '../messages.rules.ts'
import * as queries from './placement.queries.ts'

/** Pins a conversation to the top of the caller's list, which takes it out of the archive. */
export async function pinConversation(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
): Promise<void> {
  await changes.commit(pool, async (tx, announce, withCommit) => {
    // The lock prevents two concurrent calls from exceeding the limit.
    const [, [chat, count]] = await lockUserAndRead(tx, callerId, () =>
      inOrder([lockConversation(tx, callerId, conversationId, now()), queries.countPinned(tx, callerId)]),
    )
    const member = ownMembership(chat, callerId)
    if (member.placement?.pinned_at != null) return
    if (count >= messageLimits.pinnedMax) throw new Refusal('too_many_pinned_chats')
    place({ tx, announce, withCommit }, chat, member, { pinned_at: now().toISOString(), archived_at: null })
  })
}

/** Archives a conversation for the caller until its next message, which unpins it. */
export async function archiveConversation(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
): Promise<void> {
  await changes.commit(pool, async (tx, announce, withCommit) => {
    const chat = await lockConversation(tx, callerId, conversationId, now())
    const member = ownMembership(chat, callerId)
    if (member.placement?.archived_at != null) return
    place({ tx, announce, withCommit }, chat, member, { pinned_at: null, archived_at: now().toISOString() })
  })
}

/** Unpins a conversation. Succeeds without a change if it is not pinned, or if the caller does not see it. */
export function unpinConversation(deps: MessagesDeps, callerId: UserId, conversationId: ConversationId): Promise<void> {
  return clear(deps, callerId, conversationId, 'pinned_at')
}

/** Like `unpinConversation`, for the archive. */
export function unarchiveConversation(
  deps: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
): Promise<void> {
  return clear(deps, callerId, conversationId, 'archived_at')
}

async function clear(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
  column: 'pinned_at' | 'archived_at',
): Promise<void> {
  await changes.commit(pool, async (tx, announce, withCommit) => {
    const chat = await lockAndFind(tx, conversationId, () => findChatOfCaller(tx, callerId, conversationId, now()))
    const member = chat && memberOf(chat, callerId)
    if (!chat || member?.placement?.[column] == null) return
    place({ tx, announce, withCommit }, chat, member, { pinned_at: null, archived_at: null })
  })
}

function ownMembership(chat: ChatWithMembers, callerId: UserId): Member {
  const member = memberOf(chat, callerId)
  if (!member) throw new Refusal('conversation_not_found')
  return member
}

function place(
  { tx, announce, withCommit }: { tx: Tx; announce: Announce; withCommit: WithCommit },
  chat: LockedChat,
  member: Member,
  times: { pinned_at: string | null; archived_at: string | null },
): void {
  const before = chatRowOf(chat, member)
  announce.update('chats', { ...before, ...times }, before, feeds.chats.audience(member))
  withCommit(queries.updatePlacement(tx, chat.id, member.user_id, times))
}
