import type { AreaKm, ExactPlaceFor } from '@hither/contract/areas.ts'
import type { FieldError } from '@hither/contract/error-body.ts'
import type { FoundArea } from '@hither/contract/geo.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { ChangePing, CreatePing, GuestPolicy, PingRow, PingStatus } from '@hither/contract/pings.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import { cleanLine, cleanText, isName, isVisible } from '@hither/contract/runtime/texts.ts'
import type { Access } from '../ping-access/ping-access.visibility.ts'
import { fieldError, InvalidInput, Refusal } from '../platform/errors/refusal.ts'
import { type StoredArea, storedAreaOf } from './place/place.rules.ts'

/** A new ping after validation. */
export interface NewPing extends StoredArea {
  readonly name: string
  readonly message: string | null
  readonly address: string | null
  readonly latitude: number
  readonly longitude: number
  readonly isPublic: boolean
  readonly isUnnamed: boolean
  readonly responsesVisible: boolean
  readonly guestPolicy: GuestPolicy
  readonly exactPlaceFor: ExactPlaceFor
  readonly areaKm: AreaKm
  readonly createdAt: Date
  readonly activatesAt: Date | null
  readonly expiresAt: Date
  readonly invitedAll: boolean
  readonly remindedAt: Date | null
}

/**
 * Validates the input and throws all errors at once. `chooseRecipients` validates the invitees, since it needs the
 * current friends.
 */
export function planPing(input: CreatePing, now: Date, area: FoundArea): NewPing {
  const name = input.name.trim()
  const activatesAt = input.activates_at == null ? null : new Date(input.activates_at)
  const fieldErrors = [...nameErrors(name), ...activationErrors(activatesAt, now), ...circleErrors(input)]
  if (fieldErrors.length > 0) throw new InvalidInput(...fieldErrors)
  const durationMs = (input.duration_minutes ?? pingLimits.durationDefaultMinutes) * 60_000
  return {
    name,
    isUnnamed: input.is_unnamed ?? false,
    message: textOrNull(input.message),
    address: addressOrNull(input.address),
    latitude: input.latitude,
    longitude: input.longitude,
    isPublic: input.is_public ?? false,
    responsesVisible: input.responses_visible ?? true,
    guestPolicy: input.guest_policy ?? 'off',
    exactPlaceFor: input.exact_place_for ?? 'everyone',
    areaKm: input.area_km ?? 1,
    ...storedAreaOf(area),
    createdAt: now,
    activatesAt,
    expiresAt: new Date((activatesAt ?? now).getTime() + durationMs),
    invitedAll: input.recipient_ids == null,
    remindedAt: remindedAtFirst(activatesAt, now),
  }
}

/** When the reminder of a new start counts as sent: at once if the start is close, because people have just been notified. */
export function remindedAtFirst(activatesAt: Date | null, now: Date): Date | null {
  const isClose = activatesAt !== null && activatesAt.getTime() - now.getTime() < pingLimits.remindedAheadMinMs
  return isClose ? now : null
}

/** Returns the time of a change, which is later than that of the change before it even if the clock is not. */
export function updateTime(ping: { updated_at: string }, now: Date): Date {
  return new Date(Math.max(now.getTime(), Date.parse(ping.updated_at) + 1))
}

// Lengths are in code points, as in the database and the contract.
export function nameErrors(name: string): FieldError[] {
  const atName = fieldError('body', 'name')
  if (!isVisible(name)) return [atName('ping_name_missing')]
  if ([...name].length > pingLimits.nameMax) return [atName('ping_name_too_long')]
  return isName(name) ? [] : [atName('name_hidden')]
}

export function activationErrors(activatesAt: Date | null, now: Date): FieldError[] {
  if (activatesAt === null) return []
  const aheadMs = activatesAt.getTime() - now.getTime()
  // `aheadMs` is NaN for a date that does not exist; such a date is refused too.
  const isAhead = aheadMs > 0 && aheadMs <= pingLimits.scheduleHorizonMs
  return isAhead ? [] : [fieldError('body', 'activates_at')('schedule_invalid')]
}

/**
 * Circles without a list of people are an error. A server that does not know circles would send such a ping to all friends,
 * so no client may learn to send it.
 */
function circleErrors({ circle_ids, recipient_ids }: CreatePing): FieldError[] {
  const isMissing = circle_ids != null && recipient_ids == null
  return isMissing ? [fieldError('body', 'recipient_ids')('no_recipients')] : []
}

export function textOrNull(text: string | null | undefined): string | null {
  return (text && cleanText(text)) || null
}

export function addressOrNull(text: string | null | undefined): string | null {
  return (text && cleanLine(text)) || null
}

/**
 * Returns the named recipients, all of whom must be friends, and the members of circles, each person once; all friends if
 * nobody is named. Only a public ping may have no recipients. The result is in the order of the ids: the ids of the
 * invitations ascend in it, and every invitee receives them, so it must not depend on circles.
 */
