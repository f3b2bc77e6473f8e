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
