import { type UserId } from '@hither/contract/ids.ts'
import {
  type ExtensionMinutes,
  type Ping,
  type PingResponse,
  type PingStatus,
  pingLimits,
  type Recipient,
  type ResponseType,
} from '@hither/contract/pings.ts'

interface Times {
  created_at: string
  activates_at: string | null
  expires_at: string
}

const minuteMs = 60_000

/** What the server would say at that moment: a ping goes on by the clock, whether or not anything was announced. */
export function statusAt({ activates_at, expires_at }: Times, nowMs: number): PingStatus {
  if (nowMs >= Date.parse(expires_at)) return 'expired'
  return activates_at !== null && nowMs < Date.parse(activates_at) ? 'pending' : 'active'
}

/** Whole minutes until the end, a started one counting: a fresh ping of half an hour has 30. */
export function minutesLeft({ expires_at }: Times, nowMs: number): number {
  return Math.max(0, Math.ceil((Date.parse(expires_at) - nowMs) / minuteMs))
}

/** From 1 when it became active to 0 when it expires. */
export function fractionLeft({ created_at, activates_at, expires_at }: Times, nowMs: number): number {
  const startMs = Date.parse(activates_at ?? created_at)
  const lifeMs = Date.parse(expires_at) - startMs
  if (lifeMs <= 0) return 0
  return Math.min(1, Math.max(0, (Date.parse(expires_at) - nowMs) / lifeMs))
}

/** `2h 5m remaining`, `24m remaining`. */
export function remainingText(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  return hours > 0 ? `${hours}h ${minutes % 60}m remaining` : `${minutes}m remaining`
}

/** `24 min left`, `1 h 5 min left`. */
export function leftText(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours === 0) return `${minutes} min left`
  return rest === 0 ? `${hours} h left` : `${hours} h ${rest} min left`
}

/** `24 m`, `3 h`: never more than there is. */
export function captionText(minutes: number): string {
  return minutes < 60 ? `${minutes} m` : `${Math.floor(minutes / 60)} h`
}

/** "24 minutes", for those who hear it. */
export function spokenMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  const parts = [hours > 0 && counted(hours, 'hour'), (rest > 0 || hours === 0) && counted(rest, 'minute')]
  return parts.filter(Boolean).join(' ')
}

/** My Pins: active first, newest of them leading; then pending by activation; then the rest, newest first. */
export function orderMine<P extends Times>(pings: readonly P[], nowMs: number): P[] {
  const rank = { active: 0, pending: 1, expired: 2 }
  return [...pings].sort((a, b) => {
    const [statusA, statusB] = [statusAt(a, nowMs), statusAt(b, nowMs)]
    if (statusA !== statusB) return rank[statusA] - rank[statusB]
    if (statusA === 'pending') return Date.parse(a.activates_at ?? '') - Date.parse(b.activates_at ?? '')
    return Date.parse(b.created_at) - Date.parse(a.created_at)
  })
}

/** Friends Nearby: what others share and is not over, active before scheduled, newest first. */
export function orderNearby<P extends Times & { user_id: UserId }>(
  pings: readonly P[],
  nowMs: number,
  viewerId: UserId | undefined,
): P[] {
  const others = pings.filter((ping) => ping.user_id !== viewerId && statusAt(ping, nowMs) !== 'expired')
  return others.sort((a, b) => {
    const later = Number(statusAt(a, nowMs) === 'pending') - Number(statusAt(b, nowMs) === 'pending')
    return later === 0 ? Date.parse(b.created_at) - Date.parse(a.created_at) : later
  })
}

export function countByStatus(pings: readonly Times[], nowMs: number): Record<PingStatus, number> {
  const counts = { active: 0, pending: 0, expired: 0 }
  for (const ping of pings) counts[statusAt(ping, nowMs)]++
  return counts
}

/** Only a listed guest of a ping that is not over, and never its owner. */
export function canRespond(
  ping: Times & { user_id: UserId; recipients: readonly Recipient[] },
  viewerId: UserId | undefined,
  nowMs: number,
): boolean {
  if (viewerId === undefined || ping.user_id === viewerId || statusAt(ping, nowMs) === 'expired') return false
  return ping.recipients.some(({ recipient_id }) => recipient_id === viewerId)
}

/** Whether the ping would still end within the longest life there is. */
export function canExtendBy(minutes: ExtensionMinutes, { created_at, activates_at, expires_at }: Times): boolean {
  const latestMs = Date.parse(activates_at ?? created_at) + pingLimits.lifeMaxMinutes * minuteMs
  return Date.parse(expires_at) + minutes * minuteMs <= latestMs
}

/** The owner sees all answers, guests only where the owner said so. */
export function canSeeResponses(
  ping: Pick<Ping, 'user_id' | 'responses_visible'>,
  viewerId: UserId | undefined,
): boolean {
  return viewerId !== undefined && (ping.user_id === viewerId || ping.responses_visible)
}

export function responseOf(responses: readonly PingResponse[], userId: UserId | undefined): ResponseType | null {
  return responses.find(({ user_id }) => user_id === userId)?.response_type ?? null
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
