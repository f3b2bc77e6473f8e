import type { MessageReadReceiptRow, MessageRow } from '@hither/contract/feeds.ts'
import type { MessageId, UserId } from '@hither/contract/ids.ts'
import type { Reply } from '@hither/contract/messages/message-parts.ts'
import type {
  Conversation,
  ConversationDetails,
  ConversationSummary,
  Message,
} from '@hither/contract/messages/messages.ts'
import { kindOf, shownSender } from '@hither/contract/runtime/messages/messages.ts'
import { replaceEqualDeep } from '@tanstack/react-query'
import { type MessageWindow, mapMessages } from './message-window.ts'
import { markedDeleted, quoteOf, withoutDeleted, withQuoted } from './quotes.ts'

/** The loaded part of a conversation, from its newest message backwards. */
export interface OpenConversation {
  conversation: Conversation
  /** Ascending by `seq`. The only gaps are deleted messages. */
  messages: readonly Message[]
  hasMore: boolean
  /** The highest `seq` ever seen, also if its message was deleted. */
  lastSeq: number
  /** The deleted messages, so that a read that started before the deletion does not restore them or their quotes. */
  erased: readonly MessageId[]
  /** Shown in place of `messages` if it is set. */
  window: MessageWindow | null
}

const restingMax = 100

export function messageOf(row: MessageRow): Message {
  return { ...row, chat_id: row.conversation_id, read: false, reactions: [] }
}

/**
 * Merges a read of the newest messages. `known` is the cached data at the start of the read; later messages are newer
 * than the read.
 */
export function withNewest(
  open: OpenConversation | undefined,
  details: ConversationDetails,
  known: ReadonlySet<MessageId>,
): OpenConversation {
  const { message_details: page, ...conversation } = details
  const firstSeq = page.messages[0]?.seq ?? 0
  const cached = open?.messages ?? []
  // If the page does not reach the cached messages, older messages are dropped and loaded again by scrolling.
  const joins = !page.has_more || (open !== undefined && firstSeq <= open.lastSeq + 1)
  const older = joins ? cached.filter(({ seq }) => seq < firstSeq && page.has_more) : []
  const arrived = cached.filter(({ id, seq }) => seq >= firstSeq && !known.has(id))
  const erased = open?.erased ?? []
  const read = withoutDeleted(page.messages, erased).filter(({ id }) => !arrived.some((other) => other.id === id))
  const messages = [...older, ...[...read, ...arrived].sort(bySeq)]
  return {
    conversation,
    messages,
    hasMore: older.length > 0 ? (open?.hasMore ?? false) : page.has_more,
    lastSeq: Math.max(open?.lastSeq ?? 0, messages.at(-1)?.seq ?? 0),
    erased,
    window: open?.window ?? null,
  }
}

/** Adds the page that ends right before the first message on the screen. */
export function withOlder(open: OpenConversation, details: ConversationDetails): OpenConversation {
  const { messages: page, has_more } = details.message_details
  const shown = open.window?.messages ?? open.messages
  const firstSeq = shown[0]?.seq ?? Number.POSITIVE_INFINITY
  const older = withoutDeleted(page, open.erased).filter(({ seq }) => seq < firstSeq)
  const messages = [...older, ...shown]
  if (open.window !== null) return { ...open, window: { ...open.window, messages, hasMore: has_more } }
  return { ...open, messages, hasMore: has_more }
}

/** Adds or replaces a message and updates its quotes. Returns the same object if nothing changes. */
export function withMessage(open: OpenConversation, message: Message): OpenConversation {
  if (open.erased.includes(message.id)) return open
  const before = findMessage(open, message.id)
  if (before === undefined) return withNewMessage(open, message)
  // A change that arrives again is older than the cached message.
  if ((message.edited_at ?? '') < (before.edited_at ?? '')) return open
  const { read, reactions } = before
  const after = replaceEqualDeep(before, { ...message, read, reactions, reply_to: before.reply_to ?? message.reply_to })
  // Of the pages of one read, an earlier one may have an older quote of the message.
  return mapMessages(open, (messages) => withQuoted(replaced(messages, after), after))
}

function withNewMessage(open: OpenConversation, message: Message): OpenConversation {
  // The quotes of an unchanged message are up to date.
  const isChanged = message.edited_at !== null || message.sender_id === null
  const quoted = isChanged ? mapMessages(open, (messages) => withQuoted(messages, message)) : open
  const { messages } = quoted
  // The message is older than the loaded pages and comes with its page.
  if (open.hasMore && message.seq < (messages[0]?.seq ?? 0)) return quoted
  const place = messages.findLastIndex(({ seq }) => seq < message.seq) + 1
  return {
    ...quoted,
    messages: messages.toSpliced(place, 0, withCurrentQuote(open, message)),
    lastSeq: Math.max(open.lastSeq, message.seq),
  }
}

/** Updates the quote of a message: a live row that arrives again and a message that waits to be sent may have an outdated one. */
export function withCurrentQuote<T extends { reply_to?: Reply | null }>(open: OpenConversation, message: T): T {
  const reply = message.reply_to ?? null
  if (reply === null) return message
  if (open.erased.includes(reply.id)) return { ...message, reply_to: markedDeleted(reply) }
  const quoted = findMessage(open, reply.id)
  return quoted === undefined ? message : { ...message, reply_to: quoteOf(quoted) }
}

