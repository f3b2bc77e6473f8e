import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { ChangePing, OwnPing } from '@hither/contract/pings.ts'
import { placeKnownBy } from '@hither/contract/runtime/pings.ts'
import type { Announce } from '../../events/changes.ts'
import { limitAudience } from '../../events/feed-declaration.ts'
import { feeds } from '../../feeds/feeds.ts'
import { inOrder } from '../../platform/db/in-order.ts'
import { announceTripsShown, endTripsTo } from '../../trips/audience/trip-endings.service.ts'
import { announceGuest } from '../guests/guest-announcements.ts'
import { remindedAtFirst } from '../pings.rules.ts'
import type { PingsDeps } from '../pings.service.ts'
import { listHiddenPlaceIds } from '../place/place.queries.ts'
import { storedAreaOf } from '../place/place.rules.ts'
import { type AreaDeps, findAreaFor } from '../place/place.service.ts'
import * as queries from './changes.queries.ts'
import { type PlannedEdit, planEdit, readEdit } from './edits.rules.ts'
import { changePushTime } from './notices.rules.ts'
import type { ChangeablePing } from './own-ping.queries.ts'
import { announceUpdate, assertNotEnded, audienceOf, lockOwnPing } from './own-ping.service.ts'

/**
 * Changes fields of a ping of the caller. A change of the place or the start makes all responses outdated and notifies
 * everybody who is going or maybe. A body that changes nothing is answered with the ping and announces nothing.
 */
export async function editPing(
  { pool, changes, now, findArea, chats }: PingsDeps & AreaDeps,
  callerId: UserId,
  pingId: PingId,
  change: ChangePing,
): Promise<OwnPing> {
  const edit = readEdit(change)
  return changes.commit(pool, async (tx, announce) => {
    const { ping: before, locked, at } = await lockOwnPing(tx, callerId, pingId, now)
    assertNotEnded(before)
    const plan = planEdit(before, edit, at)
    if (!plan) return before
    const area = storedAreaOf(await findAreaFor({ findArea }, plan.columns))
    const changed = { ...pingAfter(before, plan), ...area }
    const remindedAt = remindedAtFirst(changed.activates_at === null ? null : new Date(changed.activates_at), at)
    const { moves, hasNewStart } = plan
    const [, hidden_place_ids] = await inOrder([
      queries.updatePing(tx, pingId, changed, { announcedStatus: changed.status, moves, hasNewStart, remindedAt }),
      listHiddenPlaceIds(tx, pingId, at),
    ])
    const after = { ...changed, hidden_place_ids, place_known_by: placeKnownBy(changed) }
    if (plan.hasMoved || hasNewStart) await endTripsTo(tx, announce, [locked])
    else if (before.responses_visible !== after.responses_visible)
      await announceTripsShown(tx, announce, locked, after.responses_visible ? 'insert' : 'delete', at)
    if (before.conversation_id !== null)
      await chats.moveDate(tx, announce, before.conversation_id, { before: before.expires_at, after: after.expires_at })
    announceUpdate(announce, before, after)
    announceResponsesShown(announce, before, after)
    announceGuestsShown(announce, before, after)
    publish(announce, before, after, plan, at)
    return after
  })
}

function pingAfter(before: ChangeablePing, { columns, status, hasMoved, hasNewStart }: PlannedEdit): ChangeablePing {
  const approves = columns.guest_policy === 'open'
  const seen_guests = approves
    ? before.seen_guests.map((seen) => ({ ...seen, guest: { ...seen.guest, state: 'approved' as const } }))
    : before.seen_guests
  const trips = hasMoved || hasNewStart ? [] : before.trips
  return { ...before, ...columns, status, seen_guests, guests: seen_guests.map(({ guest }) => guest), trips }
}

/** The responses of others appear or disappear for the invitees. */
function announceResponsesShown(announce: Announce, before: ChangeablePing, after: ChangeablePing): void {
  if (before.responses_visible === after.responses_visible) return
  const kind = after.responses_visible ? 'insert' : 'delete'
  const ping = { ...audienceOf(after), responses_visible: true }
  for (const response of after.responses) {
    const audience = feeds.ping_responses.audience(response, ping)
    const others = audience.filter((id) => id !== ping.user_id && id !== response.user_id)
    announce[kind]('ping_responses', response, limitAudience(audience, others))
  }
}

/** Guests appear or disappear for the invitees, and those who waited are approved. */
function announceGuestsShown(announce: Announce, before: ChangeablePing, after: ChangeablePing): void {
  const ping = audienceOf(after)
  const isShown = before.responses_visible !== after.responses_visible
  const kind = after.responses_visible ? 'insert' : 'delete'
  for (const [index, seen] of after.seen_guests.entries()) {
    const earlier = before.seen_guests[index] ?? seen
    if (earlier.guest.state !== seen.guest.state) announceGuest(announce, ping, earlier, seen)
    else if (isShown) {
      const { guest, hidden_from } = seen
      const audience = feeds.ping_guests.audience(guest, { ...ping, responses_visible: true, hidden_from })
      announce[kind](
        'ping_guests',
        guest,
        limitAudience(
          audience,
          audience.filter((id) => id !== ping.user_id),
        ),
      )
    }
  }
}

function publish(announce: Announce, before: ChangeablePing, after: ChangeablePing, plan: PlannedEdit, at: Date): void {
  const pingId = after.id
  if (plan.hasNewStart || before.expires_at !== after.expires_at)
    announce.pingDue(new Date(after.status === 'pending' && after.activates_at ? after.activates_at : after.expires_at))
  // The announcing job was late: the edit has announced the activation.
  if (before.announced_status === 'pending' && after.status === 'active')
    announce.publish({ kind: 'ping_activated', pingId, audience: feeds.location_pins.audience(audienceOf(after)), at })
  if (!plan.hasMoved && !plan.hasNewStart) return
  const people = after.attendees.map((person) => ({ userId: person.user_id, dueAt: changePushTime(person, at) }))
  announce.publish({ kind: 'ping_changed', pingId, people, at })
}
