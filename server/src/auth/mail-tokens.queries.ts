import { authLimits } from '@hither/contract/auth.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { type Db } from '../platform/database.ts'

export type Purpose = 'confirm' | 'reset'

export async function insertMailToken(
  db: Db,
  token: {
    hash: Buffer
    purpose: Purpose
    userId: UserId | null
    signupId: string | null
    now: Date
    expiresAt: Date
  },
): Promise<void> {
  await db`
    insert into mail_tokens (token_hash, purpose, user_id, signup_id, created_at, expires_at)
    values (
      ${token.hash}, ${token.purpose}, ${token.userId}, ${token.signupId}, ${token.now}, ${token.expiresAt})`
}

/** One that has not been used, has not expired and has tries left. */
export async function findMailToken(
  db: Db,
  purpose: Purpose,
  hash: Buffer,
  now: Date,
): Promise<{ user_id: UserId | null; signup_id: string | null } | undefined> {
  const [row] = await db<{ user_id: UserId | null; signup_id: string | null }[]>`
    select user_id, signup_id from mail_tokens
    where token_hash = ${hash} and purpose = ${purpose} and expires_at > ${now}
      and failed_tries < ${authLimits.confirmationTries}`
  return row
}

/** Whether one was left. Counted before a password is compared, so that attempts at the same time cannot exceed the limit. */
export async function takeTry(db: Db, hash: Buffer): Promise<boolean> {
  const { count } = await db`
    update mail_tokens set failed_tries = failed_tries + 1
    where token_hash = ${hash} and failed_tries < ${authLimits.confirmationTries}`
  return count > 0
}

/** Of two uses at once, one finds it. */
export async function takeMailToken(
  db: Db,
  purpose: Purpose,
  hash: Buffer,
  now: Date,
): Promise<{ user_id: UserId | null; signup_id: string | null } | undefined> {
  const [row] = await db<{ user_id: UserId | null; signup_id: string | null }[]>`
    delete from mail_tokens
    where token_hash = ${hash} and purpose = ${purpose} and expires_at > ${now}
    returning user_id, signup_id`
  return row
}

/** Every link that was mailed to a person and not used. */
export async function deleteMailTokensOf(db: Db, userId: UserId): Promise<void> {
  await db`delete from mail_tokens where user_id = ${userId}`
}
