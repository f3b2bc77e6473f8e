import type { UserId } from '@hither/contract/ids.ts'
import type { Guest, PingResponse } from '@hither/contract/pings.ts'
import type { Announce } from '../events/changes.ts'
import { type Audience, limitAudience } from '../events/feed-declaration.ts'
import { feeds } from '../feeds/feeds.ts'
import type { Tx } from '../platform/db/database.ts'
import { announceTripsOfPair, endTripsBetween, showTripsBetween } from '../trips/audience/trip-endings.service.ts'
import type { LockedPair } from '../users/user-locks.ts'
import { announceGuestsBetween, moveGuestsBetween } from './guests/guest-endings.service.ts'
import * as queries from './ping-audience.queries.ts'
import { rowsByPlace } from './place/place-announcements.ts'

/**
 * Announces the end of a friendship: the pings between the two disappear for the recipient, the recipient's responses
 * for everyone who saw them, and all other responses for the recipient. Must run while the two are still friends.
 */
export async function announceAccessLost(tx: Tx, announce: Announce, [a, b]: LockedPair, now: Date): Promise<void> {
  // Expired pings are included: a client may have one open.
  const pings = await queries.listBetween(tx, [a, b], now, null)
  if (pings.length > 0) await endTripsBetween(tx, announce, [a, b], now)
  for (const ping of pings) {
    for (const [response, audience] of responsesMoved(ping)) announce.delete('ping_responses', response, audience)
    for (const [guest, audience] of guestsMoved(ping)) announce.delete('ping_guests', guest, audience)
    for (const [row, people] of rowsForRecipient(ping)) announce.delete('location_pins', row, people)
  }
}

/** The inverse of `announceAccessLost`. Must run after the two became friends. */
export async function announceAccessGained(tx: Tx, announce: Announce, [a, b]: LockedPair, now: Date): Promise<void> {
  // Expired pings are in no list of the other user; an announcement would show them as new.
  const pings = await listWithoutGuestsBetween(tx, announce, [a, b], now)
  for (const ping of pings) {
    for (const [row, people] of rowsForRecipient(ping)) announce.insert('location_pins', row, people)
    for (const [response, audience] of responsesMoved(ping)) announce.insert('ping_responses', response, audience)
    for (const [guest, audience] of guestsMoved(ping)) announce.insert('ping_guests', guest, audience)
  }
  if (pings.length > 0) await showTripsBetween(tx, announce, [a, b], now)
}

/** Lists the unexpired pings between two new friends, after the response of each as a guest became that of an invitee. */
async function listWithoutGuestsBetween(tx: Tx, announce: Announce, [a, b]: LockedPair, now: Date) {
  const pings = await queries.listBetween(tx, [a, b], now, now)
  if (!pings.some(({ is_recipient_guest }) => is_recipient_guest)) return pings
  await moveGuestsBetween(tx, announce, [a, b], now)
  return queries.listBetween(tx, [a, b], now, now)
}

/** Lists the owners of the pings to which both users are invited, or one is invited and the other is a guest. */
export function listOwnersOfShared(tx: Tx, a: UserId, b: UserId): Promise<UserId[]> {
  return queries.listOwnersOfShared(tx, a, b)
}

/**
 * A block begins (`delete`) or the last block ends (`insert`) between two people: the response of each to the pings of others
 * disappears from, or returns to, the other's live rows, and so does each as a guest. Called while there is no block, and the owners are locked.
 */
export async function announceResponsesBetween(
  tx: Tx,
  announce: Announce,
  [a, b]: LockedPair,
  kind: 'insert' | 'delete',
  now: Date,
): Promise<void> {
  await announceTripsOfPair(tx, announce, [a, b], kind, now)
  await announceGuestsBetween(tx, announce, [a, b], kind, now)
  for (const ping of await queries.listShared(tx, [a, b], now)) {
    if (kind === 'insert' && ping.status === 'expired') continue
    for (const response of ping.responses) {
      const other = response.user_id === a ? b : response.user_id === b ? a : null
      if (other === null) continue
      const audience = limitAudience(feeds.ping_responses.audience(response, ping), [other])
      announce[kind]('ping_responses', response, audience)
    }
  }
}

/** Returns the row of a ping as this recipient may know it. */
function rowsForRecipient(ping: queries.PingBetween) {
  return rowsByPlace(ping, limitAudience(feeds.location_pins.audience(ping), [ping.recipient_id]))
}

/** Returns the responses that appear or disappear when this recipient gains or loses access, each with its audience. */
function responsesMoved(ping: queries.PingBetween): [PingResponse, Audience<'ping_responses'>][] {
  return ping.responses.map((response) => {
    const audience = feeds.ping_responses.audience(response, ping)
    const isTheirs = response.user_id === ping.recipient_id
    return [response, isTheirs ? audience : limitAudience(audience, [ping.recipient_id])]
  })
}

/** Returns the guests whom this recipient may see from now on, or no longer. */
function guestsMoved(ping: queries.PingBetween): [Guest, Audience<'ping_guests'>][] {
  return ping.guests.map(({ guest, hidden_from }) => {
    const audience = feeds.ping_guests.audience(guest, { ...ping, hidden_from })
    return [guest, limitAudience(audience, [ping.recipient_id])]
  })
}
