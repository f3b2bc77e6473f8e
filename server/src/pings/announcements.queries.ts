import { type PingId } from '@hither/contract/ids.ts'
import { type PingStatus } from '@hither/contract/pings.ts'
import { type Db } from '../platform/database.ts'
import { statement } from '../platform/statements.ts'
import { type AnnouncedPing } from './pings.queries.ts'
import * as shown from './pings.sight.ts'

// What picks out of all pings is returned before it runs, so that a test can ask the database how it would run it.

/** The first pings of which something else is true by now than has been told. */
export function listDue(db: Db, now: Date, limit: number) {
  return db<{ id: PingId }[]>`
    (select id from location_pins where announced_status <> 'expired' and expires_at <= ${now}
      order by expires_at limit ${limit})
    union
    (select id from location_pins where announced_status = 'pending' and activates_at <= ${now}
      order by activates_at limit ${limit})
    limit ${limit}`
}

/** When the next ping becomes active or expires that has not been told of. */
export function findNextDue(db: Db) {
  return db<[{ due_at: string | null }]>`
    select least(
      (select min(activates_at) from location_pins where announced_status = 'pending'),
      (select min(expires_at) from location_pins where announced_status <> 'expired')
    ) as due_at`
}

/**
 * Marks as told those of these pings that nobody else is telling or has told of, and answers with them as they are now.
 * Their audience has to be locked.
 */
export async function claimDue(
  db: Db,
  pingIds: readonly PingId[],
  now: Date,
): Promise<(AnnouncedPing & { told_status: PingStatus })[]> {
  return claimed<AnnouncedPing & { told_status: PingStatus }>(db, { pingIds, now })
}

const claimed = statement`
  with due as (
    select p.id, p.announced_status as told_status from location_pins p
    where p.id = any(${'pingIds'}::uuid[]) and p.announced_status <> ${shown.status}
    for update skip locked
  )
  update location_pins p set announced_status = ${shown.status}
  from due, users o
  where p.id = due.id and o.id = p.user_id
  returning ${shown.pingColumns()}, due.told_status, ${shown.inviteeIds} as invitee_ids,
    '[]'::json as blocked_pairs, '[]'::json as responses`

/** The expired ones that have been kept long enough, oldest first. */
export function listStale(db: Db, expiredBefore: Date, limit: number) {
  return db<{ id: PingId }[]>`
    select id from location_pins
    where announced_status = 'expired' and expires_at < ${expiredBefore} order by expires_at limit ${limit}`
}
