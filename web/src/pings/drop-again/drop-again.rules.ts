import type { Circle } from '@hither/contract/circles.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { DurationMinutes, OwnPing } from '@hither/contract/pings.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import { draftOfWaiting, type PingDraft } from '../create/ping-draft.ts'
import type { NewPing } from '../ping-shapes.ts'
import { dropAgainStrings as strings } from './strings.ts'

/** The people that the owner can address. Null while they are unknown. */
export interface Addressees {
  friendIds: ReadonlySet<UserId> | null
  circles: readonly Circle[] | null
}

type RepeatedPing = Pick<
  OwnPing,
  | 'name'
  | 'message'
  | 'latitude'
  | 'longitude'
  | 'address'
  | 'created_at'
  | 'activates_at'
  | 'expires_at'
  | 'updated_at'
  | 'canceled_at'
  | 'responses_visible'
  | 'exact_place_for'
  | 'area_km'
  | 'is_public'
  | 'conversation_id'
  | 'invited_all'
  | 'audience'
>

/** Returns the request that creates the same ping now, without its schedule, its picture and its public link. */
export function inputOfPing(ping: RepeatedPing, addressees: Addressees, duration = durationOf(ping)): NewPing {
  const { name, message, latitude, longitude, address, responses_visible, exact_place_for, area_km } = ping
  return {
    name,
    latitude,
    longitude,
    address,
    ...(message !== null && { message }),
    duration_minutes: duration,
    is_public: false,
    responses_visible,
    exact_place_for,
    area_km,
    ...audienceOf(ping, addressees),
  }
}

/** Returns the content of the form for the same ping, with notes about what is different. */
export function draftOfPing(ping: RepeatedPing, addressees: Addressees, duration = durationOf(ping)): PingDraft {
  const hasChat = ping.conversation_id !== null
  const input = inputOfPing(ping, addressees, duration)
  const unsent = { client_id: '', written_at: 0, image: null, refusal: null, made: null }
  const { form } = draftOfWaiting({ ...unsent, input, wants_chat: hasChat })
  const leftOut = ping.invited_all ? 0 : countLeftOut(ping, addressees)
  return {
    form: { ...form, groupChat: hasChat },
    image: null,
    imageErrorText: null,
    replaces: null,
    place: { latitude: ping.latitude, longitude: ping.longitude, address: ping.address },
    notes: [...(ping.is_public ? [strings.linkOff] : []), ...(leftOut > 0 ? [strings.leftOut(leftOut)] : [])],
  }
}

type Life = Pick<RepeatedPing, 'created_at' | 'activates_at' | 'expires_at' | 'updated_at' | 'canceled_at'>

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
export function isShortened({
  expires_at,
  updated_at,
  canceled_at,
}: Omit<Life, 'created_at' | 'activates_at'>): boolean {
  return canceled_at !== null || Date.parse(expires_at) <= Date.parse(updated_at)
}

/** For all friends, the request names nobody. Circles without members are left out, because nobody would receive the ping. */
function audienceOf(
  { invited_all, audience }: Pick<RepeatedPing, 'invited_all' | 'audience'>,
  { friendIds, circles }: Addressees,
): Pick<NewPing, 'recipient_ids' | 'circle_ids'> {
  if (invited_all) return {}
  const recipient_ids = audience.recipient_ids.filter((id) => friendIds === null || friendIds.has(id))
  const circle_ids = audience.circle_ids.filter(
    (id) => circles === null || circles.some((circle) => circle.id === id && circle.member_ids.length > 0),
  )
  return { recipient_ids, ...(circle_ids.length > 0 && { circle_ids }) }
}

/** The server counts those who were not friends when the ping was read. A friendship may have ended since then. */
function countLeftOut({ audience }: RepeatedPing, { friendIds }: Addressees): number {
  const since = audience.recipient_ids.filter((id) => friendIds !== null && !friendIds.has(id))
  return audience.former_friend_count + since.length
}
