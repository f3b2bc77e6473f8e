import type { UserId } from '@hither/contract/ids.ts'
import { eraseKnownDevices } from '../auth/known-devices.service.ts'
import { eraseSessions, revokeSessions } from '../auth/sessions.service.ts'
import { eraseSignInMethods } from '../auth/sign-in-methods.service.ts'
import { eraseSignups } from '../auth/signups.service.ts'
import { eraseCircles } from '../circles/circles.service.ts'
import type { Announce } from '../events/changes.ts'
import { limitAudience } from '../events/feed-declaration.ts'
import { feeds } from '../feeds/feeds.ts'
import { eraseProfileImage } from '../files/profile-images.service.ts'
import { eraseLinks } from '../friend-links/friend-links.service.ts'
import { endAllRelations, eraseOwnBlocks, lockRelations } from '../friends/account-erasure.service.ts'
import { disownMessages, leaveAllConversations, lockConversations } from '../messages/account-erasure.service.ts'
import { pingChats } from '../messages/ping-chats.service.ts'
import { resetPreferences } from '../notifications/preferences.service.ts'
import { withdrawGuestResponses } from '../pings/guests/guest-endings.service.ts'
import { withdrawAllPings } from '../pings/ping-removal.service.ts'
import { eraseParticipation } from '../pings/responses/responses.service.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Presence } from '../presence/presence.ts'
import { listFriendIds } from '../relations/relations.service.ts'
import { eraseTripNotices } from '../trips/trips.service.ts'
import { deleteUser, getOwnUser, resetUser, rowOf } from '../users/users.service.ts'

interface ErasureDeps {
  presence: Presence
  now: Date
}

/**
 * Deletes an account. Throws `ConcurrentChangeError` if the transaction must start
 * again.
 */
export async function eraseAccount(
  tx: Tx,
  announce: Announce,
  { presence, now }: ErasureDeps,
  userId: UserId,
): Promise<void> {
  const { user, friendIds } = await endParticipation(tx, announce, userId, now)
  const row = { ...rowOf(user), is_online: await presence.isOnline(userId) }
  announce.delete('users', row, limitAudience(feeds.users.audience({ id: userId, friendIds }), friendIds))
  await revokeSessions(tx, announce, userId, now)
  await eraseSignups(tx, user.email)
  await deleteUser(tx, userId)
}

/**
 * Removes everything from an account that stays, so that a new owner finds nothing of the previous one: friendships,
 * requests, pings, responses, chats, pictures, settings, sessions, devices and ways to sign in. Messages
 * in the chats of others stay as from "Deleted user". The username, a suspension, reports and blocks by others stay.
 * Throws `ConcurrentChangeError` if the transaction must start again.
 */
export async function emptyAccount(tx: Tx, announce: Announce, userId: UserId, now: Date): Promise<void> {
  const { user } = await endParticipation(tx, announce, userId, now)
  await eraseParticipation(tx, userId)
  await eraseTripNotices(tx, userId)
  await disownMessages(tx, userId)
  await eraseOwnBlocks(tx, userId)
  await eraseLinks(tx, userId)
  await eraseCircles(tx, userId)
  await eraseProfileImage(tx, userId)
  await resetPreferences(tx, userId)
  await eraseSessions(tx, announce, userId, now)
  await eraseKnownDevices(tx, userId)
  await eraseSignInMethods(tx, userId)
  await eraseSignups(tx, user.email)
  await resetUser(tx, userId, now)
}

/** Removes everything that others see of the user and announces it. Returns the ids of the former friends. */
async function endParticipation(tx: Tx, announce: Announce, userId: UserId, now: Date) {
  const users = await lockRelations(tx, userId)
  await lockConversations(tx, userId)
  const user = await getOwnUser(tx, userId)
  const friendIds = await listFriendIds(tx, userId)
  // Runs while the users are still friends: the audience of the pings is unknown afterwards.
  await withdrawAllPings(tx, announce, pingChats, users.get(userId), now)
  await withdrawGuestResponses(tx, announce, users.get(userId), now)
  await leaveAllConversations(tx, announce, userId, now)
  await endAllRelations(tx, announce, users, userId, now)
  return { user, friendIds }
}
