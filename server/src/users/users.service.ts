import type { UserId } from '@hither/contract/ids.ts'
import { usernameKeyOf } from '@hither/contract/runtime/identifiers.ts'
import type { PublicUser, User, UserLookup } from '@hither/contract/users.ts'
import type { Announce, Changes } from '../events/changes.ts'
import { feeds } from '../feeds/feeds.ts'
import { violatedUnique } from '../platform/db/conflicts.ts'
import type { Db, Pool, Tx } from '../platform/db/database.ts'
import { inOrder } from '../platform/db/in-order.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import type { Presence } from '../presence/presence.ts'
import { listFriendIds } from '../relations/relations.service.ts'
import { lockUserAndRead } from './user-locks.ts'
import * as queries from './users.queries.ts'
import { readDisplayName, readLanguage, usernameCandidates } from './users.rules.ts'

export interface UsersDeps {
  pool: Pool
  changes: Changes
  presence: Presence
  now: () => Date
}

/**
 * Creates a user. Refuses a taken username or address, which aborts the transaction.
 */
export async function createUser(tx: Tx, user: queries.NewUser): Promise<void> {
  try {
    await queries.insertUser(tx, user)
  } catch (error) {
    throw refusalOf(error)
  }
}

/** Returns the name itself or a similar one that is free. Two concurrent calls may return the same name. */
export async function findFreeUsername(tx: Tx, base: string): Promise<string> {
  const candidates = usernameCandidates(base, Math.random())
  const taken = new Set(await queries.listTakenNames(tx, candidates))
  const free = candidates.find((name) => !taken.has(usernameKeyOf(name)))
  if (free === undefined) throw new Refusal('username_taken')
  return free
}

/** Replaces the password hash. Returns whether `from` was still the hash. */
export async function replacePassword(
  tx: Tx,
  userId: UserId,
  change: { from: string | null; to: string | null; now: Date },
): Promise<boolean> {
  return queries.updatePassword(tx, userId, change)
}

/** Deletes the row of an account of which everything else is erased. */
export async function deleteUser(tx: Tx, userId: UserId): Promise<void> {
  await queries.deleteUser(tx, userId)
}

/** Gives the profile the values of a new account. */
export async function resetUser(tx: Tx, userId: UserId, now: Date): Promise<void> {
  await queries.updateToDefaults(tx, userId, now)
}

/** Marks the address as confirmed. Idempotent. */
export async function confirmEmail(tx: Tx, userId: UserId, now: Date): Promise<void> {
  await queries.updateEmailConfirmed(tx, userId, now)
}

export function findOwnUser(db: Db, userId: UserId): Promise<User | undefined> {
  return queries.findOwnUser(db, userId)
}

/**
 * Returns the caller's own account. A token may outlive its account, so a deleted caller is refused as unauthenticated.
 */
export async function getOwnUser(db: Db, userId: UserId): Promise<User> {
  const user = await findOwnUser(db, userId)
  if (!user) throw new Refusal('authentication_required')
  return user
}

/** Returns another user as the viewer sees them. Only friends see whether they are online. */
export async function getUser({ pool, presence }: UsersDeps, viewerId: UserId, userId: UserId): Promise<PublicUser> {
  const row = await queries.findPublicUser(pool, viewerId, userId)
  if (!row) throw new Refusal('user_not_found')
  const { is_friend, ...user } = row
  return is_friend ? { ...user, is_online: await presence.isOnline(userId) } : user
}

/** Finds a user by exact name, ignoring case. An unknown user and a block in either direction get the same refusal. */
export async function lookUpUser(db: Db, viewerId: UserId, username: string): Promise<UserLookup> {
  const user = await queries.findUserByName(db, viewerId, username)
  if (!user) throw new Refusal('user_not_found')
  return user
}

