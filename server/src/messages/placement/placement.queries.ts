import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import type { Tx } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements.ts'
import type { LockedConversation } from '../conversations.queries.ts'

const pinned = statement`
  select count(*)::int as count from chat_members where user_id = ${'userId'} and pinned_at is not null`

export async function countPinned(tx: Tx, userId: UserId): Promise<number> {
  const [row] = await pinned<{ count: number }>(tx, { userId })
  return row?.count ?? 0
}

const update = statement`
  update chat_members set pinned_at = ${'pinnedAt'}, archived_at = ${'archivedAt'}
  where chat_id = ${'conversationId'} and user_id = ${'userId'}`

/** Returned before it runs, so that it can be sent with the commit. */
export function updatePlacement(
  tx: Tx,
  conversationId: LockedConversation,
  userId: UserId,
  { pinned_at: pinnedAt, archived_at: archivedAt }: { pinned_at: string | null; archived_at: string | null },
) {
  return update(tx, { conversationId, userId, pinnedAt, archivedAt })
}

const unpin = statement`
  update chat_members set pinned_at = null where chat_id = ${'conversationId'} and pinned_at is not null`

/** Unpins a conversation that is hidden from its members, who could not unpin it themselves. */
export async function unpinForAll(tx: Tx, conversationId: ConversationId): Promise<void> {
  await unpin(tx, { conversationId })
}
