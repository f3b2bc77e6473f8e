import type { UserId } from '@hither/contract/ids.ts'
import { authLimits } from '@hither/contract/runtime/auth/auth.ts'
import type { Db, Tx } from '../../platform/db/database.ts'

export type Purpose = 'confirm' | 'reset'

/** Who made a token: a mail, an admin, the operator, or a recovery code. */
type TokenSource = 'mail' | 'admin' | 'operator' | 'recovery'

interface TokenRow {
  user_id: UserId | null
  signup_id: string | null
  source: TokenSource
}

export async function insertMailToken(
  tx: Tx,
  token: {
    hash: Buffer
    purpose: Purpose
    source: TokenSource
    userId: UserId | null
    signupId: string | null
    now: Date
    expiresAt: Date
  },
): Promise<void> {
  await tx`
    insert into mail_tokens (token_hash, purpose, source, user_id, signup_id, created_at, expires_at)
    values (
      ${token.hash}, ${token.purpose}, ${token.source}, ${token.userId}, ${token.signupId}, ${token.now}, ${token.expiresAt})`
}

/** Finds a token that is unused, unexpired and has attempts left. */
export async function findMailToken(db: Db, purpose: Purpose, hash: Buffer, now: Date): Promise<TokenRow | undefined> {
  const [row] = await db<TokenRow[]>`
    select user_id, signup_id, source from mail_tokens
    where token_hash = ${hash} and purpose = ${purpose} and expires_at > ${now}
      and failed_tries < ${authLimits.confirmationTries}`
  return row
}

/**
 * Takes one attempt and returns whether one was left. Counted before a password is compared, so that concurrent
 * attempts cannot exceed the limit.
 */
export async function useAttempt(tx: Tx, hash: Buffer): Promise<boolean> {
  const { count } = await tx`
    update mail_tokens set failed_tries = failed_tries + 1
    where token_hash = ${hash} and failed_tries < ${authLimits.confirmationTries}`
  return count > 0
}

/**
 * Deletes the token and returns it. Of two concurrent uses, one finds it. The transaction has locked the user of the token, if
 * it has one, like every other that deletes tokens of a user.
 */
export async function takeMailToken(tx: Tx, purpose: Purpose, hash: Buffer, now: Date): Promise<TokenRow | undefined> {
  const [row] = await tx<TokenRow[]>`
    delete from mail_tokens
    where token_hash = ${hash} and purpose = ${purpose} and expires_at > ${now}
    returning user_id, signup_id, source`
  return row
}

/** Deletes the unused tokens of a user from this source. */
export async function deleteMailTokensFrom(tx: Tx, userId: UserId, source: TokenSource): Promise<void> {
  await tx`delete from mail_tokens where user_id = ${userId} and source = ${source}`
}

/** Deletes all unused tokens of a user, of mails and of others. */
export async function deleteMailTokensOf(tx: Tx, userId: UserId): Promise<void> {
  await tx`delete from mail_tokens where user_id = ${userId}`
}
