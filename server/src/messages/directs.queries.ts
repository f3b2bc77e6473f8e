import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import type { Tx } from '../platform/db/database.ts'

/** Locks the direct conversation of two users until the transaction ends, if there is one, and returns its id. */
export async function lockPairChat(tx: Tx, a: UserId, b: UserId): Promise<ConversationId | undefined> {
  const [row] = await tx<{ id: ConversationId }[]>`
    select id from chats
    where pair_low_id = least(${a}::uuid, ${b}::uuid) and pair_high_id = greatest(${a}::uuid, ${b}::uuid)
    for no key update`
  return row?.id
}
