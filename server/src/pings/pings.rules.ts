import { type UserId } from '@hither/contract/ids.ts'
import {
  type ChangePing,
  type CreatePing,
  type PingResponse,
  type PingStatus,
  pingLimits,
  pingTexts,
} from '@hither/contract/pings.ts'
import { type Fault } from '@hither/contract/refusals.ts'
import { fault, InvalidInput, Refusal } from '../platform/refusal.ts'

/**
 * How far a signed-in person sees a ping: all of it, all but what is the owner's, or what its public link shows. Nobody
 * else knows that it exists.
 */
export type Sight = 'owner' | 'invitee' | 'stranger'

/** What a new ping is, once its input is found good. */
export interface NewPing {
  readonly name: string
  readonly message: string | null
  readonly address: string | null
  readonly latitude: number
  readonly longitude: number
  readonly isPublic: boolean
  readonly responsesVisible: boolean
  readonly createdAt: Date
  readonly activatesAt: Date | null
  readonly expiresAt: Date
}

/** Throws all that is wrong with the input at once; who is invited is judged apart, since it needs the friends of the moment. */
export function planPing(input: CreatePing, now: Date): NewPing {
  const name = input.name.trim()
  const activatesAt = input.activates_at == null ? null : new Date(input.activates_at)
  const faults = [...faultsOfName(name), ...faultsOfActivation(activatesAt, now)]
  if (faults.length > 0) throw new InvalidInput(...faults)
  const durationMs = (input.duration_minutes ?? pingLimits.durationDefaultMinutes) * 60_000
  return {
    name,
    message: textOrNull(input.message),
    address: textOrNull(input.address),
    latitude: input.latitude,
    longitude: input.longitude,
    isPublic: input.is_public ?? false,
    responsesVisible: input.responses_visible ?? true,
    createdAt: now,
    activatesAt,
    expiresAt: new Date((activatesAt ?? now).getTime() + durationMs),
  }
}

// In code points, as the database and the contract count.
function faultsOfName(name: string): Fault[] {
  const atName = fault('body', 'name')
  if (name === '') return [atName(pingTexts.nameMissing)]
  return [...name].length > pingLimits.nameMax ? [atName(pingTexts.nameTooLong)] : []
}

function faultsOfActivation(activatesAt: Date | null, now: Date): Fault[] {
  if (activatesAt === null) return []
  const aheadMs = activatesAt.getTime() - now.getTime()
  // Not a number for a date that the calendar does not have: that is not ahead either.
  const isAhead = aheadMs > 0 && aheadMs <= pingLimits.scheduleHorizonMs
  return isAhead ? [] : [fault('body', 'activates_at')(pingTexts.scheduleInvalid)]
}

function textOrNull(text: string | null | undefined): string | null {
  return text == null || text.trim() === '' ? null : text
}

/** Those named, each once, all of whom must be friends; where nobody is named, all friends. Only a public ping may have none. */
export function chooseRecipients(
  input: Pick<CreatePing, 'recipient_ids' | 'is_public'>,
  friendIds: readonly UserId[],
): UserId[] {
  const atRecipients = fault('body', 'recipient_ids')
  if (input.recipient_ids == null) {
    if (friendIds.length === 0 && !input.is_public) throw new InvalidInput(atRecipients(pingTexts.noFriends))
    return [...friendIds]
  }
  // An id may be written in capitals; the database never does.
  const chosen = new Set(input.recipient_ids.map((id) => id.toLowerCase() as UserId))
  if (chosen.size === 0 && !input.is_public) throw new InvalidInput(atRecipients(pingTexts.noRecipients))
  const friends = new Set(friendIds)
  if ([...chosen].some((id) => !friends.has(id))) throw new InvalidInput(atRecipients(pingTexts.recipientsNotFriends))
  return [...chosen]
}

export function assertRoomForAnother(unexpired: number): void {
  if (unexpired >= pingLimits.unexpiredPerUser) throw new Refusal('too_many_pings')
}

/** To a stranger with the public link the ping is no more there than to anyone else: there is nothing for them to do to it. */
export function assertCanDelete(sight: Sight | undefined): void {
  if (sight === 'owner') return
  throw new Refusal(sight === 'invitee' ? 'ping_not_owned' : 'ping_not_found')
}

/** As with deleting: whoever was not invited is not told that the ping is there. */
export function assertCanChange(sight: Sight | undefined): void {
  if (sight === 'owner') return
  throw new Refusal(sight === 'invitee' ? 'ping_not_changeable' : 'ping_not_found')
}

/** What a change asks for: so many minutes more, or null for the end. */
export function askedMinutes({ extend_minutes, end }: ChangePing): number | null {
  if ((extend_minutes === undefined) === (end === undefined))
    throw new InvalidInput(fault('body')(pingTexts.changeUnclear))
  return extend_minutes ?? null
}

/** When a ping ends that is active now and given so many minutes more, or ended. */
export function endOf(
  ping: { status: PingStatus; created_at: string; activates_at: string | null; expires_at: string },
  minutes: number | null,
  now: Date,
): Date {
  if (ping.status !== 'active') throw new Refusal('ping_not_active')
  const startMs = new Date(ping.activates_at ?? ping.created_at).getTime()
  // Another server whose clock is ahead may have created it: a ping never ends before it starts.
  if (minutes === null) return new Date(Math.max(now.getTime(), startMs))
  const end = new Date(ping.expires_at).getTime() + minutes * 60_000
  const lifeMs = end - startMs
  if (lifeMs > pingLimits.lifeMaxMinutes * 60_000) throw new Refusal('ping_life_exceeded')
  return new Date(end)
}

/** Not to one that has ended by `now`, whether or not that has been told. */
export function assertCanRespond<P extends { sight: Sight | null; expires_at: string }>(
  ping: P | undefined,
  now: Date,
): asserts ping is P {
  if (!ping?.sight) throw new Refusal('ping_not_found')
  if (ping.sight !== 'invitee') throw new Refusal('not_invited')
  if (new Date(ping.expires_at) <= now) throw new Refusal('ping_expired')
}

export function assertCanListResponses(ping: { sight: Sight; responses_visible: boolean }): void {
  if (ping.sight === 'owner') return
  if (ping.sight !== 'invitee' || !ping.responses_visible) throw new Refusal('responses_hidden')
}

/** What decides who sees the responses to a ping. */
export interface ResponseAudience {
  readonly user_id: UserId
  readonly responses_visible: boolean
  /** Those who see the ping. */
  readonly invitee_ids: readonly UserId[]
  /** Of the invitees, each two of whom one has blocked the other. */
  readonly blocked_pairs: readonly (readonly [UserId, UserId])[]
}

/** Everyone who sees this person's response, who is among the invitees; nobody who has blocked them or whom they have blocked. */
export function seersOf({ user_id: responderId }: Pick<PingResponse, 'user_id'>, ping: ResponseAudience): UserId[] {
  if (!ping.invitee_ids.includes(responderId)) return []
  if (!ping.responses_visible) return [ping.user_id, responderId]
  const blocked = new Set(ping.blocked_pairs.filter((pair) => pair.includes(responderId)).flat())
  return [ping.user_id, ...ping.invitee_ids.filter((id) => id === responderId || !blocked.has(id))]
}
