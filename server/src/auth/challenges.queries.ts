import type { UserId } from '@hither/contract/ids.ts'
import type { Pool, Tx } from '../platform/db/database.ts'

type ChallengePurpose = 'passkey_create' | 'passkey_sign_in' | 'oidc_state' | 'oidc_code'

interface NewChallenge {
  readonly hash: Buffer
  readonly purpose: ChallengePurpose
  readonly userId: UserId | null
  readonly data: object
  readonly now: Date
  readonly expiresAt: Date
}

/** One statement, which is a transaction of its own. */
export async function insertChallenge(pool: Pool, challenge: NewChallenge): Promise<void> {
  await pool`
    insert into auth_challenges (hash, purpose, user_id, data, created_at, expires_at)
    values (
      ${challenge.hash}, ${challenge.purpose}, ${challenge.userId}, ${JSON.stringify(challenge.data)}::text::jsonb,
      ${challenge.now}, ${challenge.expiresAt})`
}

/**
 * Deletes the challenge and returns it. Of concurrent calls, one finds it. Not part of a transaction that could be rolled
 * back: a refused attempt has used its challenge too.
 */
export async function takeChallenge<Data extends object>(
  pool: Pool,
  purpose: ChallengePurpose,
  hash: Buffer,
  now: Date,
): Promise<{ user_id: UserId | null; data: Data } | undefined> {
  const [row] = await pool<{ user_id: UserId | null; data: Data; is_valid: boolean }[]>`
    delete from auth_challenges where hash = ${hash} and purpose = ${purpose}
    returning user_id, data, expires_at > ${now} as is_valid`
  return row?.is_valid ? row : undefined
}

export async function deleteChallengesOf(tx: Tx, userId: UserId): Promise<void> {
  await tx`delete from auth_challenges where user_id = ${userId}`
}
