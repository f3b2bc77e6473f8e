import { type FeedChange } from '@hither/contract/feeds.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { type PingRow } from '@hither/contract/pings.ts'
import { type QueryClient } from '@tanstack/react-query'
import { refreshPingImage } from '../api/images.ts'
import { withoutResponse, withResponse } from './ping-changes.ts'
import { type ShownPing } from './ping-shapes.ts'
import { findInLists, markGone, patchPing, putIntoLists, refetchLists, takeOutOfLists } from './pings.api.ts'

type ChangeOf<T extends FeedChange['table']> = Extract<FeedChange, { table: T }>

/** Idempotent: a change that comes twice, or after the read that already held it, changes nothing more. */
export function applyPingChange(queryClient: QueryClient, change: ChangeOf<'location_pins'>, viewerId: UserId) {
  if (change.eventType === 'DELETE') {
    const { id } = change.old
    if (id === undefined) return
    takeOutOfLists(queryClient, id)
    markGone(queryClient, id)
    return
  }

  const row = change.new
  // A picture that took the place of another is told by a change that looks like the row before it.
  if (change.eventType === 'UPDATE' && row.has_image) void refreshPingImage(row.id)
  if (findInLists(queryClient, row.id) !== undefined || row.status === 'expired') {
    patchPing(queryClient, row.id, (ping) => withRow(ping, row))
    return
  }
  putIntoLists(queryClient, { ...row, recipients: [], responses: [] }, row.user_id === viewerId)
  patchPing(queryClient, row.id, (ping) => withRow(ping, row))
  // The row does not say who is invited and who answered; it is shown at once and completed by a read. Last, because
  // whatever is written into a list makes it pass for fresh.
  void refetchLists(queryClient)
}

export function applyPingResponseChange(
  queryClient: QueryClient,
  change: ChangeOf<'ping_responses'>,
  _viewerId: UserId,
) {
  if (change.eventType === 'DELETE') {
    const { ping_id, user_id } = change.old
    if (ping_id !== undefined && user_id !== undefined) {
      patchPing(queryClient, ping_id, (ping) => withoutResponse(ping, user_id))
    }
    return
  }
  const response = change.new
  patchPing(queryClient, response.ping_id, (ping) => withResponse(ping, response))
}

/** Only what the reader's copy already holds: a visitor's stays a visitor's. Guests and answers are not in the row. */
function withRow<P extends ShownPing>(ping: P, row: PingRow): P {
  const known = Object.entries(row).filter(([column]) => column in ping)
  return { ...ping, ...Object.fromEntries(known) }
}