export function chooseRecipients(
  input: Pick<CreatePing, 'recipient_ids' | 'is_public'>,
  friendIds: readonly UserId[],
  memberIds: readonly UserId[] = [],
): UserId[] {
  const atRecipients = fieldError('body', 'recipient_ids')
  if (input.recipient_ids == null) {
    if (friendIds.length === 0 && !input.is_public) throw new InvalidInput(atRecipients('no_friends'))
    return [...friendIds].sort()
  }
  const named = individuals(input)
  const chosen = new Set([...named, ...memberIds])
  if (chosen.size === 0 && !input.is_public) throw new InvalidInput(atRecipients('no_recipients'))
  const friends = new Set(friendIds)
  if (named.some((id) => !friends.has(id))) throw new InvalidInput(atRecipients('recipients_not_friends'))
  return [...chosen].sort()
}

/** The people who are named. Clients may write an id in upper case; the database stores lower case. */
export function individuals({ recipient_ids }: Pick<CreatePing, 'recipient_ids'>): UserId[] {
  return (recipient_ids ?? []).map((id) => id.toLowerCase() as UserId)
}

export function assertBelowPingLimit(unexpired: number): void {
  if (unexpired >= pingLimits.unexpiredPerUser) throw new Refusal('too_many_pings')
}

/** A stranger with the public link is refused as if the ping did not exist. */
export function assertCanDelete(access: Access | undefined): void {
  if (access === 'owner') return
  throw new Refusal(access === 'invitee' ? 'ping_not_owned' : 'ping_not_found')
}

/** Users who are not invited are refused as if the ping did not exist, as in `assertCanDelete`. */
export function assertCanChange<P extends { access: Access }>(
  ping: P | undefined,
): asserts ping is Extract<P, { access: 'owner' }> {
  if (ping?.access !== 'owner') throw new Refusal(ping?.access === 'invitee' ? 'ping_not_changeable' : 'ping_not_found')
}

/** Refuses a change of nothing, and a new end together with something else. */
export function assertOneChange(change: ChangePing): void {
  const fields = Object.keys(change).length
  if (fields === 0 || (hasNewEnd(change) && fields > 1)) throw new InvalidInput(fieldError('body')('change_unclear'))
}

/** Whether the change extends or ends the ping. */
export function hasNewEnd({ extend_minutes, end }: ChangePing): boolean {
  return extend_minutes !== undefined || end !== undefined
}

/** Returns the new end of an active ping that is extended by this many minutes, or ended now if `minutes` is null. */
export function endOf(
  ping: { status: PingStatus; created_at: string; activates_at: string | null; expires_at: string },
  minutes: number | null,
  now: Date,
): Date {
  if (ping.status !== 'active') throw new Refusal('ping_not_active')
  const startMs = new Date(ping.activates_at ?? ping.created_at).getTime()
  // A server with a fast clock may have created the ping: a ping never ends before it starts.
  if (minutes === null) return new Date(Math.max(now.getTime(), startMs))
  const end = new Date(ping.expires_at).getTime() + minutes * 60_000
  const lifeMs = end - startMs
  if (lifeMs > pingLimits.lifeMaxMinutes * 60_000) throw new Refusal('ping_life_exceeded')
  return new Date(end)
}

/** Refuses a response to a ping that has ended by `now`, whether or not its end is announced. */
export function assertCanRespond<P extends { access: Access | null; expires_at: string; is_end_announced: boolean }>(
  ping: P | undefined,
  now: Date,
): asserts ping is P {
  if (!ping?.access) throw new Refusal('ping_not_found')
  if (ping.access !== 'invitee') throw new Refusal('not_invited')
  if (ping.is_end_announced || new Date(ping.expires_at) <= now) throw new Refusal('ping_expired')
}

/** Returns the revision of a response: the one that the person saw, or the current one if they did not send an earlier one. */
export function seenRevision({ revision }: { revision: number }, seen: number | undefined): number {
  return Math.min(seen ?? revision, revision)
}

export function assertCanListResponses(ping: { access: Access; responses_visible: boolean }): void {
  if (ping.access === 'owner') return
  if (ping.access !== 'invitee' || !ping.responses_visible) throw new Refusal('responses_hidden')
}

/**
 * Returns the columns that are the same for every viewer: the row of the feed, and everything that a public link shows.
 */
export function rowOf(ping: PingRow): PingRow {
  return {
    id: ping.id,
    user_id: ping.user_id,
    username: ping.username,
    display_name: ping.display_name,
    user_has_image: ping.user_has_image,
    name: ping.name,
    is_unnamed: ping.is_unnamed,
    latitude: ping.latitude,
    longitude: ping.longitude,
    created_at: ping.created_at,
    expires_at: ping.expires_at,
    activates_at: ping.activates_at,
    message: ping.message,
    has_image: ping.has_image,
    status: ping.status,
    address: ping.address,
    is_public: ping.is_public,
    responses_visible: ping.responses_visible,
    guest_policy: ping.guest_policy,
    place_radius_m: ping.place_radius_m,
    exact_place_for: ping.exact_place_for,
    area_km: ping.area_km,
    conversation_id: ping.conversation_id,
    updated_at: ping.updated_at,
    revision: ping.revision,
    place_revision: ping.place_revision,
    time_revision: ping.time_revision,
    canceled_at: ping.canceled_at,
    cancel_message: ping.cancel_message,
  }
}
