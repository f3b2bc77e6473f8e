import type { Db, Tx } from '../platform/db/database.ts'
import type { Release } from './update-file.ts'

interface CheckedRelease {
  checked_at: string
  has_failed: boolean
  version: string | null
  notes_url: string | null
}

/** Claims a check that is due, or the first one, and sets the time of the next. Returns false if another node has claimed it. */
export async function claimCheck(tx: Tx, now: Date, nextAt: Date): Promise<boolean> {
  const { count } = await tx`
    insert into update_checks as known (due_at) values (${nextAt})
    on conflict ("only") do update set due_at = excluded.due_at where known.due_at <= ${now}`
  return count > 0
}

export async function updateRelease(tx: Tx, { version, notes_url }: Release, now: Date): Promise<void> {
  await tx`
    update update_checks
    set checked_at = ${now}, has_failed = false, version = ${version}, notes_url = ${notes_url}`
}

/** Keeps what an earlier check has found. */
export async function updateFailure(tx: Tx, now: Date): Promise<void> {
  await tx`update update_checks set checked_at = ${now}, has_failed = true`
}

/** Returns the result of the last check; null before the first one. */
export async function findRelease(db: Db): Promise<CheckedRelease | null> {
  const [row] = await db<CheckedRelease[]>`
    select checked_at, has_failed, version, notes_url from update_checks where checked_at is not null`
  return row ?? null
}
