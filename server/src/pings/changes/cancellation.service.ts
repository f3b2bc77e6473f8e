import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { OwnPing } from '@hither/contract/pings.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import type { Trip } from '@hither/contract/trips.ts'
import { inOrder } from '../../platform/db/in-order.ts'
import { fieldError, InvalidInput } from '../../platform/errors/refusal.ts'
import { endTripsToEnded } from '../../trips/audience/trip-endings.service.ts'
import { textOrNull, updateTime } from '../pings.rules.ts'
import type { PingsDeps } from '../pings.service.ts'
import { listHiddenPlaceIds } from '../place/place.queries.ts'
import { areaPlaceOf } from '../place/place.rules.ts'
import * as queries from './changes.queries.ts'
import { announceUpdate, assertNotEnded, lockOwnPing } from './own-ping.service.ts'

/**
 * Ends a scheduled or active ping of the caller and notifies everybody who is going or maybe. A repeated call changes
 * nothing.
 */
export async function cancelPing(
  { pool, changes, now, chats }: PingsDeps,
  callerId: UserId,
  pingId: PingId,
  input: { message?: string },
): Promise<OwnPing> {
  const message = readMessage(input.message)
  return changes.commit(pool, async (tx, announce) => {
    const { ping: before, locked, at } = await lockOwnPing(tx, callerId, pingId, now)
    if (before.canceled_at !== null) return before
    assertNotEnded(before)
    const updatedAt = updateTime(before, at).toISOString()
    const time = at.toISOString()
    const [, hidden_place_ids] = await inOrder([
      queries.updateCanceled(tx, { pingId, at, message, updatedAt }),
      listHiddenPlaceIds(tx, pingId, at),
    ])
    const after = {
      ...before,
      // The exact place may be stored until the end only.
      ...(hidden_place_ids.includes(callerId) ? areaPlaceOf(before) : {}),
      hidden_place_ids,
      status: 'expired',
      canceled_at: time,
      cancel_message: message,
      expires_at: time,
      updated_at: updatedAt,
      trips: [] as Trip[],
    } as const
    await endTripsToEnded(tx, announce, [locked])
    if (before.conversation_id !== null)
      await chats.moveDate(tx, announce, before.conversation_id, { before: before.expires_at, after: time })
    announceUpdate(announce, before, after)
    const userIds = before.attendees.map(({ user_id }) => user_id)
    announce.publish({ kind: 'ping_canceled', pingId, userIds, at })
    return after
  })
}

function readMessage(text: string | undefined): string | null {
  const message = textOrNull(text)?.trim() ?? null
  // Lengths are in code points, as in the database.
  if (message !== null && [...message].length > pingLimits.cancelMessageMax)
    throw new InvalidInput(fieldError('body', 'message')('cancel_message_too_long'))
  return message
}
