import { type ConversationId, type UserId } from '@hither/contract/ids.ts'
import { type Db } from '../platform/database.ts'

/** Holds the direct conversation of two people until the transaction ends, where there is one. */
export async function lockPairChat(db: Db, a: UserId, b: UserId): Promise<ConversationId | undefined> {
  const [row] = await db<{ id: ConversationId }[]>`
    select id from chats
    where pair_low_id = least(${a}::uuid, ${b}::uuid) and pair_high_id = greatest(${a}::uuid, ${b}::uuid)
    for no key update`
  return row?.id
}
