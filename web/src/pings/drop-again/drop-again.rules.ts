import type { Circle } from '@hither/contract/circles.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { DurationMinutes } from '@hither/contract/pings.ts'
import { t } from '../../i18n/translate.ts'
import { draftOfWaiting, type PingDraft } from '../create/ping-draft.ts'
import type { PinRecord } from '../pin-records/pin-records.rules.ts'
import type { NewPing } from '../ping-shapes.ts'

/** The people that the owner can address. Null while they are unknown. */
export interface Addressees {
  friendIds: ReadonlySet<UserId> | null
  circles: readonly Circle[] | null
}

/** Returns the request that creates the same ping now, without its schedule, its picture and its public link. */
export function inputOfPing(ping: PinRecord, addressees: Addressees, duration = ping.duration_minutes): NewPing {
  const { name, is_unnamed, message, latitude, longitude, address, responses_visible, exact_place_for, area_km } = ping
  return {
    name,
    ...(is_unnamed && { is_unnamed }),
    latitude,
    longitude,
    address,
    ...(message !== null && { message }),
    duration_minutes: duration,
    is_public: false,
    responses_visible,
    exact_place_for,
    area_km,
    ...audienceOf(ping.audience, addressees),
  }
}

/**
 * Returns the content of the form for the same ping, with notes about what is different. Without `hasPlace`, the
 * record has the center of an area, because the exact place is not stored anymore.
 */
export function draftOfPing(
  ping: PinRecord,
  addressees: Addressees,
  {
    duration = ping.duration_minutes,
    hasPlace = true,
  }: { duration?: DurationMinutes | undefined; hasPlace?: boolean } = {},
): PingDraft {
  const input = inputOfPing(ping, addressees, duration)
  const unsent = { client_id: '', written_at: 0, image: null, refusal: null, made: null }
  const { form } = draftOfWaiting({ ...unsent, input, wants_chat: ping.has_chat })
  const leftOut = ping.audience.invited_all ? 0 : countLeftOut(ping, addressees)
  return {
    form: { ...form, groupChat: ping.has_chat },
    image: null,
    imageErrorText: null,
    replaces: null,
    ...(hasPlace && { place: { latitude: ping.latitude, longitude: ping.longitude, address: ping.address } }),
    notes: [
      ...(ping.is_public ? [t('pings.dropAgain.linkOff')] : []),
      ...(leftOut > 0 ? [t('pings.dropAgain.leftOut', { count: leftOut })] : []),
    ],
  }
}

/** For all friends, the request names nobody. Circles without members are left out, because nobody would receive the ping. */
function audienceOf(
  audience: PinRecord['audience'],
  { friendIds, circles }: Addressees,
): Pick<NewPing, 'recipient_ids' | 'circle_ids'> {
  if (audience.invited_all) return {}
  const recipient_ids = audience.recipient_ids.filter((id) => friendIds === null || friendIds.has(id))
  const circle_ids = audience.circle_ids.filter(
    (id) => circles === null || circles.some((circle) => circle.id === id && circle.member_ids.length > 0),
  )
  return { recipient_ids, ...(circle_ids.length > 0 && { circle_ids }) }
}

/** The server counts those who were not friends when the ping was read. A friendship may have ended since then. */
function countLeftOut({ audience }: PinRecord, { friendIds }: Addressees): number {
  const since = audience.recipient_ids.filter((id) => friendIds !== null && !friendIds.has(id))
  return audience.former_friend_count + since.length
}
