import type { UserId } from '@hither/contract/ids.ts'
import type { Tx } from '../platform/db/database.ts'

/** Inserts or replaces the suspension of a user. */
export async function upsertSuspension(
  tx: Tx,
  suspension: { userId: UserId; reason: string; now: Date; until: Date | null },
): Promise<void> {
  await tx`
    insert into suspensions (user_id, reason, suspended_at, suspended_until)
    values (${suspension.userId}, ${suspension.reason}, ${suspension.now}, ${suspension.until})
    on conflict (user_id) do update set
      reason = excluded.reason, suspended_at = excluded.suspended_at, suspended_until = excluded.suspended_until`
}

/** Deletes a suspension. Returns whether it existed. */
export async function deleteSuspension(tx: Tx, userId: UserId): Promise<boolean> {
  const { count } = await tx`delete from suspensions where user_id = ${userId}`
  return count > 0
}
