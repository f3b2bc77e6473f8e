import type { MessageId } from '@hither/contract/ids.ts'
import type { ConversationDetails, Message } from '@hither/contract/messages/messages.ts'
import type { OpenConversation } from './chat-changes.ts'
import { withoutDeleted } from './quotes.ts'

/** Messages around an older one that was opened, while those up to the newest loaded ones are not loaded. */
export interface MessageWindow {
  /** Ascending by `seq`. */
  messages: readonly Message[]
  hasMore: boolean
  /** The message that was opened. */
  aroundId: MessageId
}

/** The messages on the screen. */
interface ShownMessages {
  messages: readonly Message[]
  /** Older messages exist. */
  hasMore: boolean
  /** Newer messages exist that are not among `messages`. */
  hasNewer: boolean
}

export function shownOf({ messages, hasMore, window }: OpenConversation): ShownMessages {
  return window === null
    ? { messages, hasMore, hasNewer: false }
    : { messages: window.messages, hasMore: window.hasMore, hasNewer: true }
}

/** Shows the page around a message. It becomes part of the newest messages if nothing is missing between them. */
export function withAround(
  open: OpenConversation,
  { message_details: page }: ConversationDetails,
  aroundId: MessageId,
): OpenConversation {
  const messages = withoutDeleted(page.messages, open.erased)
  return joined(open, { messages, hasMore: page.has_more, aroundId }, page.has_newer)
}

/** Adds the page that follows the last message of the window. */
export function withNewer(open: OpenConversation, { message_details: page }: ConversationDetails): OpenConversation {
  const { window } = open
  if (window === null) return open
  const lastSeq = window.messages.at(-1)?.seq ?? 0
  const newer = withoutDeleted(page.messages, open.erased).filter(({ seq }) => seq > lastSeq)
  return joined(open, { ...window, messages: [...window.messages, ...newer] }, page.has_newer)
}

/** Shows the newest messages again. */
export function withoutWindow(open: OpenConversation): OpenConversation {
  return open.window === null ? open : { ...open, window: null }
}

/** Replaces the messages of the newest pages and of the window. Returns the same object if nothing changes. */
export function mapMessages(
  open: OpenConversation,
  change: (messages: readonly Message[]) => readonly Message[],
): OpenConversation {
  const messages = change(open.messages)
  const window = open.window && { ...open.window, messages: change(open.window.messages) }
  if (messages === open.messages && window?.messages === open.window?.messages) return open
  return { ...open, messages, window: window?.messages === open.window?.messages ? open.window : window }
}

function joined(open: OpenConversation, window: MessageWindow, hasNewer: boolean): OpenConversation {
  const first = open.messages[0]
  const lastSeq = window.messages.at(-1)?.seq ?? 0
  const isMissingSome = hasNewer && (first === undefined || lastSeq < first.seq - 1)
  if (isMissingSome) return { ...open, window }
  const older = first === undefined ? window.messages : window.messages.filter(({ seq }) => seq < first.seq)
  if (older.length === 0) return { ...open, window: null }
  return { ...open, messages: [...older, ...open.messages], hasMore: window.hasMore, window: null }
}
