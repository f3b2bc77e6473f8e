import type { ShownPlace } from '@hither/contract/areas.ts'
import type { ConversationId, GuestId, PingId, UserId } from '@hither/contract/ids.ts'
import type { ChangePing, Guest, OwnPing, Ping, PingResponse, ShownPing } from '@hither/contract/pings.ts'
import { pingLimits, placeKnownBy } from '@hither/contract/runtime/pings.ts'
import type { Trip } from '@hither/contract/trips.ts'
import type { User } from '@hither/contract/users.ts'
import { newId } from '../device/ids.ts'
import { isForAudience, type NewPing } from './ping-shapes.ts'

const temporaryPrefix = 'temp-'

/** Predicts the ping that the server will return. */
export function temporaryPing(input: NewPing, owner: User, nowMs: number): OwnPing {
  const startMs = input.activates_at ? Date.parse(input.activates_at) : nowMs
  const minutes = input.duration_minutes ?? pingLimits.durationDefaultMinutes
  return {
    // This id is never sent to the server: actions that need the server's id are not available for a temporary ping.
    id: `${temporaryPrefix}${newId()}` as PingId,
    access: 'owner',
    can_respond: false,
    user_id: owner.id,
    username: owner.username,
    display_name: owner.display_name,
    user_has_image: owner.has_image,
    name: input.name.trim(),
    is_unnamed: input.is_unnamed ?? false,
    latitude: input.latitude,
    longitude: input.longitude,
    address: input.address ?? null,
    created_at: new Date(nowMs).toISOString(),
    activates_at: input.activates_at ?? null,
    expires_at: new Date(startMs + minutes * 60_000).toISOString(),
    status: input.activates_at ? 'pending' : 'active',
    is_public: input.is_public ?? false,
    has_image: false,
    message: input.message ?? null,
    responses_visible: input.responses_visible ?? true,
    conversation_id: null,
    recipients: [],
    responses: [],
    guest_policy: input.guest_policy ?? 'off',
    place_radius_m: null,
    exact_place_for: input.exact_place_for ?? 'everyone',
    area_km: input.area_km ?? 1,
    guests: [],
    trips: [],
    updated_at: new Date(nowMs).toISOString(),
    revision: 0,
    place_revision: 0,
    time_revision: 0,
    canceled_at: null,
    cancel_message: null,
    invited_all: input.recipient_ids == null,
    audience: {
      circle_ids: input.circle_ids ?? [],
      recipient_ids: input.recipient_ids ?? [],
      former_friend_count: 0,
    },
    place_known_by: [],
  }
}

export function isTemporary(pingId: string): boolean {
  return pingId.startsWith(temporaryPrefix)
}

/**
 * Adds a ping at the start of the list and removes its former version. Also removes its temporary version, because the
 * live row may arrive before the response.
 */
export function insertedPing<P extends Ping>(pings: P[] | undefined, ping: P): P[] | undefined {
  return pings && [ping, ...pings.filter((other) => other.id !== ping.id && !isTemporaryOf(other, ping))]
}

function isTemporaryOf(other: Ping, ping: Ping): boolean {
  if (!isTemporary(other.id) || isTemporary(ping.id) || other.user_id !== ping.user_id) return false
  return other.name === ping.name && other.latitude === ping.latitude && other.longitude === ping.longitude
}

/** Predicts the result of the change: a later or a past end. */
export function withChange<P extends ShownPing>(ping: P, { extend_minutes, end }: ChangePing, nowMs: number): P {
  if (end) return { ...ping, expires_at: new Date(nowMs).toISOString(), status: 'expired' }
  const expiresMs = Date.parse(ping.expires_at) + (extend_minutes ?? 0) * 60_000
  return { ...ping, expires_at: new Date(expiresMs).toISOString() }
}

/**
 * Returns the ping with this user's response replaced. A ping whose responses the reader may not see stays the same.
 */
export function withResponse<P extends ShownPing>(ping: P, response: PingResponse): P {
  if (!isForAudience(ping)) return ping
  const others = ping.responses.filter(({ user_id }) => user_id !== response.user_id)
  return withPlaceKnown({ ...ping, responses: [...others, response] })
}

/** An answer that gives somebody the exact place leaves a trace for the owner, also if it is taken back. */
function withPlaceKnown<P extends Ping>(ping: P): P {
  return ping.access === 'owner' ? { ...ping, place_known_by: placeKnownBy(ping) } : ping
}

/** Returns the ping without this invitee, and without what they had answered. */
export function withoutInvitee<P extends ShownPing>(ping: P, userId: UserId): P {
  if (!isForAudience(ping)) return ping
  const recipients = ping.recipients.filter(({ recipient_id }) => recipient_id !== userId)
  return { ...withoutResponse(ping, userId), recipients }
}

export function withoutResponse<P extends ShownPing>(ping: P, userId: UserId): P {
  if (!isForAudience(ping) || !ping.responses.some(({ user_id }) => user_id === userId)) return ping
  return { ...ping, responses: ping.responses.filter(({ user_id }) => user_id !== userId) }
}

/** Returns the ping with this guest added or replaced. A ping whose guests the reader may not see stays the same. */
export function withGuest<P extends ShownPing>(ping: P, guest: Guest): P {
  if (!isForAudience(ping)) return ping
  const isKnown = ping.guests.some(({ id }) => id === guest.id)
  const guests = isKnown ? ping.guests.map((other) => (other.id === guest.id ? guest : other)) : [...ping.guests, guest]
  return withPlaceKnown({ ...ping, guests })
}

export function withoutGuest<P extends ShownPing>(ping: P, guestId: GuestId): P {
  if (!isForAudience(ping) || !ping.guests.some(({ id }) => id === guestId)) return ping
  return { ...ping, guests: ping.guests.filter(({ id }) => id !== guestId) }
}

/** Returns the ping with this trip added or replaced, by arrival. A ping whose trips the reader may not see stays the same. */
export function withTrip<P extends ShownPing>(ping: P, trip: Trip): P {
  if (!isForAudience(ping)) return ping
  const trips = [...ping.trips.filter(({ user_id }) => user_id !== trip.user_id), trip]
  return { ...ping, trips: trips.sort(compareTrips) }
}

function compareTrips(a: Trip, b: Trip): number {
  return Date.parse(a.arrives_at) - Date.parse(b.arrives_at) || (a.user_id < b.user_id ? -1 : 1)
}

export function withoutTrip<P extends ShownPing>(ping: P, userId: UserId): P {
  if (!isForAudience(ping) || !ping.trips.some(({ user_id }) => user_id === userId)) return ping
  return { ...ping, trips: ping.trips.filter(({ user_id }) => user_id !== userId) }
}

/** Returns the ping with another place. */
export function withPlace<P extends ShownPing>(ping: P, place: ShownPlace): P {
  const { latitude, longitude, address, place_radius_m } = place
  return { ...ping, latitude, longitude, address, place_radius_m }
}

/** Returns the ping with the chat of its audience. */
export function withConversation<P extends ShownPing>(ping: P, conversationId: ConversationId | null): P {
  return isForAudience(ping) ? { ...ping, conversation_id: conversationId } : ping
}
