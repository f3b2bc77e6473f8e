import type { GuestId, PingId, UserId } from '@hither/contract/ids.ts'
import type { InvitePeople, OwnPing } from '@hither/contract/pings.ts'
import { assertFound, findCircles } from '../../circles/circle-members.service.ts'
import type { Announce } from '../../events/changes.ts'
import { limitAudience } from '../../events/feed-declaration.ts'
import { feeds } from '../../feeds/feeds.ts'
import { newId } from '../../platform/db/ids.ts'
import { inOrder } from '../../platform/db/in-order.ts'
import { fieldError, InvalidInput } from '../../platform/errors/refusal.ts'
import { listFriendIds } from '../../relations/relations.service.ts'
import { endTripsWithResponse, showTripsTo } from '../../trips/audience/trip-endings.service.ts'
import { announceGuest } from '../guests/guest-announcements.ts'
import { assertCanChange, chooseRecipients, individuals, updateTime } from '../pings.rules.ts'
import type { PingsDeps } from '../pings.service.ts'
import * as queries from './changes.queries.ts'
import { type ChangeablePing, findChangeable } from './own-ping.queries.ts'
import { announceUpdate, assertNotEnded, audienceOf, lockOwnPing, rowsFor } from './own-ping.service.ts'

/**
 * Invites more friends to a ping of the caller. They receive it as if it were new. For people who are invited, only the audience
 * that the owner sees changes.
 */
export async function invitePeople(
  { pool, changes, now, chats }: PingsDeps,
  callerId: UserId,
  pingId: PingId,
  { recipient_ids = null, circle_ids }: InvitePeople,
): Promise<OwnPing> {
  if (recipient_ids === null) throw new InvalidInput(fieldError('body', 'recipient_ids')('no_recipients'))
  return changes.commit(pool, async (tx, announce) => {
    const { ping: before, owner, locked, at } = await lockOwnPing(tx, callerId, pingId, now)
    const [friendIds, circles] = await inOrder([listFriendIds(tx, owner), findCircles(tx, owner, circle_ids ?? [])])
    assertFound(circles)
    assertNotEnded(before)
    const newIds = newInvitees(before, chooseRecipients({ recipient_ids }, friendIds, circles.memberIds))
    const choice = { circleIds: circles.circleIds, individualIds: individuals({ recipient_ids }) }
    if (newIds.length === 0) {
      const [, addressed] = await inOrder([
        queries.updateAddressed(tx, pingId, choice),
        findChangeable(tx, callerId, pingId, at),
      ])
      assertCanChange(addressed)
      return addressed
    }
    const [, after] = await inOrder([
      queries.insertInvitees(tx, pingId, newIds, choice, updateTime(before, at)),
      findChangeable(tx, callerId, pingId, at),
    ])
    assertCanChange(after)
    announce.publish({ kind: 'people_invited', pingId, inviteeIds: newIds, at })
    announceInvited(announce, before, after, newIds)
    const going = newIds.filter((id) =>
      after.responses.some((one) => one.user_id === id && one.response_type === 'accepted'),
    )
    if (going.length > 0) await showTripsTo(tx, announce, locked, going, at)
    if (after.conversation_id !== null) await chats.join(tx, announce, after.conversation_id, newIds, at)
    return after
  })
}

function newInvitees(ping: OwnPing, chosen: readonly UserId[]): UserId[] {
  const invited = new Set(ping.recipients.map(({ recipient_id }) => recipient_id))
  return chosen.filter((id) => !invited.has(id))
}

/** The new invitees receive the ping with what they may see of its responses. A guest among them becomes an invitee. */
function announceInvited(
  announce: Announce,
  before: ChangeablePing,
  after: ChangeablePing,
  newIds: readonly UserId[],
): void {
  const ping = audienceOf(after)
  const isNew = new Set(newIds)
  for (const [row, people] of rowsFor(after, newIds)) announce.insert('location_pins', row, people)
  const moved = before.seen_guests.filter(({ guest }) => guest.user_id !== null && isNew.has(guest.user_id))
  for (const seen of moved) announceGuest(announce, audienceOf(before), seen, null)
  for (const response of after.responses) {
    const all = feeds.ping_responses.audience(response, ping)
    announce.insert('ping_responses', response, isNew.has(response.user_id) ? all : limitAudience(all, newIds))
  }
  for (const { guest, hidden_from } of after.seen_guests) {
    const all = feeds.ping_guests.audience(guest, { ...ping, hidden_from })
    announce.insert('ping_guests', guest, limitAudience(all, newIds))
  }
  announceUpdate(announce, before, after)
}

/**
 * Removes an invitee of a ping of the caller with their response and their place in its chat. Nobody is notified. Does
 * nothing for a person who is not invited.
 */
export async function removeInvitee(
  { pool, changes, now, chats }: PingsDeps,
  callerId: UserId,
  pingId: PingId,
  removedId: UserId,
): Promise<void> {
  // Clients may write an id in upper case; the database stores lower case.
  const userId = removedId.toLowerCase() as UserId
  await changes.commit(pool, async (tx, announce) => {
    const { ping: before, locked, at } = await lockOwnPing(tx, callerId, pingId, now)
    assertNotEnded(before)
    if (userId === callerId) return
    const updatedAt = updateTime(before, at)
    const removal = { pingId, userId, guestId: newId<GuestId>(), updatedAt }
    await endTripsWithResponse(tx, announce, locked, userId, at)
    if (!(await queries.deleteInvitee(tx, removal))) return
    announceRemoved(announce, before, updatedAt, userId)
    if (before.conversation_id !== null) await chats.leave(tx, announce, before.conversation_id, userId, at)
  })
}

/** The response of the person disappears for everybody who saw it, and everything of the ping for the person. */
function announceRemoved(announce: Announce, before: ChangeablePing, updatedAt: Date, userId: UserId): void {
  const ping = audienceOf(before)
  for (const response of before.responses) {
    const audience = feeds.ping_responses.audience(response, ping)
    const isTheirs = response.user_id === userId
    announce.delete('ping_responses', response, isTheirs ? audience : limitAudience(audience, [userId]))
  }
  for (const seen of before.seen_guests) {
    const { guest, hidden_from } = seen
    const audience = feeds.ping_guests.audience(guest, { ...ping, hidden_from })
    const isTheirs = guest.user_id === userId
    announce.delete('ping_guests', guest, isTheirs ? audience : limitAudience(audience, [userId]))
  }
  for (const [row, people] of rowsFor(before, [userId])) announce.delete('location_pins', row, people)
  const recipients = before.recipients.filter(({ recipient_id }) => recipient_id !== userId)
  announceUpdate(announce, before, { ...before, updated_at: updatedAt.toISOString(), recipients })
}
