import { type UserId } from '@hither/contract/ids.ts'
import { eraseKnownDevices } from '../auth/known-devices.service.ts'
import { eraseSessions, revokeSessions } from '../auth/sessions.service.ts'
import { eraseSignups } from '../auth/signups.service.ts'
import { eraseProfileImage } from '../files/profile-images.service.ts'
import { endAllRelations, eraseOwnBlocks, lockRelations } from '../friends/endings.service.ts'
import { listFriendIds } from '../friends/friends.service.ts'
import { disownMessages, leaveAllConversations, lockConversations } from '../messages/endings.service.ts'
import { resetPreferences } from '../notifications/preferences.service.ts'
import { withdrawAllPings } from '../pings/pings.service.ts'
import { eraseParticipation } from '../pings/responses.service.ts'
import { type Announce } from '../platform/changes.ts'
import { type Db } from '../platform/database.ts'
import { type Presence } from '../platform/presence.ts'
import { deleteUser, updateToDefaults } from './users.queries.ts'
import { getOwnUser } from './users.service.ts'

interface ErasureDeps {
  presence: Presence
  now: Date
}

/** Joins the caller's transaction. Throws `Moved` where it has to begin again. */
export async function eraseAccount(
  db: Db,
  announce: Announce,
  { presence, now }: ErasureDeps,
  userId: UserId,
): Promise<void> {
  const { user, friendIds } = await endParticipation(db, announce, userId, now)
  const row = {
    id: user.id,
    username: user.username,
    has_image: user.has_image,
    is_online: await presence.isOnline(userId),
  }
  announce.delete('users', row, friendIds)
  await revokeSessions(db, announce, userId, now)
  await eraseSignups(db, user.email)
  await deleteUser(db, userId)
}

/**
 * Joins the caller's transaction. Removes everything from an account that stays, so that a new owner finds nothing of the
 * one before: friendships, requests, pings, responses, chats, pictures, settings, sessions and devices. Messages in the
 * chats of others stay as from "Deleted user". The username, a suspension, reports and blocks by others stay.
 * Throws `Moved` where it has to begin again.
 */
export async function emptyAccount(db: Db, announce: Announce, userId: UserId, now: Date): Promise<void> {
  const { user } = await endParticipation(db, announce, userId, now)
  await eraseParticipation(db, userId)
  await disownMessages(db, userId)
  await eraseOwnBlocks(db, userId)
  await eraseProfileImage(db, userId)
  await resetPreferences(db, userId)
  await eraseSessions(db, announce, userId, now)
  await eraseKnownDevices(db, userId)
  await eraseSignups(db, user.email)
  await updateToDefaults(db, userId, now)
}

/** Everything that others see of the user ends, and is announced to them. Answers who their friends were. */
async function endParticipation(db: Db, announce: Announce, userId: UserId, now: Date) {
  await lockRelations(db, userId)
  await lockConversations(db, userId)
  const user = await getOwnUser(db, userId)
  const friendIds = await listFriendIds(db, userId)
  // While they still are friends: afterwards nobody could tell who sees what.
  await withdrawAllPings(db, announce, userId, now)
  await leaveAllConversations(db, announce, userId, now)
  await endAllRelations(db, announce, userId, now)
  return { user, friendIds }
}
