import type { FeedChange } from '@hither/contract/feeds.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { Ping, PingRow, ShownPing } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { QueryClient } from '@tanstack/react-query'
import { refreshPingImage } from '../api/images.ts'
import { serverNow } from '../api/server-time.ts'
import { t } from '../i18n/translate.ts'
import { withGuest, withoutGuest, withoutResponse, withoutTrip, withResponse, withTrip } from './ping-changes.ts'
import { isForAudience } from './ping-shapes.ts'
import { myPingsQuery, pingQuery } from './pings.api.ts'
import {
  completeLists,
  copiesOf,
  findInLists,
  markDeleted,
  patchEveryPing,
  patchPing,
  refetchPing,
  removeFromLists,
} from './pings.cache.ts'
import { responseOf, statusAt } from './pings.rules.ts'
import { isExact } from './place/place.rules.ts'

type ChangeOf<T extends FeedChange['table']> = Extract<FeedChange, { table: T }>

/**
 * Applies a change to the cached pings. Idempotent: a repeated change, or one that the data already contains, changes
 * nothing.
 */
export function applyPingChange(queryClient: QueryClient, change: ChangeOf<'location_pins'>, viewerId: UserId) {
  if (change.eventType === 'DELETE') {
    const { id } = change.old
    if (id === undefined) return
    removeFromLists(queryClient, id)
    markDeleted(queryClient, id)
    return
  }

  const row = change.new
  // The row of a replaced image looks like the row before it.
  if (change.eventType === 'UPDATE' && row.has_image) void refreshPingImage(row.id)
  const known = findInLists(queryClient, row.id)
  const isKnown = known !== undefined || row.status === 'expired'
  if (row.status !== 'expired') completeLists(queryClient, known ?? pingOf(row, viewerId))
  const hasChanged = copiesOf(queryClient, row.id).some((copy) => isOlder(copy, row))
  patchPing(queryClient, row.id, (ping) => withRow(ping, row))
  // Requests come last, because writing to a query marks it as fresh.
  refetchLinkCopy(queryClient, row)
  // The row has no recipients and no responses. It is shown at once and completed by a request for this ping.
  if ((!isKnown && !isComplete(change, viewerId)) || hasChanged) void refetchPing(queryClient, row.id)
}

/** A ping of which only its row is known. */
function pingOf(row: PingRow, viewerId: UserId): Ping {
  const unknown = { recipients: [], responses: [], guests: [], trips: [] }
  if (row.user_id !== viewerId) return { ...row, ...unknown, access: 'invitee', can_respond: true }
  const audience = { circle_ids: [], recipient_ids: [], former_friend_count: 0 }
  return { ...row, ...unknown, access: 'owner', can_respond: false, invited_all: false, audience, place_known_by: [] }
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

export function applyGuestChange(queryClient: QueryClient, change: ChangeOf<'ping_guests'>) {
  if (change.eventType !== 'DELETE')
    return patchPing(queryClient, change.new.ping_id, (ping) => withGuest(ping, change.new))
  // A deleted row has no columns except its id.
  const { id } = change.old
  if (id !== undefined) patchEveryPing(queryClient, (ping) => withoutGuest(ping, id))
}

export function applyTripChange(queryClient: QueryClient, change: ChangeOf<'ping_trips'>) {
  if (change.eventType !== 'DELETE')
    return patchPing(queryClient, change.new.ping_id, (ping) => withTrip(ping, change.new))
  const { ping_id, user_id } = change.old
  if (ping_id !== undefined && user_id !== undefined)
    patchPing(queryClient, ping_id, (ping) => withoutTrip(ping, user_id))
}

/**
 * Resolves to what the owner of a ping reads when a friend responds; null for other changes. Must be called before the
 * change is applied: a response that the cache already contains was shown before. Fetches the viewer's pings if no
 * screen has loaded them.
 */
export async function responseNotice(
  queryClient: QueryClient,
  change: ChangeOf<'ping_responses'>,
  viewerId: UserId,
): Promise<string | null> {
  if (change.eventType === 'DELETE' || change.new.user_id === viewerId) return null
  const { ping_id, user_id, response_type } = change.new
  const text = t(`pings.responseNotices.${response_type}`, { username: shownName(change.new) })
  const known = findInLists(queryClient, ping_id)
  if (known !== undefined) {
    return known.access === 'owner' && responseOf(known.responses, user_id) !== response_type ? text : null
  }
  if (queryClient.getQueryData(myPingsQuery().queryKey) !== undefined) return null
  const mine = await queryClient.query(myPingsQuery()).catch(() => [])
  return mine.some(({ id }) => id === ping_id) ? text : null
}

/** Only the audience receives rows: a viewer who had opened the public link has since been given access. */
function refetchLinkCopy(queryClient: QueryClient, { id }: PingRow) {
  const ping = queryClient.getQueryData(pingQuery(id).queryKey)
  if (ping && !isForAudience(ping)) void queryClient.invalidateQueries(pingQuery(id))
}

/**
 * Whether the row alone is enough. Nobody has responded to a ping that a friend has just created, and only the page of a ping
 * shows its recipients to an invitee. A request of every invitee at the same moment would cost more than the ping itself.
 */
function isComplete({ eventType, new: row }: { eventType: string; new: PingRow }, viewerId: UserId): boolean {
  return eventType === 'INSERT' && row.user_id !== viewerId && row.updated_at === row.created_at
}

/** Whether the row has a change that the ping does not have. The change may be one of the invitees, who are not in the row. */
function isOlder(ping: ShownPing, row: PingRow): boolean {
  return isForAudience(ping) && ping.updated_at < row.updated_at
}

/** Recipients and responses are not in the row. A copy of the public link has fewer fields and stays as it is. */
function withRow<P extends ShownPing>(ping: P, row: PingRow): P {
  if (!isForAudience(ping) || ping.updated_at > row.updated_at) return ping
  // The exact place of an ended ping does not return, in whatever order its rows arrive.
  const isHidden = isExact(row) && !isExact(ping) && statusAt(row, serverNow()) === 'expired'
  const { latitude, longitude, address, place_radius_m } = isHidden ? ping : row
  const place = { latitude, longitude, address, place_radius_m }
  return { ...ping, ...row, ...place, can_respond: ping.access === 'invitee' && row.status !== 'expired' }
}
