import type { UserId } from '@hither/contract/ids.ts'
import type { searchMessages as searchOperation } from '@hither/contract/messages/message-search.ts'
import type { Input, Reply } from '@hither/contract/operation.ts'
import { messageSearchLimits } from '@hither/contract/runtime/messages/message-search.ts'
import { isCanceled } from '../../platform/db/conflicts.ts'
import { inOrder } from '../../platform/db/in-order.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import type { MessagesDeps } from '../chats.service.ts'
import * as queries from './search.queries.ts'
import { cursorOf, readCursor, readQuery } from './search.rules.ts'

/** After this time a search is given up, so that it does not take the database from others. */
const timeoutMs = 2000

/** Searches the messages that the caller may read, newest first. */
export async function searchMessages(
  { pool, now }: MessagesDeps,
  callerId: UserId,
  { q, conversation_id, limit = messageSearchLimits.pageDefault, cursor }: Input<typeof searchOperation>['body'],
): Promise<Reply<typeof searchOperation>> {
  const conversationId = conversation_id ?? null
  const options = { words: readQuery(q), conversationId, position: readCursor(cursor), limit }
  const [found] = await pool
    .begin('read only', async (tx) => {
      const [, rows] = await inOrder([
        queries.limitTime(tx, timeoutMs),
        queries.searchMessages(tx, callerId, now(), options),
      ])
      return rows
    })
    .catch((error: unknown) => {
      throw isCanceled(error) ? new Refusal('server_busy') : error
    })
  if (conversationId !== null && !found?.is_found) throw new Refusal('conversation_not_found')
  const messages = found?.messages ?? []
  const page = messages.slice(0, limit)
  const last = messages.length > limit ? page.at(-1) : undefined
  return { messages: page, next_cursor: last ? cursorOf(last) : null }
}
