import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import type { Db } from '../../platform/db/database.ts'
import { isoTime, sql, statement } from '../../platform/db/statements.ts'
import { hasBlocked } from '../../relations/relations.visibility.ts'
import { messageColumns, storedColumns } from '../messages.columns.ts'
import * as shown from '../messages.visibility.ts'
import type { Position } from './search.rules.ts'

/** The words as a query in the conversation `c`: each matches the beginnings of words, and all must match. Words are letters, marks and digits. */
const words = sql`(
  select string_agg('''' || word_in_chat(c.id, word) || ''':*', ' & ')::tsquery from unnest(${'words'}::text[]) word)`

/** The conversations in which the viewer searches. */
const searched = sql`
  select c.id, ${words} as words from chat_members me join chats c on c.id = me.chat_id
  where ${shown.isSeen} and (${'conversationId'}::uuid is null or c.id = ${'conversationId'}::uuid)`

const search = statement`
  select exists (${searched}) as is_found, (
    select coalesce(json_agg(page order by page.created_at desc, page.id desc), '[]')
    from (
      select ${messageColumns(isoTime)}
      from (
        select f.* from (${searched}) s cross join lateral (
          select ${storedColumns} from messages f
          where f.deleted_at is null and f.chat_id = s.id and f.search @@ s.words
            and (${'createdAt'}::timestamptz is null
              or (f.created_at, f.id) < (${'createdAt'}::timestamptz, ${'id'}::uuid))
            and not ${hasBlocked<'viewerId'>(sql`${'viewerId'}`, sql`f.sender_id`)}
          order by f.created_at desc, f.id desc limit ${'limit'}::int + 1
        ) f
        order by f.created_at desc, f.id desc limit ${'limit'}::int + 1
      ) m
      join ${shown.membership} me on me.chat_id = m.chat_id and me.user_id = ${'viewerId'}
      left join lateral (${shown.person(sql`m.sender_id`)}) u on true
    ) page
  ) as messages`

/**
 * Searches the messages that the viewer may read, without those of people whom the viewer has blocked. `messages` are the
 * newest ones before `position`, newest first; one more than `limit` if there are more. `is_found` tells whether the viewer
 * sees the conversation, or any. Returned before it runs, so that a test can ask the database for its plan.
 */
export function searchMessages(
  db: Db,
  viewerId: UserId,
  now: Date,
  options: {
    words: readonly string[]
    conversationId: ConversationId | null
    position: Position | null
    limit: number
  },
) {
  const { position, ...rest } = options
  return search<{ is_found: boolean; messages: Message[] }>(db, {
    ...rest,
    viewerId,
    now,
    createdAt: position?.createdAt ?? null,
    id: position?.id ?? null,
  })
}

/** Limits the time of the statements of this transaction. */
export async function limitTime(db: Db, milliseconds: number): Promise<void> {
  await db.unsafe(`set local statement_timeout = ${milliseconds}`)
}
