import type { PingId } from '@hither/contract/ids.ts'
import type { PingStatus } from '@hither/contract/pings.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { statement } from '../platform/db/statements.ts'
import type { LockedPing } from '../users/user-locks.ts'
import { type AnnouncedPing, placedColumns } from './ping-audience.queries.ts'
import * as shown from './pings.visibility.ts'

// Queries over all pings are returned before they run, so that a test can ask the database for their plan.

/** Lists the first pings whose status has changed since the last announcement. */
export function listDue(db: Db, now: Date, limit: number) {
  return db<{ id: PingId }[]>`
    (select id from location_pins where announced_status <> 'expired' and expires_at <= ${now}
      order by expires_at limit ${limit})
    union
    (select id from location_pins where announced_status = 'pending' and activates_at <= ${now}
      order by activates_at limit ${limit})
    limit ${limit}`
}

/** Returns the time at which the next ping becomes active or expires without an announcement yet. */
export function findNextDue(db: Db) {
  return db<[{ due_at: string | null }]>`
    select least(
      (select min(activates_at) from location_pins where announced_status = 'pending'),
      (select min(expires_at) from location_pins where announced_status <> 'expired')
    ) as due_at`
}

type ClaimedPing = AnnouncedPing & { readonly id: LockedPing; readonly previous_announced_status: PingStatus }

/**
 * Marks these pings as announced, except those that another transaction announces or has announced, and returns them in
 * their current state. The caller must lock their audience first.
 */
export async function claimDue(tx: Tx, pingIds: readonly LockedPing[], now: Date): Promise<ClaimedPing[]> {
  return claimed<ClaimedPing>(tx, { pingIds, now })
}

const claimed = statement`
  with due as (
    select p.id, p.announced_status as previous_announced_status from location_pins p
    where p.id = any(${'pingIds'}::uuid[]) and p.announced_status <> ${shown.status}
    for update skip locked
  )
  update location_pins p set announced_status = ${shown.status}
  from due, users o
  where p.id = due.id and o.id = p.user_id
  returning ${placedColumns}, due.previous_announced_status,
    '[]'::json as blocked_pairs, '[]'::json as responses, '[]'::json as guests`

/** Lists the expired pings whose retention time has passed, oldest first. */
export function listStale(db: Db, expiredBefore: Date, limit: number) {
  return db<{ id: PingId }[]>`
    select id from location_pins
    where announced_status = 'expired' and expires_at < ${expiredBefore} order by expires_at limit ${limit}`
}

/** The activations and expiries that are due and not announced. */
export async function getWaiting(db: Db, now: Date): Promise<{ count: number; oldest_s: number }> {
  const [row] = await db<[{ count: number; oldest_s: number }]>`
    select count(*)::integer as count,
      coalesce(extract(epoch from ${now}::timestamptz - min(due_at)), 0)::double precision as oldest_s
    from (
      select activates_at as due_at from location_pins where announced_status = 'pending' and activates_at <= ${now}
      union all
      select expires_at from location_pins where announced_status <> 'expired' and expires_at <= ${now}
    ) due`
  return row
}
