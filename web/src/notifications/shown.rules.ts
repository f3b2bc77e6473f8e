import { type PingId, type UserId } from '@hither/contract/ids.ts'
import { type ConversationSummary } from '@hither/contract/messages.ts'
import { type ShownPing } from '../pings/ping-shapes.ts'
import { type NotificationData } from '../service-worker/push.rules.ts'

interface Known {
  readonly summaries: readonly ConversationSummary[] | undefined
  readonly findPing: (id: PingId) => ShownPing | undefined
  readonly viewerId: UserId
}

/**
 * Whether there is nothing left to do about what a notification tells of: its message is read, its ping is answered. Only what
 * is known to be later than it counts: a push may be here before the page knows of what it tells.
 */
export function isSettled({ kind, ping_id, conversation_id, at }: NotificationData, known: Known): boolean {
  if (kind === 'message') {
    const chat = known.summaries?.find(({ id }) => id === conversation_id)
    return chat?.unread_count === 0 && chat.last_message !== null && Date.parse(chat.last_message.created_at) >= at
  }
  if ((kind !== 'new_ping' && kind !== 'ping_activated') || ping_id === null) return false
  const ping = known.findPing(ping_id as PingId)
  if (ping === undefined || !('responses' in ping)) return false
  const answer = ping.responses.find(({ user_id }) => user_id === known.viewerId)
  return answer !== undefined && Date.parse(answer.updated_at) >= at
}
