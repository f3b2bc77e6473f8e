import { type InvitationId } from '@hither/contract/ids.ts'
import { type Db } from '../platform/database.ts'

export interface SignupRow {
  id: string
  email: string
  username: string
  password_hash: string
  /** Of the secret that the browser which signed up holds. Null: the sign-up is from a version that made none. */
  secret_hash: Buffer | null
  /** Which lets them in, where one is needed. */
  invitation_id: InvitationId | null
}

/** Holds a name until the transaction ends, whether or not anyone has it: of two sign-ups at once, one gets it. */
export async function lockUsername(db: Db, username: string): Promise<void> {
  await db`select pg_advisory_xact_lock(hashtextextended(lower(${username}), 0))`
}

/** By an account, or by a sign-up with another address. The same address may try again. */
export async function isUsernameHeld(db: Db, username: string, email: string, now: Date): Promise<boolean> {
  const [row] = await db<[{ is_held: boolean }]>`
    select exists (select 1 from users where lower(username) = lower(${username}))
      or exists (
        select 1 from signups
        where lower(username) = lower(${username}) and lower(email) <> lower(${email}) and expires_at > ${now}
      ) as is_held`
  return row.is_held
}

export async function insertSignup(db: Db, signup: SignupRow & { now: Date; expiresAt: Date }): Promise<void> {
  await db`
    insert into signups (id, email, username, password_hash, secret_hash, invitation_id, created_at, expires_at)
    values (
      ${signup.id}, ${signup.email}, ${signup.username}, ${signup.password_hash}, ${signup.secret_hash},
      ${signup.invitation_id}, ${signup.now}, ${signup.expiresAt})`
}

export async function findSignup(db: Db, id: string): Promise<SignupRow | undefined> {
  const [row] = await db<SignupRow[]>`
    select id, email, username, password_hash, secret_hash, invitation_id from signups where id = ${id}`
  return row
}

/** Among the sign-ups with this address that have not expired. */
export async function findSignupBySecret(
  db: Db,
  email: string,
  secretHash: Buffer,
  now: Date,
): Promise<SignupRow | undefined> {
  const [row] = await db<SignupRow[]>`
    select id, email, username, password_hash, secret_hash, invitation_id from signups
    where lower(email) = lower(${email}) and secret_hash = ${secretHash} and expires_at > ${now}
    limit 1`
  return row
}

export async function findLatestSignup(db: Db, email: string, now: Date): Promise<SignupRow | undefined> {
  const [row] = await db<SignupRow[]>`
    select id, email, username, password_hash, secret_hash, invitation_id from signups
    where lower(email) = lower(${email}) and expires_at > ${now}
    order by created_at desc, id desc limit 1`
  return row
}

export async function updateSignupExpiry(db: Db, id: string, expiresAt: Date): Promise<void> {
  await db`update signups set expires_at = ${expiresAt} where id = ${id}`
}

export async function deleteSignupsWith(db: Db, email: string): Promise<void> {
  await db`delete from signups where lower(email) = lower(${email})`
}
