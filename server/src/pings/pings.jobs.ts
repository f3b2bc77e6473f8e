import type { FastifyBaseLogger } from 'fastify'
import type { Bus } from '../events/bus.ts'
import type { Changes } from '../events/changes.ts'
import { feeds } from '../feeds/feeds.ts'
import type { QueueFigures } from '../ops/metrics.ts'
import { createJob, type Job, runInBatches } from '../platform/async/job.ts'
import type { Db, Pool } from '../platform/db/database.ts'
import { endTripsToEnded } from '../trips/audience/trip-endings.service.ts'
import { lockPingOwnersShared } from '../users/user-locks.ts'
import { claimDue, findNextDue, getWaiting, listDue, listStale } from './announcements.queries.ts'
import { findNextReminder, remindBatch } from './changes/reminders.service.ts'
import type { PingChats } from './ping-chats.ts'
import { removePing } from './ping-removal.service.ts'
import { rowsByPlace } from './place/place-announcements.ts'
import { erasePlaceBatch, type PlaceErasureDeps } from './place/place-erasure.service.ts'

interface PingJobsDeps extends PlaceErasureDeps {
  pool: Pool
  changes: Changes
  bus: Bus
  readonly chats: PingChats
  retentionDays: number
  log: FastifyBaseLogger
  now: () => Date
}

/** The longest sleep. A batch that another node did not finish, or a clock that jumped, is noticed after it. */
const sleepMaxMs = 15_000
const batch = 200
const dayMs = 86_400_000

/**
 * Announces activations and expiries of pings, sends the reminders, and erases the exact places and later the pings that are due.
 * The job sleeps until the next one is due; the message bus wakes it for new pings and changed ends of all nodes. Announced
 * statuses are stored in the database, so the next run makes up for a missed one.
 */
export function createPingJobs(deps: PingJobsDeps): Job {
  const { pool, changes, bus, log, now } = deps
  const untilMs = (time: string) => Date.parse(time) - now().getTime()
  return createJob({
    everyMs: sleepMaxMs,
    subscribe: (wake) =>
      bus.subscribe((message) => {
        if (message.kind === 'ping_due') wake(untilMs(message.at))
      }),
    failure: 'ping announcement failed',
    log,
    async run({ signal, wake }) {
      await runInBatches(batch, signal, [
        () => announceBatch(deps),
        () => changes.commit(pool, (tx, announce) => remindBatch(tx, announce, batch, now())),
        () => eraseBatch(deps),
        () => erasePlaceBatch(deps, batch),
      ])
      const [next] = await findNextDue(pool)
      if (next.due_at !== null) wake(untilMs(next.due_at))
      const reminder = await findNextReminder(pool)
      if (reminder !== null) wake(untilMs(reminder.toISOString()))
    },
  })
}

/**
 * Announces due pings. A ping past both of its times is announced as expired and never as active, so that nobody sets
 * out for it. Returns the number of announced pings.
 */
async function announceBatch({ pool, changes, now }: PingJobsDeps): Promise<number> {
  return changes.commit(pool, async (tx, announce) => {
    const at = now()
    const pingIds = (await listDue(tx, at, batch)).map(({ id }) => id)
    if (pingIds.length === 0) return 0
    // The owners are locked before the pings: every transaction that deletes a ping locks its owner first.
    const claimed = await claimDue(tx, await lockPingOwnersShared(tx, pingIds), at)
    const ended = claimed.filter(({ status }) => status === 'expired').map(({ id }) => id)
    if (ended.length > 0) await endTripsToEnded(tx, announce, ended)
    for (const ping of claimed) {
      const audience = feeds.location_pins.audience(ping)
      const old = { status: ping.previous_announced_status }
      // The end hides the exact place from everyone but the owner.
      for (const [row, people] of rowsByPlace(ping, audience))
        announce.update('location_pins', row, { ...row, ...old }, people)
      if (ping.status === 'active') announce.publish({ kind: 'ping_activated', pingId: ping.id, audience, at })
    }
    return claimed.length
  })
}

/** Deletes expired pings with everything that refers to them after the retention time. Returns their number. */
async function eraseBatch({ pool, changes, chats, retentionDays, now }: PingJobsDeps): Promise<number> {
  return changes.commit(pool, async (tx, announce) => {
    const at = now()
    const expiredBefore = new Date(at.getTime() - retentionDays * dayMs)
    const pingIds = (await listStale(tx, expiredBefore, batch)).map(({ id }) => id)
    if (pingIds.length === 0) return 0
    for (const pingId of await lockPingOwnersShared(tx, pingIds)) await removePing(tx, announce, chats, pingId, at)
    return pingIds.length
  })
}

/** Returns the queue figures of activations and expiries that are due and not announced, for the metrics. */
export function getWaitingAnnouncements(db: Db, now: Date): Promise<QueueFigures> {
  return getWaiting(db, now)
}
