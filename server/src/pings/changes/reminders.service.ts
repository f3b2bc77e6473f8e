import { pingLimits } from '@hither/contract/runtime/pings.ts'
import type { Announce } from '../../events/changes.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { lockPingOwnersShared } from '../../users/user-locks.ts'
import * as queries from './reminders.queries.ts'

/**
 * Publishes the reminders that are due, for at most `limit` pings, and returns the number of pings. One that is too close to
 * the start is left out.
 */
export async function remindBatch(tx: Tx, announce: Announce, limit: number, at: Date): Promise<number> {
  const until = new Date(at.getTime() + pingLimits.reminderMs)
  const pingIds = (await queries.listToRemind(tx, until, limit)).map(({ id }) => id)
  if (pingIds.length === 0) return 0
  // The owners are locked before the pings, as by every other change of a ping.
  await lockPingOwnersShared(tx, pingIds)
  const claimed = await queries.claimReminders(tx, pingIds, until, at)
  for (const ping of claimed) {
    if (Date.parse(ping.activates_at) - at.getTime() < pingLimits.reminderLeftMinMs) continue
    const userIds = [ping.user_id, ...ping.attendees.map(({ user_id }) => user_id)]
    announce.publish({ kind: 'ping_starting', pingId: ping.id, userIds, at })
  }
  return claimed.length
}

/** Returns when the next reminder is due. */
export async function findNextReminder(db: Db): Promise<Date | null> {
  const [{ starts_at }] = await queries.findNextStart(db)
  return starts_at === null ? null : new Date(Date.parse(starts_at) - pingLimits.reminderMs)
}
