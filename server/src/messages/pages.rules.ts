import type { MessageId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import { messageLimits } from '@hither/contract/runtime/messages/messages.ts'
import { fieldError, InvalidInput } from '../platform/errors/refusal.ts'
import type { Page } from './conversations.queries.ts'

export interface PageQuery {
  readonly limit?: number
  readonly offset?: number
  readonly before?: MessageId
  readonly after?: MessageId
  readonly around?: MessageId
}

/** A page is read from the end, or from one named message. */
export function readPage({ limit = messageLimits.pageDefault, offset = 0, ...anchors }: PageQuery): Page {
  const directions = (['before', 'after', 'around'] as const).filter((name) => anchors[name] !== undefined)
  const [direction = 'before', second] = directions
  if (second !== undefined || (directions.length > 0 && offset > 0))
    throw new InvalidInput(fieldError('query', second ?? direction)('page_ambiguous'))
  return { direction, anchor: anchors[direction] ?? null, limit, offset }
}

/** Cuts off the messages beyond the page, which only show that there are more. `messages` are in ascending order. */
export function cutPage({ direction, limit }: Page, messages: readonly Message[], anchorSeq: number | null) {
  const newer = direction === 'before' ? [] : messages.filter(({ seq }) => seq > (anchorSeq ?? 0))
  const older = messages.slice(0, messages.length - newer.length)
  const shownNewer = newer.slice(0, direction === 'after' ? limit : Math.floor((limit - 1) / 2))
  const olderMax = limit - shownNewer.length
  const shownOlder = olderMax > 0 ? older.slice(-olderMax) : []
  return {
    messages: [...shownOlder, ...shownNewer],
    hasOlder: older.length > shownOlder.length,
    hasNewer: newer.length > shownNewer.length,
  }
}
