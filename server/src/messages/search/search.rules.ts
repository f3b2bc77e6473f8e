import type { MessageId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import { messageSearchLimits, searchedWords } from '@hither/contract/runtime/messages/message-search.ts'
import { isUuid } from '@hither/contract/runtime/uuid.ts'
import { readInstant } from '@hither/contract/values.ts'
import { faultAt } from '../messages.rules.ts'

/** Returns the words of a query. Refuses one without words. */
export function readQuery(text: string, part: 'body' | 'query' = 'body'): string[] {
  const query = text.trim()
  const length = [...query].length
  const isLongEnough = length >= messageSearchLimits.queryMin && length <= messageSearchLimits.queryMax
  const words = isLongEnough ? searchedWords(query) : []
  if (words.length === 0) throw faultAt('query_invalid', part, 'q')
  return words
}

/** The words by which a message is found. `text` is the text, or the caption of an attachment. */
export function wordsOf(text: string, placeName: string | null | undefined): string[] {
  return searchedWords(`${text} ${placeName ?? ''}`)
}

/** The last message of a page. The next page has the messages that are older. */
export interface Position {
  readonly createdAt: string
  readonly id: MessageId
}

export function cursorOf({ created_at, id }: Message): string {
  return Buffer.from(`${created_at} ${id}`).toString('base64url')
}

export function readCursor(cursor: string | undefined, part: 'body' | 'query' = 'body'): Position | null {
  if (cursor === undefined) return null
  const [createdAt = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (rest.length > 0 || readInstant(createdAt)?.toISOString() !== createdAt || !isUuid(id))
    throw faultAt('cursor_invalid', part, 'cursor')
  return { createdAt, id: id as MessageId }
}
