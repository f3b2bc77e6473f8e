import { type UserId } from '@hither/contract/ids.ts'
import { type Db } from '../platform/database.ts'

export async function isSuspended(db: Db, userId: UserId, now: Date): Promise<boolean> {
  const rows = await db`
    select 1 from suspensions
    where user_id = ${userId} and (suspended_until is null or suspended_until > ${now})`
  return rows.length > 0
}

/** In the place of one that there is. */
export async function upsertSuspension(
  db: Db,
  suspension: { userId: UserId; reason: string; now: Date; until: Date | null },
): Promise<void> {
  await db`
    insert into suspensions (user_id, reason, suspended_at, suspended_until)
    values (${suspension.userId}, ${suspension.reason}, ${suspension.now}, ${suspension.until})
    on conflict (user_id) do update set
      reason = excluded.reason, suspended_at = excluded.suspended_at, suspended_until = excluded.suspended_until`
}

/** Whether there was one. */
export async function deleteSuspension(db: Db, userId: UserId): Promise<boolean> {
  const { count } = await db`delete from suspensions where user_id = ${userId}`
  return count > 0
}
