import { type FastifyBaseLogger } from 'fastify'
import { type Bus } from '../platform/bus.ts'
import { type Changes } from '../platform/changes.ts'
import { type Pool } from '../platform/database.ts'
import { type PushSender } from './push-sender.ts'
import { type Composed } from './pushes.compose.ts'
import * as queries from './pushes.queries.ts'
import { messageGraceMs, retryDelayMs, topicOf, urgencyOf } from './pushes.rules.ts'
import { createQueueJobs, type QueueJobs } from './queue-jobs.ts'
import { deleteSubscription, updateFailing, updateReached } from './subscriptions.queries.ts'

export interface PushJobsDeps {
  pool: Pool
  changes: Changes
  bus: Bus
  sender: PushSender
  /** What a push says, decided as it goes; `null` where it is not to be told any more. */
  compose: (delivery: queries.PushDelivery) => Promise<Composed | null>
  log: FastifyBaseLogger
  now: () => Date
}

/** What fails is tried again later, as long as it is news. */
export type PushJobs = QueueJobs

/** Every other of those at work keeps to devices that can be reached: however many answer slowly or never, the others go. */
const lanes = 12
/** Longer than any attempt takes: a node that died is followed by another after it. */
const leaseMs = 60_000
/** Of a device that could not be reached for so long nothing is expected any more. */
const failingMaxMs = 3 * 24 * 3_600_000

export function createPushJobs(deps: PushJobsDeps): PushJobs {
  const { bus, log, now, pool } = deps
  const failure = 'pushes were not sent'
  const busy = new Map<number, Promise<void>>()

  /** Sets idle lanes to work and does not wait for them: nobody waits for a push service but whoever is sent there. */
  async function run(isStopping: () => boolean): Promise<Date | null> {
    await giveUp(deps)
    let due = await queries.countDue(pool, now(), lanes)
    for (let lane = 0; lane < lanes && due > 0; lane++) {
      if (busy.has(lane)) continue
      due--
      const worked = work(deps, lane % 2 === 1, isStopping)
        .catch((error: unknown) => log.error({ err: error }, failure))
        .finally(() => busy.delete(lane))
      busy.set(lane, worked)
    }
    const next = await queries.findNextDue(pool, now())
    return next === null ? null : new Date(next)
  }

  async function rest(): Promise<void> {
    while (busy.size > 0) await Promise.all(busy.values())
  }

  const jobs = createQueueJobs({ bus, log, now, wokenBy: 'pushes_waiting', failure, run })
  return {
    start: jobs.start,
    async runDue() {
      await jobs.runDue()
      await rest()
    },
    async stop() {
      await jobs.stop()
      await rest()
      deps.sender.close()
    },
  }
}

async function giveUp({ pool, changes, now, log }: PushJobsDeps): Promise<void> {
  const count = await changes.commit(pool, (db) => queries.deleteExpired(db, now()))
  if (count > 0) log.warn({ count }, 'pushes were given up')
}

async function work(deps: PushJobsDeps, reachableOnly: boolean, isStopping: () => boolean): Promise<void> {
  const { pool, changes, now } = deps
  while (!isStopping()) {
    const at = now()
    const claim = { now: at, leaseUntil: new Date(at.getTime() + leaseMs), reachableOnly }
    const delivery = await changes.commit(pool, (db) => queries.claimPush(db, claim))
    if (!delivery) return
    await deliver(deps, delivery)
  }
}

/** Outside of a transaction: push services may be slow, and nothing of the database should wait for one. */
async function deliver(deps: PushJobsDeps, delivery: queries.PushDelivery): Promise<void> {
  const { pool, changes, sender, compose, log, now } = deps
  const { id, subscription_id, endpoint, kind, attempts } = delivery
  const composed = delivery.is_signed_in ? await compose(delivery) : null
  const finish = (db: Parameters<typeof queries.finishPush>[0]) =>
    queries.finishPush(db, delivery, now(), new Date(now().getTime() + messageGraceMs))
  if (!composed) return changes.commit(pool, finish)
  const ttlSeconds = Math.max(0, Math.floor((composed.endsAt.getTime() - now().getTime()) / 1000))
  const message = { payload: composed.payload, ttlSeconds, urgency: urgencyOf(kind), topic: topicOf(delivery) }
  const outcome = await sender.send(delivery, message)
  // Not the endpoint: whoever has it can take the device for theirs.
  if ('reason' in outcome) log.warn({ kind, attempts, reason: outcome.reason }, 'a push was not taken')
  await changes.commit(pool, async (db) => {
    switch (outcome.state) {
      case 'gone':
        return deleteSubscription(db, subscription_id, endpoint)
      case 'taken':
        await updateReached(db, subscription_id, endpoint)
        return finish(db)
      case 'refused':
        return finish(db)
      case 'failed':
        await queries.updateDue(db, id, new Date(now().getTime() + retryDelayMs(attempts, outcome.retryAfterMs)))
        return updateFailing(db, subscription_id, endpoint, now(), new Date(now().getTime() - failingMaxMs))
    }
  })
}
