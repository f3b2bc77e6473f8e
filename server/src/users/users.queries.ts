import type { UserId } from '@hither/contract/ids.ts'
import { emailKeyOf, usernameKeyOf } from '@hither/contract/runtime/identifiers.ts'
import type { LanguageTag } from '@hither/contract/runtime/locales.ts'
import type { PublicUser, User, UserLookup } from '@hither/contract/users.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { sql, statement } from '../platform/db/statements.ts'
import { areBlocked, areFriends } from '../relations/relations.visibility.ts'

export interface NewUser {
  id: UserId
  email: string
  username: string
  passwordHash: string | null
  now: Date
}

export async function insertUser(tx: Tx, user: NewUser) {
  await tx`
    insert into users (id, email, email_key, username, username_key, password_hash, email_confirmed_at, created_at, updated_at)
    values (
      ${user.id}, ${user.email}, ${emailKeyOf(user.email)}, ${user.username}, ${usernameKeyOf(user.username)},
      ${user.passwordHash}, null, ${user.now}, ${user.now})`
}

/** Returns the keys of those of these names that are taken. */
export async function listTakenNames(tx: Tx, usernames: readonly string[]): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select username_key as name from users where username_key = any(${usernames.map(usernameKeyOf)}::text[])`
  return rows.map(({ name }) => name)
}

export async function findOwnUser(db: Db, userId: UserId): Promise<User | undefined> {
  const [row] = await db<User[]>`
    select id, email, email_confirmed_at, created_at, updated_at, username, display_name, has_image, auto_join_chats,
      locale
    from users where id = ${userId}`
  return row
}

/**
 * Finds a user as the viewer sees them. `is_friend` decides whether presence may be shown. Not found if either has
 * blocked the other.
 */
export async function findPublicUser(
  db: Db,
  viewerId: UserId,
  userId: UserId,
): Promise<(Omit<PublicUser, 'is_online'> & { is_friend: boolean }) | undefined> {
  const [row] = await publicUser<PublicUser & { is_friend: boolean }>(db, { viewerId, userId })
  return row
}

const viewer = sql`${'viewerId'}::uuid`
const isHidden = areBlocked<'viewerId'>(sql`u.id`, viewer)

const publicUser = statement`
  select u.id, u.username, u.display_name, u.has_image, u.created_at, ${areFriends<'viewerId'>(sql`u.id`, viewer)} as is_friend
  from users u
  where u.id = ${'userId'} and not ${isHidden}`

export async function findUserByName(db: Db, viewerId: UserId, username: string): Promise<UserLookup | undefined> {
  const [row] = await userByName<UserLookup>(db, { viewerId, usernameKey: usernameKeyOf(username) })
  return row
}

const userByName = statement`
  select u.username, u.display_name, u.id as user_id, u.has_image
  from users u
  where u.username_key = ${'usernameKey'} and not ${isHidden}`

/** Updates the given fields and leaves the others unchanged. A `displayName` or `locale` of null removes it, undefined leaves it. */
export async function updateUser(
  tx: Tx,
  userId: UserId,
  fields: {
    username: string | null
    displayName: string | null | undefined
    autoJoinChats: boolean | null
    locale: LanguageTag | null | undefined
    now: Date
  },
): Promise<void> {
  await tx`
    update users set
      username = coalesce(${fields.username}, username),
      username_key = coalesce(${fields.username === null ? null : usernameKeyOf(fields.username)}, username_key),
      display_name = case when ${fields.displayName !== undefined} then ${fields.displayName ?? null} else display_name end,
      auto_join_chats = coalesce(${fields.autoJoinChats}, auto_join_chats),
      locale = case when ${fields.locale !== undefined} then ${fields.locale ?? null} else locale end,
      updated_at = ${fields.now}
    where id = ${userId}`
}

export async function updateHasImage(tx: Tx, userId: UserId, fields: { hasImage: boolean; now: Date }): Promise<void> {
  await tx`update users set has_image = ${fields.hasImage}, updated_at = ${fields.now} where id = ${userId}`
}

/** Replaces the password hash if it is still `from`. Returns whether it was. */
export async function updatePassword(
  tx: Tx,
  userId: UserId,
  change: { from: string | null; to: string | null; now: Date },
): Promise<boolean> {
  const { count } = await tx`
    update users set password_hash = ${change.to}, updated_at = ${change.now}
    where id = ${userId} and password_hash is not distinct from ${change.from}`
  return count > 0
}

export async function updateEmailConfirmed(tx: Tx, userId: UserId, now: Date): Promise<void> {
  await tx`
    update users set email_confirmed_at = ${now}, updated_at = ${now}
    where id = ${userId} and email_confirmed_at is null`
}

/** Deletes the row of a user and everything that refers to it. */
export async function deleteUser(tx: Tx, userId: UserId): Promise<void> {
  await tx`delete from users where id = ${userId}`
}

/** Resets all fields that the user could set to the values of a new account, except username, address and password. */
export async function updateToDefaults(tx: Tx, userId: UserId, now: Date): Promise<void> {
  await tx`
    update users set display_name = null, has_image = false, auto_join_chats = true, locale = null,
      updated_at = ${now}
    where id = ${userId}`
}