/** Updates the caller's profile. A changed username or display name is announced to the user and their friends. */
export async function updateUser(
  { pool, changes, presence, now }: UsersDeps,
  callerId: UserId,
  userId: UserId,
  input: { username?: string; display_name?: string | null; auto_join_chats?: boolean; locale?: string | null },
): Promise<User> {
  if (callerId !== userId) throw new Refusal('not_own_profile')
  const { display_name } = input
  const displayName = typeof display_name === 'string' ? readDisplayName(display_name) : display_name
  const locale = typeof input.locale === 'string' ? readLanguage(input.locale) : input.locale
  return changes.commit(pool, async (tx, announce) => {
    const before = await getOwnUser(tx, userId)
    try {
      await queries.updateUser(tx, userId, {
        username: input.username ?? null,
        displayName,
        autoJoinChats: input.auto_join_chats ?? null,
        locale,
        now: now(),
      })
    } catch (error) {
      throw refusalOf(error)
    }
    const after = await getOwnUser(tx, userId)
    if (after.username !== before.username || after.display_name !== before.display_name) {
      const is_online = await presence.isOnline(userId)
      const friendIds = await listFriendIds(tx, userId)
      const audience = feeds.users.audience({ id: userId, friendIds })
      announce.update('users', { ...rowOf(after), is_online }, { ...rowOf(before), is_online }, audience)
    }
    return after
  })
}

/**
 * Announces to a user and their friends whether the user is online, after that has changed. Does nothing for a deleted
 * account. `presence` throws if the status is unknown.
 */
export async function announceOnline(
  { pool, changes, presence }: Pick<UsersDeps, 'pool' | 'changes'> & { presence: Pick<Presence, 'isOnline'> },
  userId: UserId,
): Promise<void> {
  await changes.commit(pool, async (tx, announce) => {
    // In one round trip, because this runs whenever a user connects or disconnects. None of the friends is removed or blocked
    // meanwhile.
    const [, [user, friendIds]] = await lockUserAndRead(tx, userId, () =>
      inOrder([findOwnUser(tx, userId), listFriendIds(tx, userId)]),
    )
    if (!user) return
    // Read under the lock: the last of several announcements, also of different nodes, then has the last status.
    const isOnline = await presence.isOnline(userId)
    const row = rowOf(user)
    const audience = feeds.users.audience({ id: userId, friendIds })
    announce.update('users', { ...row, is_online: isOnline }, { ...row, is_online: !isOnline }, audience)
  })
}

/** Returns whether the viewer may see this user: neither has blocked the other. */
export async function isVisibleTo(db: Db, viewerId: UserId, userId: UserId): Promise<boolean> {
  return (await queries.findPublicUser(db, viewerId, userId)) !== undefined
}

/**
 * Locks the user and stores whether they have a picture. Also announced when one
 * picture replaces another, so that clients fetch it again.
 */
export async function setHasImage(
  { presence, now }: Pick<UsersDeps, 'presence' | 'now'>,
  tx: Tx,
  announce: Announce,
  userId: UserId,
  hasImage: boolean,
): Promise<void> {
  const [, user] = await lockUserAndRead(tx, userId, () => findOwnUser(tx, userId))
  if (!user) throw new Refusal('authentication_required')
  if (!user.has_image && !hasImage) return
  await queries.updateHasImage(tx, userId, { hasImage, now: now() })
  const old = { ...rowOf(user), is_online: await presence.isOnline(userId) }
  const audience = feeds.users.audience({ id: userId, friendIds: await listFriendIds(tx, userId) })
  announce.update('users', { ...old, has_image: hasImage }, old, audience)
}

/** Returns the columns of the feed `users`, without the online status. */
export function rowOf({ id, username, display_name, has_image }: User) {
  return { id, username, display_name, has_image }
}

function refusalOf(error: unknown): unknown {
  const index = violatedUnique(error)
  if (index === 'users_username_key') return new Refusal('username_taken')
  if (index === 'users_email_key') return new Refusal('email_registered')
  return error
}
