import type { UserId } from '@hither/contract/ids.ts'
import type { OwnPing } from '@hither/contract/pings.ts'
import { isTemporary } from '../ping-changes.ts'
import { statusAt } from '../pings.rules.ts'

/** Returns the scheduled and active pings that went to all friends, and to which this new friend is not invited. */
export function pingsToShow(pings: readonly OwnPing[], friendId: UserId, nowMs: number): OwnPing[] {
  return pings.filter(
    (ping) =>
      ping.invited_all &&
      !isTemporary(ping.id) &&
      statusAt(ping, nowMs) !== 'expired' &&
      !ping.recipients.some(({ recipient_id }) => recipient_id === friendId),
  )
}
