import { type PingId, type UserId } from '@hither/contract/ids.ts'
import { type ChangePing, type Ping, type PingResponse, pingLimits } from '@hither/contract/pings.ts'
import { type User } from '@hither/contract/users.ts'
import { type NewPing, type ShownPing } from './ping-shapes.ts'

const temporaryPrefix = 'temp-'

/** What the server is about to answer, as far as it can be known here. */
export function temporaryPing(input: NewPing, owner: User, nowMs: number): Ping {
  const startMs = input.activates_at ? Date.parse(input.activates_at) : nowMs
  const minutes = input.duration_minutes ?? pingLimits.durationDefaultMinutes
  return {
    // Never leaves this device: nothing that needs the server's id is offered while it stands.
    id: `${temporaryPrefix}${crypto.randomUUID()}` as PingId,
    user_id: owner.id,
    username: owner.username,
    user_has_image: owner.has_image,
    name: input.name.trim(),
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
  }
}

export function isTemporary(pingId: string): boolean {
  return pingId.startsWith(temporaryPrefix)
}

/** In front, in place of its former self; and of its stand-in, since the live row may come before the server's answer. */
export function insertedPing(pings: Ping[] | undefined, ping: Ping): Ping[] | undefined {
  return pings && [ping, ...pings.filter((other) => other.id !== ping.id && !isStandInOf(other, ping))]
}

function isStandInOf(other: Ping, ping: Ping): boolean {
  if (!isTemporary(other.id) || isTemporary(ping.id) || other.user_id !== ping.user_id) return false
  return other.name === ping.name && other.latitude === ping.latitude && other.longitude === ping.longitude
}

/** As the server is about to make it: with more time, or over. */
export function withChange<P extends ShownPing>(ping: P, { extend_minutes, end }: ChangePing, nowMs: number): P {
  if (end) return { ...ping, expires_at: new Date(nowMs).toISOString(), status: 'expired' }
  const expiresMs = Date.parse(ping.expires_at) + (extend_minutes ?? 0) * 60_000
  return { ...ping, expires_at: new Date(expiresMs).toISOString() }
}

/** With this person's answer in place of their former one. A ping whose answers the reader may not see stays as it is. */
export function withResponse<P extends ShownPing>(ping: P, response: PingResponse): P {
  if (!('responses' in ping)) return ping
  const others = ping.responses.filter(({ user_id }) => user_id !== response.user_id)
  return { ...ping, responses: [...others, response] }
}

export function withoutResponse<P extends ShownPing>(ping: P, userId: UserId): P {
  if (!('responses' in ping) || !ping.responses.some(({ user_id }) => user_id === userId)) return ping
  return { ...ping, responses: ping.responses.filter(({ user_id }) => user_id !== userId) }
}
