import type { ConversationId, FriendLinkId, PingId, UserId } from '@hither/contract/ids.ts'
import { emailKeyOf } from '@hither/contract/runtime/identifiers.ts'
import type { Tx } from '../platform/db/database.ts'

/*
 * Row locks of users. Every explicit lock on a row of `users` is taken by a function of this file and lasts until the
 * transaction ends.
 *
 * A transaction takes its locks in this order and leaves out those it does not need, so that no two wait for each other:
 *
 *   1. users, in the order of their ids and with one call
 *   2. admins, then a friend link (`friend_links`)
 *   3. conversations (`chats`); several of them in the order of their ids
 *   4. the invitation of a user to a ping (`ping_recipients`), then pings (`location_pins`), then trips (`ping_trips`)
 *   5. sessions, then devices (`push_subscriptions`) in the order of their ids, then pushes (`push_deliveries`)
 *
 * Passkeys, identities and recovery codes are changed, and tokens of mails and reset links are used and deleted, after the lock of
 * their user, so that they need no lock of their own. The token of a pending sign-up has no user.
 *
 * The other locks are taken by transactions that take none of these: usernames of sign-ups (an advisory lock), preferences,
 * stored keys. Jobs that claim rows skip those that are locked.
 *
 * The deletion of a ping clears `chats.ping_id`, so it writes to a conversation after step 4. That is safe: a transaction
 * that waits for a ping after it locked a conversation has also locked the owner of that ping, and so has the deletion.
 *
 * An invitation to a ping and its removal also change the chat of the ping after step 4. That is safe for the same reason.
 *
 * A function that finds out only under the lock that more users are concerned throws `ConcurrentChangeError` and its
 * transaction starts again, because it must not wait for further users.
 *
 * A lock is exclusive (`for no key update`) or shared (`for share`). Several transactions can have a shared lock at once; an
 * exclusive lock waits for all others. `for update` is not used: it would also block every insert of a row that refers to the
 * user. `for key share` is not enough to keep an account: it does not wait for an update of the user.
 */

/**
 * Locks these users exclusively: friendships, blocks, pings and the accounts themselves do not change meanwhile. Returns the
 * ids of those that exist, in lower case.
 */
export async function lockUsers(tx: Tx, userIds: readonly UserId[]): Promise<UserId[]> {
  const rows = await tx<{ id: UserId }[]>`
    select id from users where id = any(${userIds}::uuid[]) order by id for no key update`
  return rows.map(({ id }) => id)
}

/** Locks a user exclusively, see `lockUsers`. Returns whether the user exists. */
export async function lockUser(tx: Tx, userId: UserId): Promise<boolean> {
  const rows = await tx`select id from users where id = ${userId} for no key update`
  return rows.length > 0
}

/** Locks the creator of a friend link exclusively, see `lockUsers`. Returns whether the link exists. */
export async function lockCreatorOfLink(tx: Tx, linkId: FriendLinkId): Promise<boolean> {
  const rows = await tx`
    select id from users where id = (select user_id from friend_links where id = ${linkId}) for no key update`
  return rows.length > 0
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

/**
 * Locks the owner of this ping with a shared lock, and with them the audience of the ping. `responderId` is locked too: the
 * blocks of that user do not change meanwhile.
 */
export async function lockPingOwnerShared(tx: Tx, pingId: PingId, responderId: UserId | null = null): Promise<void> {
  await tx`
    select id from users
    where id = any(array(select user_id from location_pins where id = ${pingId}) || ${responderId}::uuid)
    order by id for share`
}

/** Like `lockPingOwnerShared`, for several pings. The database plans a list of ids again for each call. */
export async function lockPingOwnersShared(tx: Tx, pingIds: readonly PingId[]): Promise<void> {
  await tx`
    select id from users
    where id = any(array(select user_id from location_pins where id = any(${pingIds}::uuid[])))
    order by id for share`
}

/** Like `lockPingOwnerShared`, for the ping that this conversation belongs to. Locks nobody if there is none. */
export async function lockConversationPingOwnerShared(tx: Tx, conversationId: ConversationId): Promise<void> {
  await tx`
    select id from users
    where id = (select p.user_id from chats c join location_pins p on p.id = c.ping_id where c.id = ${conversationId})
    for share`
}
