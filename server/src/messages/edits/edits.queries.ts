import type { MessageId } from '@hither/contract/ids.ts'
import type { Tx } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements.ts'

const update = statement`
  update messages set content = ${'text'}, edited_at = ${'editedAt'}, search = words_in_chat(chat_id, ${'words'}::text[]),
    words_outdated = false
  where id = ${'messageId'}`

/** `text` is the text, or the caption of the attachment. Needs the conversation locked. */
export function updateText(
  tx: Tx,
  edit: { messageId: MessageId; text: string; words: readonly string[]; editedAt: string },
) {
  return update(tx, edit)
}