/** Changes one loaded message. Returns the same object if nothing changes. */
export function changeMessage(
  open: OpenConversation,
  messageId: MessageId,
  change: (message: Message) => Message,
): OpenConversation {
  const before = findMessage(open, messageId)
  if (before === undefined) return open
  const after = change(before)
  return after === before ? open : mapMessages(open, (messages) => replaced(messages, after))
}

export function findMessage({ messages, window }: OpenConversation, messageId: MessageId): Message | undefined {
  // Most changes concern new messages.
  return messages.findLast(({ id }) => id === messageId) ?? window?.messages.find(({ id }) => id === messageId)
}

function replaced(messages: readonly Message[], message: Message): readonly Message[] {
  const index = messages.findLastIndex(({ id }) => id === message.id)
  return index < 0 || messages[index] === message ? messages : messages.with(index, message)
}

/** Returns true if messages between the last one and `seq` are missing. */
export function leavesGap(open: OpenConversation, seq: number): boolean {
  return seq > open.lastSeq + 1
}

/** Removes a message and marks its quotes. */
export function withoutMessage(open: OpenConversation, messageId: MessageId): OpenConversation {
  if (open.erased.includes(messageId)) return open
  const without = mapMessages(open, (messages) => withoutDeleted(messages, [messageId]))
  return { ...without, erased: [...open.erased, messageId] }
}

/** Returns the newest messages, which are enough for a conversation that is not on screen. */
export function newestOf<T extends OpenConversation | null>(open: T): T {
  if (open === null || (open.messages.length <= restingMax && open.window === null)) return open
  const isLong = open.messages.length > restingMax
  const messages = isLong ? open.messages.slice(-restingMax) : open.messages
  return { ...open, messages, hasMore: isLong || open.hasMore, erased: isLong ? [] : open.erased, window: null }
}

/** Advances a read receipt. An older receipt changes nothing. */
export function withReceipt(open: OpenConversation, receipt: MessageReadReceiptRow): OpenConversation {
  const { participants } = open.conversation
  const { user_id, last_read_seq } = receipt
  if (!participants.some((one) => one.user_id === user_id && one.last_read_seq < last_read_seq)) return open
  return {
    ...open,
    conversation: {
      ...open.conversation,
      participants: participants.map((one) => (one.user_id === user_id ? { ...one, last_read_seq } : one)),
    },
  }
}

/** Returns the highest `seq` that all other participants have read; null if there are no others. */
export function readUpTo({ participants }: Conversation, viewerId: UserId): number | null {
  const others = participants.filter(({ user_id }) => user_id !== viewerId)
  return others.length === 0 ? null : Math.min(...others.map(({ last_read_seq }) => last_read_seq))
}

/** Returns the number of unread messages in all conversations that are not archived. */
export function totalUnread(summaries: readonly ConversationSummary[]): number {
  return summaries.reduce((sum, { unread_count, archived_at }) => sum + (archived_at === null ? unread_count : 0), 0)
}

/** Sets the latest message, unless a later one is known. A message of another user counts as unread. */
export function summaryWithMessage(
  summary: ConversationSummary,
  message: Message,
  viewerId: UserId,
): ConversationSummary {
  const last = summary.last_message
  if (last !== null && message.seq <= last.seq) {
    if (last.id !== message.id) return summary
    const { sender_id, sender_username, sender_display_name } = message
    // A row without an edit may have arrived before.
    const content = message.edited_at === null ? last.content : message.content
    if (content === last.content && shownSender(last) === shownSender(message)) return summary
    const { shows } = message.edited_at === null ? last : kindOf(message.attachment)
    return { ...summary, last_message: { ...last, content, shows, sender_username, sender_display_name, sender_id } }
  }
  // A count with a later timestamp includes this message.
  const isCounted = summary.updated_at > message.created_at || isCountedAlready(summary, message)
  const isOwn = message.sender_id === viewerId
  return {
    ...summary,
    last_message: { ...message, ...kindOf(message.attachment) },
    updated_at: laterOf(summary.updated_at, message.created_at),
    unread_count: summary.unread_count + (isOwn || isCounted ? 0 : 1),
  }
}

/** The membership row may arrive before the message that it counts. */
function isCountedAlready({ updated_at, last_message }: ConversationSummary, { created_at }: Message): boolean {
  return updated_at === created_at && last_message?.created_at !== created_at
}

/**
 * Merges a read of the list with the live changes since its start. `before` is the cached list at the start of the
 * read, `cached` the current one.
 */
export function mergedSummaries(
  read: readonly ConversationSummary[],
  before: readonly ConversationSummary[] | undefined,
  cached: readonly ConversationSummary[] | undefined,
): ConversationSummary[] {
  const merged = read.map((summary) => {
    const now = cached?.find(({ id }) => id === summary.id)
    const then = before?.find(({ id }) => id === summary.id)
    if (now?.last_message == null || now.last_message.seq <= (summary.last_message?.seq ?? 0)) return summary
    if (now.last_message.id === then?.last_message?.id) return summary
    const { last_message, updated_at, unread_count } = now
    return { ...summary, last_message, updated_at, unread_count }
  })
  return merged.sort(byLatest)
}

function byLatest(a: ConversationSummary, b: ConversationSummary): number {
  return b.updated_at.localeCompare(a.updated_at)
}

function laterOf(a: string, b: string): string {
  return a.localeCompare(b) < 0 ? b : a
}

function bySeq(a: Message, b: Message): number {
  return a.seq - b.seq
}
