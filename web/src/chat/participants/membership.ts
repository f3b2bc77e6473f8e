import type { UserId } from '@hither/contract/ids.ts'
import type { Conversation } from '@hither/contract/messages/messages.ts'

/** Returns false for direct conversations, which have no admins. */
export function isAdmin({ type, participants }: Conversation, userId: UserId): boolean {
  return type === 'group' && participants.some(({ user_id, role }) => user_id === userId && role === 'admin')
}
