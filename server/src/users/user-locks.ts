import type { ConversationId, FriendLinkId, PingId, UserId } from '@hither/contract/ids.ts'
import { emailKeyOf } from '@hither/contract/runtime/identifiers.ts'
import type { Tx } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { inOrder } from '../platform/db/in-order.ts'

/*
 * Row locks of users. Every explicit lock on a row of `users` is taken by a function of this file and lasts until the
 * transaction ends. `docs/locks-and-answers.md` has the order in which a transaction takes its locks.
 */

declare const isLocked: unique symbol

/**
 * The id of a user whose row this transaction has locked exclusively. Functions that would be wrong without the lock take it in place
 * of a `UserId`, so that they cannot be called without one. Only this file makes it.
 */
export type LockedUser = UserId & { readonly [isLocked]: true }

/** The existing ones of the users that a transaction has locked exclusively. */
export interface LockedUsers {
  /** Whether this user was locked and exists. Clients may write an id in upper case. */
  has(userId: UserId): boolean
  /** Throws if this user was not locked or does not exist, which is an error of the caller. */
  get(userId: UserId): LockedUser
}

/**
 * Locks these users exclusively: friendships, blocks, pings and the accounts themselves do not change meanwhile.
 */
export async function lockUsers(tx: Tx, userIds: readonly UserId[]): Promise<LockedUsers> {
  const rows = await tx<{ id: LockedUser }[]>`
    select id from users where id = any(${userIds}::uuid[]) order by id for no key update`
  const locked = new Map<string, LockedUser>(rows.map(({ id }) => [id, id]))
  return {
    has: (userId) => locked.has(userId.toLowerCase()),
    get(userId) {
      const user = locked.get(userId.toLowerCase())
      if (user === undefined) throw new Error('A user is needed who is not locked')
      return user
    },
  }
}

/** Two different users who are locked. */
export type LockedPair = readonly [LockedUser, LockedUser]

/** Locks a user exclusively, see `lockUsers`. Returns `null` if the user does not exist. */
export async function lockUser(tx: Tx, userId: UserId): Promise<LockedUser | null> {
  const [row] = await tx<{ id: LockedUser }[]>`select id from users where id = ${userId} for no key update`
  return row?.id ?? null
}

/**
 * Locks a user exclusively and sends the statements of `read` in the same round trip. PostgreSQL runs the statements of a transaction
 * in the order in which they are sent, so `read` sees what it sees under the lock. It must send its statements before it awaits
 * anything. The user is `null` if they do not exist; what `read` found then has no meaning.
 */
export async function lockUserAndRead<T>(
  tx: Tx,
  userId: UserId,
  read: (user: LockedUser) => Promise<T>,
): Promise<[LockedUser | null, T]> {
  return inOrder([lockUser(tx, userId), read(userId as LockedUser)])
}

/** Like `lockUserAndRead`, for several users. */
export async function lockUsersAndRead<T>(
  tx: Tx,
  userIds: readonly UserId[],
  read: () => Promise<T>,
): Promise<[LockedUsers, T]> {
  return inOrder([lockUsers(tx, userIds), read()])
}

/** The id of a user whom this transaction inserts: nobody else can see the row before the transaction ends. */
export function newLockedUser(): LockedUser {
  return newId<UserId>() as LockedUser
}

/** Locks the creator of a friend link exclusively, see `lockUsers`. Returns `null` if there is no such link. */
export async function lockCreatorOfLink(tx: Tx, linkId: FriendLinkId): Promise<LockedUser | null> {
  const [row] = await tx<{ id: LockedUser }[]>`
    select id from users where id = (select user_id from friend_links where id = ${linkId}) for no key update`
  return row?.id ?? null
}

/** Locks a user with a shared lock: neither their friendships nor their account end meanwhile. Returns whether they exist. */
export async function lockUserShared(tx: Tx, userId: UserId): Promise<boolean> {
  const rows = await tx`select id from users where id = ${userId} for share`
  return rows.length > 0
}

/** Like `lockUserShared`, if the password of the user still has this hash once the lock is taken. */
export async function lockUserWithPasswordShared(
  tx: Tx,
  userId: UserId,
  passwordHash: string | null,
): Promise<boolean> {
  const rows = await tx`
    select id from users where id = ${userId} and password_hash is not distinct from ${passwordHash} for share`
  return rows.length > 0
}

/** Like `lockUserShared`, by any spelling of the email address. Returns the id, or `null` if no user has the address. */
export async function lockUserWithEmailShared(tx: Tx, email: string): Promise<UserId | null> {
  const [row] = await tx<{ id: UserId }[]>`select id from users where email_key = ${emailKeyOf(email)} for share`
  return row?.id ?? null
}

declare const isOwnerLocked: unique symbol

/**
 * The id of a ping whose owner this transaction has locked, exclusively or shared: the audience, the place and the times of the ping
 * do not change meanwhile by another transaction. The ping may not exist. Only this file makes it.
 */
export type LockedPing = PingId & { readonly [isOwnerLocked]: true }

/** A ping of a user who is locked. Whether the ping is theirs must be known, or be refused by the statements that use it. */
export function pingOf(_owner: LockedUser, pingId: PingId): LockedPing {
  return pingId as LockedPing
}

/**
 * Locks the owner of this ping with a shared lock, and with them the audience of the ping. `responderId` is locked too: the
 * blocks of that user do not change meanwhile.
 */
export async function lockPingOwnerShared(
  tx: Tx,
  pingId: PingId,
  responderId: UserId | null = null,
): Promise<LockedPing> {
  await tx`
    select id from users
    where id = any(array(select user_id from location_pins where id = ${pingId}) || ${responderId}::uuid)
    order by id for share`
  return pingId as LockedPing
}

/** `lockPingOwnerShared`, and `read` in the same round trip, as `lockUserAndRead` does it. */
export async function lockPingAndRead<T>(
  tx: Tx,
  pingId: PingId,
  responderId: UserId | null,
  read: (ping: LockedPing) => Promise<T>,
): Promise<[LockedPing, T]> {
  return inOrder([lockPingOwnerShared(tx, pingId, responderId), read(pingId as LockedPing)])
}

/** Like `lockPingOwnerShared`, for several pings. The database plans a list of ids again for each call. */
export async function lockPingOwnersShared(tx: Tx, pingIds: readonly PingId[]): Promise<LockedPing[]> {
  await tx`
    select id from users
    where id = any(array(select user_id from location_pins where id = any(${pingIds}::uuid[])))
    order by id for share`
  return pingIds as LockedPing[]
}

/** Like `lockPingOwnerShared`, for the ping that this conversation belongs to. Locks nobody if there is none. */
export async function lockConversationPingOwnerShared(tx: Tx, conversationId: ConversationId): Promise<void> {
  await tx`
    select id from users
    where id = (select p.user_id from chats c join location_pins p on p.id = c.ping_id where c.id = ${conversationId})
    for share`
}

/** Like `lockConversationPingOwnerShared`, for several conversations. */
export async function lockConversationPingOwnersShared(
  tx: Tx,
  conversationIds: readonly ConversationId[],
): Promise<void> {
  await tx`
    select id from users
    where id = any(array(
      select p.user_id from chats c join location_pins p on p.id = c.ping_id where c.id = any(${conversationIds}::uuid[])))
    order by id for share`
}
