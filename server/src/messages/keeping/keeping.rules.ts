import type { UserId } from '@hither/contract/ids.ts'
import type { ChatWithMembers } from '../members.queries.ts'

/** Whether a request of this member, who has not asked yet, keeps the chat. */
export function isEnough(
  { ping_owner_id, keep_requester_id }: Pick<ChatWithMembers, 'ping_owner_id' | 'keep_requester_id'>,
  memberId: UserId,
): boolean {
  return ping_owner_id === memberId || keep_requester_id !== null
}
