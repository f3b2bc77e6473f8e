import type { MessageId } from '@hither/contract/ids.ts'
import type { Tx } from '../../platform/db/database.ts'

/** Locks the newest messages whose words were made by an earlier version, without those that somebody else has locked. */
export async function lockOutdated(tx: Tx, limit: number) {
  return tx<{ id: MessageId; content: string; place_name: string | null }[]>`
    select id, content, place_name from messages where words_outdated order by id desc limit ${limit}
    for update skip locked`
}

export async function updateWords(
  tx: Tx,
  messages: readonly { id: MessageId; words: readonly string[] }[],
): Promise<void> {
  await tx`
    update messages m set search = words_in_chat(m.chat_id, w.words), words_outdated = false
    from json_to_recordset(${JSON.stringify(messages)}::json) as w (id uuid, words text[])
    where m.id = w.id`
}
