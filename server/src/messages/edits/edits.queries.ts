import type { MessageId } from '@hither/contract/ids.ts'
import type { Tx } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements.ts'

const update = statement`update messages set content = ${'text'}, edited_at = ${'editedAt'} where id = ${'messageId'}`

/** `text` is the text, or the caption of the attachment. Needs the conversation locked. */
export function updateText(tx: Tx, messageId: MessageId, text: string, editedAt: string) {
  return update(tx, { messageId, text, editedAt })
}
