import type { FastifyBaseLogger } from 'fastify'
import { createJob, type Job, type JobRun } from '../../platform/async/job.ts'
import type { Pool, Tx } from '../../platform/db/database.ts'
import type { Bus } from '../../platform/events/bus.ts'
import type { Changes } from '../../platform/events/changes.ts'
import { queuePollMs, wakenBy } from '../queue-jobs.ts'
import type { PushSender } from './push-sender.ts'
import type { Composed } from './pushes.compose.ts'
import * as queries from './pushes.queries.ts'
import { rejoinDelayMs, retryDelayMs, topicOf, urgencyOf } from './pushes.rules.ts'
import { deleteSubscription, updateFailing, updateReached } from './subscriptions.queries.ts'

interface PushJobsDeps {
  pool: Pool
  changes: Changes
  bus: Bus
  sender: PushSender
  /** Composes a push when it is sent; returns `null` if it must not be sent any more. */
  compose: (delivery: queries.PushDelivery) => Promise<Composed | null>
  log: FastifyBaseLogger
  now: () => Date
}

/**
 * The number of concurrent sends. Every other lane takes only reachable devices, so that slow or silent devices do not
 * block the rest.
 */
const lanes = 12
/** Longer than any attempt takes. If a node crashes, another one takes its pushes after this time. */
const leaseMs = 60_000
/** The subscription of a device that was unreachable for this time is deleted. */
const failingMaxMs = 3 * 24 * 3_600_000

/** Sends the queued pushes. Failed ones are retried until they are outdated. */
export function createPushJobs(deps: PushJobsDeps): Job {
  const { bus, log, now, pool } = deps
  const failure = 'pushes were not sent'
  const busy = new Map<number, Promise<void>>()

  /** Starts idle lanes without waiting for them: only a push to a slow push service waits for it. */
  async function run({ signal, wake }: JobRun): Promise<void> {
    await giveUp(deps)
    let due = await queries.countDue(pool, now(), lanes)
    for (let lane = 0; lane < lanes && due > 0; lane++) {
      if (busy.has(lane)) continue
      due--
      const worked = work(deps, lane % 2 === 1, signal)
        .catch((error: unknown) => log.error({ err: error }, failure))
        .finally(() => busy.delete(lane))
      busy.set(lane, worked)
    }
    const next = await queries.findNextDue(pool, now())
    if (next !== null) wake(Date.parse(next) - now().getTime())
  }

  async function rest(): Promise<void> {
    while (busy.size > 0) await Promise.all(busy.values())
  }

  const job = createJob({ everyMs: queuePollMs, subscribe: wakenBy(bus, 'pushes_waiting'), failure, log, run })
  return {
    start: job.start,
    async runDue() {
      await job.runDue()
      await rest()
    },
    async stop() {
      await job.stop()
      await rest()
      deps.sender.close()
    },
  }
}

async function giveUp({ pool, changes, now, log }: PushJobsDeps): Promise<void> {
  const count = await changes.commit(pool, (tx) => queries.deleteExpired(tx, now()))
  if (count > 0) log.warn({ count }, 'expired pushes discarded')
}

async function work(deps: PushJobsDeps, reachableOnly: boolean, signal: AbortSignal): Promise<void> {
  const { pool, changes, now } = deps
  while (!signal.aborted) {
    const at = now()
    const claim = { now: at, leaseUntil: new Date(at.getTime() + leaseMs), reachableOnly }
    const delivery = await changes.commit(pool, (tx) => queries.claimPush(tx, claim))
    if (!delivery) return
    await deliver(deps, delivery)
  }
}

/** Runs outside a transaction: push services may be slow, and no database lock should wait for one. */
async function deliver(deps: PushJobsDeps, delivery: queries.PushDelivery): Promise<void> {
  const { pool, changes, sender, compose, log, now } = deps
  const { id, subscription_id, endpoint, kind, attempts, is_signed_in, is_last } = delivery
  const composed = is_signed_in || is_last ? await compose(delivery) : null
  const finish = (tx: Tx) => {
    if (is_last) return deleteSubscription(tx, subscription_id, endpoint)
    const dueAt = new Date(now().getTime() + rejoinDelayMs(delivery))
    return queries.finishPush(tx, delivery, { now: now(), dueAt, happenedAt: composed?.nextAt ?? delivery.happened_at })
  }
  if (!composed) return changes.commit(pool, finish)
  const ttlSeconds = Math.max(0, Math.floor((composed.endsAt.getTime() - now().getTime()) / 1000))
  const message = { payload: composed.payload, ttlSeconds, urgency: urgencyOf(kind), topic: topicOf(delivery) }
  const outcome = await sender.send(delivery, message)
  // The endpoint is not logged: it gives access to the device.
  if ('reason' in outcome) log.warn({ kind, attempts, reason: outcome.reason }, 'push delivery failed')
  await changes.commit(pool, async (tx) => {
    switch (outcome.state) {
      case 'gone':
        return deleteSubscription(tx, subscription_id, endpoint)
      case 'taken':
        await updateReached(tx, subscription_id, endpoint)
        await composed.whenSent?.(tx)
        return finish(tx)
      case 'refused':
        return finish(tx)
      case 'failed':
        await queries.updateDue(tx, id, new Date(now().getTime() + retryDelayMs(attempts, outcome.retryAfterMs)))
        return updateFailing(tx, subscription_id, endpoint, now(), new Date(now().getTime() - failingMaxMs))
    }
  })
}
