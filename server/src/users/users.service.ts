import { type UserId } from '@hither/contract/ids.ts'
import { type PublicUser, type User, type UserLookup } from '@hither/contract/users.ts'
import { listFriendIds } from '../friends/friends.service.ts'
import { type Announce, type Changes } from '../platform/changes.ts'
import { violatedUnique } from '../platform/conflicts.ts'
import { type Db, type Pool } from '../platform/database.ts'
import { type Presence } from '../platform/presence.ts'
import { Refusal } from '../platform/refusal.ts'
import * as queries from './users.queries.ts'
import { usernameCandidates } from './users.rules.ts'

export interface UsersDeps {
  pool: Pool
  changes: Changes
  presence: Presence
  now: () => Date
}

/** Joins the caller's transaction. Refuses a taken username or address; an aborted transaction cannot go on after that. */
export async function createUser(db: Db, user: queries.NewUser): Promise<void> {
  try {
    await queries.insertUser(db, user)
  } catch (error) {
    throw refusalOf(error)
  }
}

/** The name itself or the nearest that nobody has; two who ask at once may be given the same. */
export async function findFreeUsername(db: Db, base: string): Promise<string> {
  const candidates = usernameCandidates(base, Math.random())
  const taken = new Set(await queries.listTakenNames(db, candidates))
  const free = candidates.find((name) => !taken.has(name.toLowerCase()))
  if (free === undefined) throw new Refusal('username_taken')
  return free
}

/** Joins the caller's transaction. Whether `from` still was the password's hash. */
export async function replacePassword(
  db: Db,
  userId: UserId,
  change: { from: string | null; to: string | null; now: Date },
): Promise<boolean> {
  return queries.updatePassword(db, userId, change)
}

/** Joins the caller's transaction. Again changes nothing. */
export async function confirmEmail(db: Db, userId: UserId, now: Date): Promise<void> {
  await queries.updateEmailConfirmed(db, userId, now)
}

export function findOwnUser(db: Db, userId: UserId): Promise<User | undefined> {
  return queries.findOwnUser(db, userId)
}

/** A token outlives its account by at most its own life: an erased caller is nobody. */
export async function getOwnUser(db: Db, userId: UserId): Promise<User> {
  const user = await findOwnUser(db, userId)
  if (!user) throw new Refusal('authentication_required')
  return user
}

/** Another person as the viewer may see them; whether they are online only between friends. */
export async function getUser({ pool, presence }: UsersDeps, viewerId: UserId, userId: UserId): Promise<PublicUser> {
  const row = await queries.findPublicUser(pool, viewerId, userId)
  if (!row) throw new Refusal('user_not_found')
  const { is_friend, ...user } = row
  return is_friend ? { ...user, is_online: await presence.isOnline(userId) } : user
}

/** By exact name without case. Who does not exist and who is blocked, by either, are refused alike. */
export async function lookUpUser(db: Db, viewerId: UserId, username: string): Promise<UserLookup> {
  const user = await queries.findUserByName(db, viewerId, username)
  if (!user) throw new Refusal('user_not_found')
  return user
}

/** Own profile only. A new name is announced to the person and their friends. */
export async function updateUser(
  { pool, changes, presence, now }: UsersDeps,
  callerId: UserId,
  userId: UserId,
  input: { username?: string; auto_join_chats?: boolean },
): Promise<User> {
  if (callerId !== userId) throw new Refusal('not_own_profile')
  return changes.commit(pool, async (db, announce) => {
    const before = await getOwnUser(db, userId)
    try {
      await queries.updateUser(db, userId, {
        username: input.username ?? null,
        autoJoinChats: input.auto_join_chats ?? null,
        now: now(),
      })
    } catch (error) {
      throw refusalOf(error)
    }
    const after = await getOwnUser(db, userId)
    if (after.username !== before.username) {
      const is_online = await presence.isOnline(userId)
      const row = ({ id, username, has_image }: User) => ({ id, username, has_image, is_online })
      announce.update('users', row(after), row(before), [userId, ...(await listFriendIds(db, userId))])
    }
    return after
  })
}

/** Tells the person and their friends that they came online or went. Quietly nothing for an account that is gone. */
export async function announceOnline(
  { pool, changes }: Pick<UsersDeps, 'pool' | 'changes'>,
  userId: UserId,
  isOnline: boolean,
): Promise<void> {
  await changes.commit(pool, async (db, announce) => {
    const user = await findOwnUser(db, userId)
    if (!user) return
    const row = { id: user.id, username: user.username, has_image: user.has_image }
    const audience = [userId, ...(await listFriendIds(db, userId))]
    announce.update('users', { ...row, is_online: isOnline }, { ...row, is_online: !isOnline }, audience)
  })
}

/** Whether the viewer may know of this person: not where either has blocked the other. */
export async function isVisibleTo(db: Db, viewerId: UserId, userId: UserId): Promise<boolean> {
  return (await queries.findPublicUser(db, viewerId, userId)) !== undefined
}

/**
 * Joins the caller's transaction, and holds the person until it ends. Announced to the person and their friends also where
 * one picture takes the place of another, since nothing else tells them to fetch it again.
 */
export async function setHasImage(
  { presence, now }: Pick<UsersDeps, 'presence' | 'now'>,
  db: Db,
  announce: Announce,
  userId: UserId,
  hasImage: boolean,
): Promise<void> {
  const before = await queries.lockUser(db, userId)
  if (!before) throw new Refusal('authentication_required')
  if (!before.has_image && !hasImage) return
  await queries.updateHasImage(db, userId, { hasImage, now: now() })
  const old = { ...before, is_online: await presence.isOnline(userId) }
  announce.update('users', { ...old, has_image: hasImage }, old, [userId, ...(await listFriendIds(db, userId))])
}

function refusalOf(error: unknown): unknown {
  const index = violatedUnique(error)
  if (index === 'users_username_key') return new Refusal('username_taken')
  if (index === 'users_email_key') return new Refusal('email_registered')
  return error
}
