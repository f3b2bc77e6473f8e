import type { RecoveryCodes } from '@hither/contract/auth/recovery.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { Db, Tx } from '../../platform/db/database.ts'

export async function insertCodes(tx: Tx, userId: UserId, hashes: readonly Buffer[], now: Date): Promise<void> {
  const texts = hashes.map((hash) => hash.toString('hex'))
  await tx`
    insert into recovery_codes (user_id, code_hash, created_at)
    select ${userId}, decode(hash, 'hex'), ${now}::timestamptz from unnest(${texts}::text[]) as hash`
}

/** Returns how many of the deleted codes were unused. */
export async function deleteCodesOf(tx: Tx, userId: UserId): Promise<number> {
  const rows = await tx<{ is_unused: boolean }[]>`
    delete from recovery_codes where user_id = ${userId} returning used_at is null as is_unused`
  return rows.filter(({ is_unused }) => is_unused).length
}

export async function findCodes(db: Db, userId: UserId): Promise<RecoveryCodes> {
  const [row] = await db<[RecoveryCodes]>`
    select count(*) filter (where used_at is null)::integer as remaining, max(created_at) as created_at
    from recovery_codes where user_id = ${userId}`
  return row
}

/**
 * Marks an unused code of a user as used and returns whether there was one. Of two concurrent uses, one finds it. The same
 * statement runs without a user.
 */
export async function updateUsed(tx: Tx, userId: UserId | null, hash: Buffer, now: Date): Promise<boolean> {
  const { count } = await tx`
    update recovery_codes set used_at = ${now}
    where user_id = ${userId}::uuid and code_hash = ${hash} and used_at is null`
  return count > 0
}
