import { type UserId } from '@hither/contract/ids.ts'
import { type PublicUser, type User, type UserLookup } from '@hither/contract/users.ts'
import { type Db } from '../platform/database.ts'

export interface NewUser {
  id: UserId
  email: string
  username: string
  passwordHash: string | null
  now: Date
}

export async function insertUser(db: Db, user: NewUser) {
  await db`
    insert into users (id, email, username, password_hash, email_confirmed_at, created_at, updated_at)
    values (${user.id}, ${user.email}, ${user.username}, ${user.passwordHash}, null, ${user.now}, ${user.now})`
}

/** Those of these names, in lower case, that someone has. */
export async function listTakenNames(db: Db, usernames: readonly string[]): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select lower(username) as name from users
    where lower(username) = any(${usernames.map((username) => username.toLowerCase())}::text[])`
  return rows.map(({ name }) => name)
}

export async function findOwnUser(db: Db, userId: UserId): Promise<User | undefined> {
  const [row] = await db<User[]>`
    select id, email, email_confirmed_at, created_at, updated_at, username, has_image, auto_join_chats
    from users where id = ${userId}`
  return row
}

/** `is_friend` tells whether presence may be shown. A person who blocked the viewer, or whom the viewer blocked, is not found. */
export async function findPublicUser(
  db: Db,
  viewerId: UserId,
  userId: UserId,
): Promise<(Omit<PublicUser, 'is_online'> & { is_friend: boolean }) | undefined> {
  const [row] = await db<(PublicUser & { is_friend: boolean })[]>`
    select u.id, u.username, u.has_image, u.created_at, exists (
      select 1 from friendships f
      where least(f.requester_id, f.requested_id) = least(u.id, ${viewerId}::uuid)
        and greatest(f.requester_id, f.requested_id) = greatest(u.id, ${viewerId}::uuid)
    ) as is_friend
    from users u
    where u.id = ${userId} and not exists (
      select 1 from blocks b
      where (b.blocker_id = u.id and b.blocked_id = ${viewerId})
         or (b.blocker_id = ${viewerId} and b.blocked_id = u.id))`
  return row
}

export async function findUserByName(db: Db, viewerId: UserId, username: string): Promise<UserLookup | undefined> {
  const [row] = await db<UserLookup[]>`
    select u.username, u.id as user_id, u.has_image
    from users u
    where lower(u.username) = lower(${username}) and not exists (
      select 1 from blocks b
      where (b.blocker_id = u.id and b.blocked_id = ${viewerId})
         or (b.blocker_id = ${viewerId} and b.blocked_id = u.id))`
  return row
}

/** Leaves alone what is not given. */
export async function updateUser(
  db: Db,
  userId: UserId,
  fields: { username: string | null; autoJoinChats: boolean | null; now: Date },
): Promise<void> {
  await db`
    update users set
      username = coalesce(${fields.username}, username),
      auto_join_chats = coalesce(${fields.autoJoinChats}, auto_join_chats),
      updated_at = ${fields.now}
    where id = ${userId}`
}

/** Holds the person until the transaction ends, so that one change of the picture waits for another. */
export async function lockUser(
  db: Db,
  userId: UserId,
): Promise<Pick<User, 'id' | 'username' | 'has_image'> | undefined> {
  const [row] = await db<Pick<User, 'id' | 'username' | 'has_image'>[]>`
    select id, username, has_image from users where id = ${userId} for no key update`
  return row
}

export async function updateHasImage(db: Db, userId: UserId, fields: { hasImage: boolean; now: Date }): Promise<void> {
  await db`update users set has_image = ${fields.hasImage}, updated_at = ${fields.now} where id = ${userId}`
}

/** Only in the place of `from`. Whether it still was that. */
export async function updatePassword(
  db: Db,
  userId: UserId,
  change: { from: string | null; to: string | null; now: Date },
): Promise<boolean> {
  const { count } = await db`
    update users set password_hash = ${change.to}, updated_at = ${change.now}
    where id = ${userId} and password_hash is not distinct from ${change.from}`
  return count > 0
}

export async function updateEmailConfirmed(db: Db, userId: UserId, now: Date): Promise<void> {
  await db`
    update users set email_confirmed_at = ${now}, updated_at = ${now}
    where id = ${userId} and email_confirmed_at is null`
}

/** All that hangs on it goes with it. */
export async function deleteUser(db: Db, userId: UserId): Promise<void> {
  await db`delete from users where id = ${userId}`
}

/** Everything that the user could set, as it is in a new account; but for the username, the address and the password. */
export async function updateToDefaults(db: Db, userId: UserId, now: Date): Promise<void> {
  await db`
    update users set has_image = false, auto_join_chats = true, updated_at = ${now} where id = ${userId}`
}
