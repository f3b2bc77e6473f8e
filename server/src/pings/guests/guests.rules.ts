import type { Guest, GuestPolicy, GuestState, ResponseCounts } from '@hither/contract/pings.ts'
import { guestLimits } from '@hither/contract/runtime/guests.ts'
import { isPersonName } from '@hither/contract/runtime/texts.ts'
import { fieldError, InvalidInput, Refusal } from '../../platform/errors/refusal.ts'

/** A stored guest. Without a name if it was removed and had no account. */
export type StoredGuest = Omit<Guest, 'state' | 'name'> & {
  readonly state: GuestState | 'removed'
  readonly name: string | null
}

/** Returns the name without spaces around it. Refuses one that is too long or has characters that are not allowed. */
export function readGuestName(text: string): string {
  const name = text.trim()
  // Lengths are in code points, as in the database.
  if ([...name].length > guestLimits.nameMax || !isPersonName(name))
    throw new InvalidInput(fieldError('body', 'name')('guest_name_invalid'))
  return name
}

/** Returns the guest unless it was removed. */
export function presentGuest(guest: StoredGuest | null): Guest | null {
  return guest === null || guest.state === 'removed' ? null : (guest as Guest)
}

/** Returns the guest without account that a token identifies. Refuses an unknown, removed or claimed one in the same way. */
export function guestOfToken(guest: StoredGuest | null): Guest {
  const present = presentGuest(guest)
  if (!present || present.user_id !== null) throw new Refusal('guest_not_found')
  return present
}

/** Refuses a new guest. `off` is the refusal for a ping that allows no guests. */
export function assertAcceptsGuests(
  ping: { guest_policy: GuestPolicy; is_full: boolean },
  off: 'guests_not_allowed' | 'not_invited',
): void {
  if (ping.guest_policy === 'off') throw new Refusal(off)
  if (ping.is_full) throw new Refusal('guests_full')
}

/** Whether a guest counts as a person who is going. */
export function isGoing({ state, response_type }: Pick<Guest, 'state' | 'response_type'>): boolean {
  return state === 'approved' && response_type === 'accepted'
}

/** The state of a new guest. */
export function firstState(policy: GuestPolicy): GuestState {
  return policy === 'open' ? 'approved' : 'waiting'
}

/** The owner is notified of every answer, except of somebody who cannot come and waits for approval. */
export function isNotified({ state, response_type }: Pick<Guest, 'state' | 'response_type'>): boolean {
  return state === 'approved' || response_type !== 'declined'
}

/**
 * Returns when the owner is notified of an answer. `latest` is the time of the last notification, or of one that waits and
 * that this one joins.
 */
export function pushTime(latest: string | null, now: Date): Date {
  const latestMs = latest === null ? Number.NEGATIVE_INFINITY : Date.parse(latest)
  if (latestMs > now.getTime()) return new Date(latestMs)
  return new Date(Math.max(now.getTime(), latestMs + guestLimits.pushPauseMs))
}

/** Returns the numbers of responses after a guest has changed. `null` for a guest who was or is not there. */
export function countsAfter(counts: ResponseCounts, before: Guest | null, after: Guest | null): ResponseCounts {
  const difference = (type: 'accepted' | 'tentative') => countOf(after, type) - countOf(before, type)
  return {
    accepted: counts.accepted + difference('accepted'),
    tentative: counts.tentative + difference('tentative'),
  }
}

function countOf(guest: Guest | null, type: 'accepted' | 'tentative'): number {
  return guest?.state === 'approved' && guest.response_type === type ? 1 : 0
}
