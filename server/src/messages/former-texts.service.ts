import type { MessageRow } from '@hither/contract/feeds.ts'
import { rewriteChanges } from '../events/outbox-redaction.ts'
import { requoted } from '../feeds/message-quotes.ts'
import type { Tx } from '../platform/db/database.ts'

/** Removes the former text of an edited message, and quotes of it, from the stored changes. */
export function forgetFormerText(tx: Tx, edited: MessageRow): Promise<void> {
  const { id, content, attachment, edited_at } = edited
  return rewriteChanges(tx, id, (change) => {
    if (change.table !== 'messages' || change.record === null) return change
    const { record } = change
    if (record.id === id) return { ...change, record: { ...record, content, attachment, edited_at } }
    return { ...change, record: requoted(record, id, edited) }
  })
}

/**
 * Removes a deleted message, and quotes of it, from the stored changes. A change that showed the message becomes its
 * deletion and is not removed, because clients resume from the position of any change. `emptied` is the row without
 * its contents.
 */
export function forgetMessage(tx: Tx, emptied: MessageRow): Promise<void> {
  const { id } = emptied
  return rewriteChanges(tx, id, (change) => {
    if (change.table !== 'messages' || change.record === null) return change
    if (change.record.id === id) return { ...change, type: 'DELETE', record: null, oldRecord: emptied }
    return { ...change, record: requoted(change.record, id, null) }
  })
}
