import type { FriendLinkId, InvitationId } from '@hither/contract/ids.ts'
import { emailKeyOf, usernameKeyOf } from '@hither/contract/runtime/identifiers.ts'
import type { Db, Tx } from '../platform/db/database.ts'

interface SignupRow {
  id: string
  email: string
  username: string
  password_hash: string
  /** The hash of the secret of the browser that signed up. Null for a sign-up from a version without secrets. */
  secret_hash: Buffer | null
  /** The invitation of the sign-up, if one is required. */
  invitation_id: InvitationId | null
  /** Null also if the friend code of the sign-up was not usable or the link is deleted. */
  friend_link_id: FriendLinkId | null
  has_friend_code: boolean
  /** The language in which the person signed up. */
  locale: string | null
  created_at: string
}

/** Locks a name until the transaction ends, whether or not it is taken: of two concurrent sign-ups, one gets it. */
export async function lockUsername(tx: Tx, username: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${usernameKeyOf(username)}, 0))`
}

/** Is true for a name of an account or of a sign-up with another address. The same address may try again. */
export async function isUsernameReserved(tx: Tx, username: string, email: string, now: Date): Promise<boolean> {
  const [row] = await tx<[{ is_held: boolean }]>`
    select exists (select 1 from users where username_key = ${usernameKeyOf(username)})
      or exists (
        select 1 from signups
        where username_key = ${usernameKeyOf(username)} and email_key <> ${emailKeyOf(email)} and expires_at > ${now}
      ) as is_held`
  return row.is_held
}

export async function insertSignup(
  tx: Tx,
  signup: Omit<SignupRow, 'created_at'> & { now: Date; expiresAt: Date },
): Promise<void> {
  await tx`
    insert into signups (
      id, email, email_key, username, username_key, password_hash, secret_hash, invitation_id, friend_link_id,
      has_friend_code, locale, created_at, expires_at)
    values (
      ${signup.id}, ${signup.email}, ${emailKeyOf(signup.email)}, ${signup.username}, ${usernameKeyOf(signup.username)},
      ${signup.password_hash}, ${signup.secret_hash},
      ${signup.invitation_id}, ${signup.friend_link_id}, ${signup.has_friend_code}, ${signup.locale}, ${signup.now},
      ${signup.expiresAt})`
}

export async function findSignup(db: Db, id: string): Promise<SignupRow | undefined> {
  const [row] = await db<SignupRow[]>`
    select id, email, username, password_hash, secret_hash, invitation_id, friend_link_id, has_friend_code,
      locale, created_at
    from signups where id = ${id}`
  return row
}

/** Finds an unexpired sign-up by address and secret. */
export async function findSignupBySecret(
  db: Db,
  email: string,
  secretHash: Buffer,
  now: Date,
): Promise<SignupRow | undefined> {
  const [row] = await db<SignupRow[]>`
    select id, email, username, password_hash, secret_hash, invitation_id, friend_link_id, has_friend_code,
      locale, created_at
    from signups
    where email_key = ${emailKeyOf(email)} and secret_hash = ${secretHash} and expires_at > ${now}
    limit 1`
  return row
}

export async function findLatestSignup(db: Db, email: string, now: Date): Promise<SignupRow | undefined> {
  const [row] = await db<SignupRow[]>`
    select id, email, username, password_hash, secret_hash, invitation_id, friend_link_id, has_friend_code,
      locale, created_at
    from signups
    where email_key = ${emailKeyOf(email)} and expires_at > ${now}
    order by created_at desc, id desc limit 1`
  return row
}

export async function updateSignupExpiry(tx: Tx, id: string, expiresAt: Date): Promise<void> {
  await tx`update signups set expires_at = ${expiresAt} where id = ${id}`
}

export async function deleteSignupsWith(tx: Tx, email: string): Promise<void> {
  await tx`delete from signups where email_key = ${emailKeyOf(email)}`
}
