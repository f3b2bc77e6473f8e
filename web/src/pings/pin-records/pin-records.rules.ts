import type { PingId } from '@hither/contract/ids.ts'
import type { DurationMinutes, OwnPing, PingAudience } from '@hither/contract/pings.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'

/** The content of an own pin. Its exact place outlives the one on the server. */
export interface PinRecord
  extends Pick<
    OwnPing,
    | 'name'
    | 'is_unnamed'
    | 'message'
    | 'latitude'
    | 'longitude'
    | 'address'
    | 'responses_visible'
    | 'exact_place_for'
    | 'area_km'
    | 'is_public'
    | 'created_at'
  > {
  readonly ping_id: PingId
  readonly duration_minutes: DurationMinutes
  readonly audience: PingAudience & Pick<OwnPing, 'invited_all'>
  readonly has_chat: boolean
}

export const recordLimits = { count: 200, ageMs: 30 * 86_400_000 } as const

type RecordedPing = Life &
  Pick<OwnPing, 'id' | 'audience' | 'invited_all' | 'conversation_id'> &
  Pick<PinRecord, 'name' | 'is_unnamed' | 'message' | 'latitude' | 'longitude' | 'address' | 'is_public'> &
  Pick<PinRecord, 'responses_visible' | 'exact_place_for' | 'area_km'>

export function recordOf(ping: RecordedPing): PinRecord {
  const { name, is_unnamed, message, latitude, longitude, address, responses_visible, exact_place_for, area_km } = ping
  return {
    ping_id: ping.id,
    name,
    is_unnamed,
    message,
    latitude,
    longitude,
    address,
    duration_minutes: durationOf(ping),
    audience: { ...ping.audience, invited_all: ping.invited_all },
    responses_visible,
    exact_place_for,
    area_km,
    has_chat: ping.conversation_id !== null,
    is_public: ping.is_public,
    created_at: ping.created_at,
  }
}

/**
 * Returns the records after the device has seen these pings with their exact places: the newest ones that are not too old. The
 * same array if nothing changes.
 */
export function withSeenPings(
  records: readonly PinRecord[],
  pings: readonly OwnPing[],
  nowMs: number,
): readonly PinRecord[] {
  const byId = new Map(records.map((record) => [record.ping_id, record]))
  for (const ping of pings) byId.set(ping.id, recordAfter(byId.get(ping.id), ping))
  const kept = [...byId.values()]
    .filter(({ created_at }) => nowMs - Date.parse(created_at) < recordLimits.ageMs)
    .sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
    .slice(0, recordLimits.count)
  const isSame = kept.length === records.length && kept.every((record, index) => record === records[index])
  return isSame ? records : kept
}

/** The planned duration of a ping that was shortened is in an earlier record only. */
function recordAfter(before: PinRecord | undefined, ping: OwnPing): PinRecord {
  const seen = recordOf(ping)
  const record = before && isShortened(ping) ? { ...seen, duration_minutes: before.duration_minutes } : seen
  return before && JSON.stringify(before) === JSON.stringify(record) ? before : record
}

type Life = Pick<OwnPing, 'created_at' | 'activates_at' | 'expires_at' | 'updated_at' | 'canceled_at'>

/**
 * Returns the shortest duration that is offered and not shorter than the life of the ping, which may have been extended. The
 * planned duration of a ping that was shortened is unknown: it was not shorter than its life, and the default is likely.
 */
export function durationOf(ping: Life): DurationMinutes {
  const { created_at, activates_at, expires_at } = ping
  const lifeMinutes = Math.round((Date.parse(expires_at) - Date.parse(activates_at ?? created_at)) / 60_000)
  const { durationsMinutes, durationDefaultMinutes } = pingLimits
  const minutes = isShortened(ping) ? Math.max(lifeMinutes, durationDefaultMinutes) : lifeMinutes
  return durationsMinutes.find((offered) => offered >= minutes) ?? durationsMinutes[durationsMinutes.length - 1] ?? 240
}

/** Whether the ping was canceled or ended by its owner. Such a ping was changed at its end or later. */
function isShortened({ expires_at, updated_at, canceled_at }: Life): boolean {
  return canceled_at !== null || Date.parse(expires_at) <= Date.parse(updated_at)
}
