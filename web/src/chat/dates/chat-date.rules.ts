import type { ChatRow } from '@hither/contract/feeds.ts'
import type { ConversationSummary } from '@hither/contract/messages/messages.ts'
import { dayAround } from '../../ui/format-time.ts'

/** The date of a chat, when it was kept, and who has asked to keep it. */
export type ChatDate = Pick<ConversationSummary, 'erase_at' | 'kept_at' | 'keep_requests'>

/** How far this device may be behind the server's time, in milliseconds. */
export const clockErrorMs = 2000

/** Whether the date of the chat has passed. */
export function hasEnded({ erase_at }: Pick<ChatDate, 'erase_at'>, nowMs: number): boolean {
  return erase_at !== null && Date.parse(erase_at) <= nowMs
}

/** Applies a response of the server. It may be older than the live change that has kept the chat, which never has a date again. */
export function withDate<T extends ChatDate>(one: T, { erase_at, kept_at, keep_requests }: ChatDate): T {
  return one.kept_at === null ? { ...one, erase_at, kept_at, keep_requests } : one
}

/**
 * Applies a live row, which does not say who has asked: a request that was unknown counts as that of another member. Returns the
 * same object if nothing changes.
 */
export function withDateOfRow<T extends ChatDate>(
  one: T,
  { erase_at, kept_at, keep_count }: Pick<ChatRow, 'erase_at' | 'kept_at' | 'keep_count'>,
): T {
  const known = one.keep_requests
  const isSameCount = (known?.count ?? 0) === keep_count
  if (one.erase_at === erase_at && one.kept_at === kept_at && isSameCount) return one
  const keep_requests = known !== null && isSameCount ? known : { count: keep_count, is_mine: false }
  return { ...one, erase_at, kept_at, keep_requests: erase_at === null ? null : keep_requests }
}

/** What a request of the viewer does, and what they read before it. */
interface KeepState {
  isMine: boolean
  hasOtherAsked: boolean
  /** Whether the chat is kept as soon as the viewer asks. */
  keepsAtOnce: boolean
}

export function keepStateOf({ keep_requests }: Pick<ChatDate, 'keep_requests'>, isOwner: boolean): KeepState {
  const isMine = keep_requests?.is_mine === true
  const hasOtherAsked = keep_requests?.count === 1 && !isMine
  return { isMine, hasOtherAsked, keepsAtOnce: isOwner || hasOtherAsked }
}

/** Whether the chat ends before the next midnight, or has ended. */
export function isLastDay(eraseAt: string, nowMs: number): boolean {
  return Date.parse(eraseAt) < dayAround(nowMs).endMs
}
