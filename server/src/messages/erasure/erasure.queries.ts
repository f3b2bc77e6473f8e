import type { ConversationId } from '@hither/contract/ids.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements.ts'
import { type ChatWithMembers, chatColumns } from '../members.queries.ts'

/** Lists chats whose date has passed, oldest first. Returned before it runs, so that a test can ask the database for its plan. */
export function listDue(db: Db, now: Date, limit: number) {
  return db<{ id: ConversationId }[]>`
    select id from chats where erase_at <= ${now} order by erase_at limit ${limit}`
}

/** Returns the next date of a chat, or `null` if no chat has one. */
export async function findNextDate(db: Db): Promise<string | null> {
  const [row] = await db<[{ at: string | null }]>`select min(erase_at) as at from chats where erase_at is not null`
  return row.at
}

/** Locks those of these chats that still exist and whose date has passed, in the order of their ids. */
export async function lockDue(tx: Tx, ids: readonly ConversationId[], now: Date): Promise<ConversationId[]> {
  const rows = await tx<{ id: ConversationId }[]>`
    select id from chats where id = any(${ids}::uuid[]) and erase_at <= ${now} order by id for no key update`
  return rows.map(({ id }) => id)
}

const chats = statement`select ${chatColumns} from chats c where c.id = any(${'ids'}::uuid[])`

/** Returns locked chats with their members. */
export function listLocked(tx: Tx, ids: readonly ConversationId[]) {
  return chats<ChatWithMembers>(tx, { ids })
}
