import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { ConversationSummary } from '@hither/contract/messages/messages.ts'
import type { ShownPing } from '@hither/contract/pings.ts'
import type { NotificationKind } from '@hither/contract/runtime/notifications.ts'
import { isForAudience } from '../pings/ping-shapes.ts'
import type { NotificationData } from '../service-worker/push.rules.ts'

/** The kinds of notifications that a response answers. */
const askingKinds: readonly string[] = ['new_ping', 'ping_activated', 'ping_changed'] satisfies NotificationKind[]

interface Known {
  readonly summaries: readonly ConversationSummary[] | undefined
  readonly findPing: (id: PingId) => ShownPing | undefined
  readonly viewerId: UserId
  /** When the list of conversations was requested from the server, by its clock; null if it was not, or is not complete. */
  readonly listedAtMs: number | null
}

/**
 * Whether a notification can be closed: its message is read, its conversation is gone or its ping is answered. A state older than the notification does
 * not count, because a push may arrive before the page has the message or the ping.
 */
export function isObsolete({ kind, ping_id, conversation_id, at }: NotificationData, known: Known): boolean {
  const chat = known.summaries?.find(({ id }) => id === conversation_id)
  // The conversation was deleted, or the viewer left it.
  if (conversation_id !== null && chat === undefined) return known.listedAtMs !== null && at < known.listedAtMs
  if (kind === 'message') {
    return chat?.unread_count === 0 && chat.last_message !== null && Date.parse(chat.last_message.created_at) >= at
  }
  if (!askingKinds.includes(kind) || ping_id === null) return false
  const ping = known.findPing(ping_id as PingId)
  if (ping === undefined || !isForAudience(ping)) return false
  const answer = ping.responses.find(({ user_id }) => user_id === known.viewerId)
  return answer !== undefined && Date.parse(answer.updated_at) >= at
}
