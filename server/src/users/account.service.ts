import { type UserId } from '@hither/contract/ids.ts'
import { type AccountExport } from '@hither/contract/users.ts'
import { assertOwnPassword } from '../auth/passwords.service.ts'
import { revokeSessions } from '../auth/sessions.service.ts'
import { eraseSignups } from '../auth/signups.service.ts'
import { endAllRelations, lockRelations } from '../friends/endings.service.ts'
import { listFriendIds } from '../friends/friends.service.ts'
import { leaveAllConversations, lockConversations } from '../messages/endings.service.ts'
import { exportModeration } from '../moderation/export.service.ts'
import { exportNotifications } from '../notifications/preferences.service.ts'
import { listAllMyPings, withdrawAllPings } from '../pings/pings.service.ts'
import { type Announce } from '../platform/changes.ts'
import { retryConflicts } from '../platform/conflicts.ts'
import { type Db } from '../platform/database.ts'
import { type Presence } from '../platform/presence.ts'
import { findExport } from './account.queries.ts'
import { deleteUser } from './users.queries.ts'
import { getOwnUser, type UsersDeps } from './users.service.ts'

/**
 * Erases the account and all that hangs on it, in one transaction. Friends see everything of it vanish, as if each had been
 * deleted; its sessions end at once. The password is needed where there is one.
 */
export async function deleteAccount(
  { pool, changes, presence, now }: UsersDeps,
  userId: UserId,
  password: string | undefined,
): Promise<void> {
  await assertOwnPassword(pool, userId, password)
  await retryConflicts(() =>
    changes.commit(pool, (db, announce) => eraseAccount(db, announce, { presence, now: now() }, userId)),
  )
}

/** Joins the caller's transaction. Throws `Moved` where it has to begin again. */
export async function eraseAccount(
  db: Db,
  announce: Announce,
  { presence, now }: { presence: Presence; now: Date },
  userId: UserId,
): Promise<void> {
  await lockRelations(db, userId)
  await lockConversations(db, userId)
  const user = await getOwnUser(db, userId)
  const friendIds = await listFriendIds(db, userId)
  // While they still are friends: afterwards nobody could tell who sees what.
  await withdrawAllPings(db, announce, userId, now)
  await leaveAllConversations(db, announce, userId, now)
  await endAllRelations(db, announce, userId, now)
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

/** All that is held on a person, for themselves; of others, their usernames. */
export async function exportAccount(deps: UsersDeps, userId: UserId): Promise<AccountExport> {
  const { pool, now } = deps
  const account = await getOwnUser(pool, userId)
  const { has_password, ...held } = await findExport(pool, userId)
  // As the person sees them: who no longer is a friend is in none.
  const pings = await listAllMyPings(deps, userId)
  const notifications = await exportNotifications(deps, userId)
  const moderation = await exportModeration(pool, userId)
  return {
    exported_at: now().toISOString(),
    account: { ...account, has_password },
    ...held,
    pings,
    notifications,
    moderation,
  }
}
