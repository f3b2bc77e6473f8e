import type { UserId } from '@hither/contract/ids.ts'
import type { Tx } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements.ts'
import type { LockedConversation } from '../conversations.queries.ts'

// All are returned before they run, so that they can be sent with the commit.

const insert = statement`
  insert into chat_keep_requests (chat_id, user_id) values (${'conversationId'}, ${'userId'})`

export function insertRequest(tx: Tx, conversationId: LockedConversation, userId: UserId) {
  return insert(tx, { conversationId, userId })
}

const remove = statement`
  delete from chat_keep_requests where chat_id = ${'conversationId'} and user_id = ${'userId'}`

export function deleteRequest(tx: Tx, conversationId: LockedConversation, userId: UserId) {
  return remove(tx, { conversationId, userId })
}

const kept = statement`
  with requests as (delete from chat_keep_requests where chat_id = ${'conversationId'})
  update chats set erase_at = null, kept_at = ${'now'} where id = ${'conversationId'}`

/** Takes its date from a chat, which stays. */
export function updateKept(tx: Tx, conversationId: LockedConversation, now: Date) {
  return kept(tx, { conversationId, now })
}
