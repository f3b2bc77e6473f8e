import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { sql, statement } from '../../platform/db/statements.ts'
import { type Attendee, attendees } from './own-ping.queries.ts'

// Queries over all pings are returned before they run, so that a test can ask the database for their plan.

/** Lists the first scheduled pings that start by `until` and of which nobody was reminded. */
export function listToRemind(db: Db, until: Date, limit: number) {
  return db<{ id: PingId }[]>`
    select id from location_pins
    where announced_status = 'pending' and reminded_at is null and activates_at <= ${until}
    order by activates_at limit ${limit}`
}

/** Returns the earliest start of which people must be reminded. */
export function findNextStart(db: Db) {
  return db<[{ starts_at: string | null }]>`
    select min(activates_at) as starts_at from location_pins
    where announced_status = 'pending' and reminded_at is null`
}

/** A ping of which people are reminded, with everybody who is going or maybe. */
interface RemindedPing {
  readonly id: PingId
  readonly user_id: UserId
  readonly activates_at: string
  readonly attendees: readonly Attendee[]
}

/** Marks these pings as reminded of, except those that another transaction marks or has marked, and returns them. */
export async function claimReminders(
  tx: Tx,
  pingIds: readonly PingId[],
  until: Date,
  now: Date,
): Promise<RemindedPing[]> {
  return claimed<RemindedPing>(tx, { pingIds, until, now })
}

const isDue = sql`p.announced_status = 'pending' and p.reminded_at is null and p.activates_at <= ${'until'}`

const claimed = statement`
  with due as (
    select p.id from location_pins p where p.id = any(${'pingIds'}::uuid[]) and ${isDue} for update skip locked
  )
  update location_pins p set reminded_at = ${'now'} from due where p.id = due.id
  returning p.id, p.user_id, p.activates_at, ${attendees} as attendees`
