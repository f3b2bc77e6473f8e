import { type MessageReadReceiptRow, type MessageRow } from '@hither/contract/feeds.ts'
import { type MessageId, type UserId } from '@hither/contract/ids.ts'
import {
  type Conversation,
  type ConversationDetails,
  type ConversationSummary,
  type Message,
} from '@hither/contract/messages.ts'

/** A conversation as far as it has been read, from its newest message backwards. */
export interface OpenConversation {
  conversation: Conversation
  /** Ascending by `seq`; nothing is missing between the first and the last but what was erased. */
  messages: readonly Message[]
  hasMore: boolean
  /** The highest ever seen, whether or not its message still stands. */
  lastSeq: number
  /** So that a read that began before the erasure does not bring them back. */
  erased: readonly MessageId[]
}

const restingMax = 100

export function messageOf(row: MessageRow): Message {
  return { ...row, chat_id: row.conversation_id, read: false }
}

/** What a read of the newest messages found. `known` was held when that read began; what came since is newer than the read. */
export function withNewest(
  open: OpenConversation | undefined,
  details: ConversationDetails,
  known: ReadonlySet<MessageId>,
): OpenConversation {
  const { message_details: page, ...conversation } = details
  const firstSeq = page.messages[0]?.seq ?? 0
  const held = open?.messages ?? []
  // A page that ends above what is held leaves a gap; what is below is read again as one scrolls up.
  const joins = !page.has_more || (open !== undefined && firstSeq <= open.lastSeq + 1)
  const older = joins ? held.filter(({ seq }) => seq < firstSeq && page.has_more) : []
  const arrived = held.filter(({ id, seq }) => seq >= firstSeq && !known.has(id))
  const erased = open?.erased ?? []
  const read = page.messages.filter(({ id }) => !erased.includes(id) && !arrived.some((other) => other.id === id))
  const messages = [...older, ...[...read, ...arrived].sort(bySeq)]
  return {
    conversation,
    messages,
    hasMore: older.length > 0 ? (open?.hasMore ?? false) : page.has_more,
    lastSeq: Math.max(open?.lastSeq ?? 0, messages.at(-1)?.seq ?? 0),
    erased,
  }
}

/** With the page that ends right before the first message held. */
export function withOlder(open: OpenConversation, details: ConversationDetails): OpenConversation {
  const { messages: page, has_more } = details.message_details
  const firstSeq = open.messages[0]?.seq ?? Number.POSITIVE_INFINITY
  const older = page.filter(({ id, seq }) => seq < firstSeq && !open.erased.includes(id))
  return { ...open, messages: [...older, ...open.messages], hasMore: has_more }
}

/** With a message in its place. The same object where it is there already as it is. */
export function withMessage(open: OpenConversation, message: Message): OpenConversation {
  const { messages } = open
  if (open.erased.includes(message.id)) return open
  const index = messages.findIndex(({ id }) => id === message.id)
  if (index >= 0) {
    const before = messages[index]
    if (before?.content === message.content && before.sender_username === message.sender_username) return open
    return { ...open, messages: messages.with(index, { ...message, read: before?.read ?? false }) }
  }
  // Below what has been read so far: it comes with its page.
  if (open.hasMore && message.seq < (messages[0]?.seq ?? 0)) return open
  const place = messages.findLastIndex(({ seq }) => seq < message.seq) + 1
  return {
    ...open,
    messages: messages.toSpliced(place, 0, message),
    lastSeq: Math.max(open.lastSeq, message.seq),
  }
}

/** Whether something between what was seen and this message has not come. */
export function leavesGap(open: OpenConversation, seq: number): boolean {
  return seq > open.lastSeq + 1
}

export function withoutMessage(open: OpenConversation, messageId: MessageId): OpenConversation {
  if (open.erased.includes(messageId)) return open
  return {
    ...open,
    messages: open.messages.filter(({ id }) => id !== messageId),
    erased: [...open.erased, messageId],
  }
}

/** The newest of it: all that is worth keeping of a conversation that is not on screen. */
export function newestOf<T extends OpenConversation | null>(open: T): T {
  if (open === null || open.messages.length <= restingMax) return open
  return { ...open, messages: open.messages.slice(-restingMax), hasMore: true, erased: [] }
}

/** Nobody un-reads: an older receipt changes nothing. */
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

/** Up to which `seq` everybody else has read; null where nobody else is left. */
export function readUpTo({ participants }: Conversation, viewerId: UserId): number | null {
  const others = participants.filter(({ user_id }) => user_id !== viewerId)
  return others.length === 0 ? null : Math.min(...others.map(({ last_read_seq }) => last_read_seq))
}

/** How many unread messages there are in all. */
export function totalUnread(summaries: readonly ConversationSummary[]): number {
  return summaries.reduce((sum, { unread_count }) => sum + unread_count, 0)
}

/** With a message as its latest, unless a later one is known. Someone else's counts as unread. */
export function summaryWithMessage(
  summary: ConversationSummary,
  message: Message,
  viewerId: UserId,
): ConversationSummary {
  const last = summary.last_message
  if (last !== null && message.seq <= last.seq) {
    return last.id === message.id && last.sender_username !== message.sender_username
      ? {
          ...summary,
          last_message: { ...last, sender_username: message.sender_username, sender_id: message.sender_id },
        }
      : summary
  }
  // A count that was announced for a later moment has this message in it.
  const isCounted = summary.updated_at > message.created_at || isCountedAlready(summary, message)
  const isOwn = message.sender_id === viewerId
  return {
    ...summary,
    last_message: message,
    updated_at: laterOf(summary.updated_at, message.created_at),
    unread_count: summary.unread_count + (isOwn || isCounted ? 0 : 1),
  }
}

/** The row of a membership may come before the message that it counts. */
function isCountedAlready({ updated_at, last_message }: ConversationSummary, { created_at }: Message): boolean {
  return updated_at === created_at && last_message?.created_at !== created_at
}

/** What a read found, but for what came live since it began: `before` was held then, `held` is now. */
export function mergedSummaries(
  read: readonly ConversationSummary[],
  before: readonly ConversationSummary[] | undefined,
  held: readonly ConversationSummary[] | undefined,
): ConversationSummary[] {
  const merged = read.map((summary) => {
    const now = held?.find(({ id }) => id === summary.id)
    const then = before?.find(({ id }) => id === summary.id)
    if (now?.last_message == null || now.last_message.seq <= (summary.last_message?.seq ?? 0)) return summary
    if (now.last_message.id === then?.last_message?.id) return summary
    const { last_message, updated_at, unread_count } = now
    return { ...summary, last_message, updated_at, unread_count }
  })
  return merged.sort(byLatest)
}

export function byLatest(a: ConversationSummary, b: ConversationSummary): number {
  return b.updated_at.localeCompare(a.updated_at)
}

function laterOf(a: string, b: string): string {
  return a.localeCompare(b) < 0 ? b : a
}

function bySeq(a: Message, b: Message): number {
  return a.seq - b.seq
}
