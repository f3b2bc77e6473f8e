import type { FastifyBaseLogger } from 'fastify'
import type { Bus } from '../../events/bus.ts'
import type { Changes } from '../../events/changes.ts'
import { createJob, type Job, type JobRun } from '../../platform/async/job.ts'
import type { Pool, Tx } from '../../platform/db/database.ts'
import { kinds } from '../kinds/index.ts'
import { queuePollMs, wakenBy } from '../queue-jobs.ts'
import { vacancyOf } from './lanes.rules.ts'
import type { PushSender } from './push-sender.ts'
import type { Composed } from './pushes.compose.ts'
import type { PushDelivery } from './pushes.queries.ts'
import * as queries from './pushes.queries.ts'
import { rejoinDelayMs, retryDelayMs, topicOf } from './pushes.rules.ts'
import { deleteSubscription, updateFailing, updateReached, updateSlow } from './subscriptions.queries.ts'

interface PushJobsDeps {
  pool: Pool
  changes: Changes
  bus: Bus
  sender: PushSender
  /** Composes a push when it is sent; returns `null` if it must not be sent any more. */
  compose: (delivery: PushDelivery) => Promise<Composed | null>
  log: FastifyBaseLogger
  now: () => Date
}

/** Longer than any attempt takes. If a node crashes, another one takes its pushes after this time. */
const leaseMs = 60_000
/** The device of a push service that takes longer counts as slow. Less than an attempt may take. */
const slowAfterMs = 2000
/** The subscription of a device that was unreachable for this time is deleted. */
const failingMaxMs = 3 * 24 * 3_600_000
/** Below the id of any user. */
const firstOfAll = '00000000-0000-0000-0000-000000000000'

/** Sends the queued pushes. Failed ones are retried until they are outdated. */
export function createPushJobs(deps: PushJobsDeps): Job {
  const { bus, changes, log, now, pool } = deps
  const failure = 'pushes were not sent'
  const sending = new Map<PushDelivery, Promise<void>>()
  /** Of each kind of lanes, the person who had the last turn, and whether pushes may wait for a lane. */
  const kinds = [
    { isSlow: false, turn: firstOfAll, mayWait: false },
    { isSlow: true, turn: firstOfAll, mayWait: false },
  ]
  let filling: Promise<void> | null = null
  let isWanted = false
  let isStopping = false

  async function run({ wake }: JobRun): Promise<void> {
    await giveUp(deps)
    await fillLanes()
    const next = await queries.findNextDue(pool, now())
    if (next !== null) wake(Date.parse(next) - now().getTime())
  }

  /**
   * Starts to send as many pushes as there are lanes for, without waiting for them: only a push to a slow push service waits
   * for it. One at a time, because each claim must know what the one before has claimed.
   */
  function fillLanes(): Promise<void> {
    isWanted = true
    filling ??= fillWhileWanted().finally(() => {
      filling = null
    })
    return filling
  }

  async function fillWhileWanted(): Promise<void> {
    while (isWanted) {
      isWanted = false
      for (const kind of kinds) while (!isStopping && (await fill(kind))) {}
    }
  }

  /** Claims the pushes of the next people and starts to send them. Returns whether there were any. */
  async function fill(kind: (typeof kinds)[number]): Promise<boolean> {
    const { isSlow, turn } = kind
    const vacancy = vacancyOf(isSlow, [...sending.keys()])
    kind.mayWait = true
    if (vacancy.limit <= 0) return false
    const at = now()
    const claim = { ...vacancy, isSlow, now: at, leaseUntil: new Date(at.getTime() + leaseMs) }
    const claimed = await changes.commit(pool, async (tx) => {
      const alerts = await queries.claimSecurityPushes(tx, claim)
      if (alerts.length > 0) return alerts
      const later = await queries.claimPushes(tx, { ...claim, after: turn })
      const found =
        later.length > 0 || turn === firstOfAll ? later : await queries.claimPushes(tx, { ...claim, after: firstOfAll })
      kind.turn =
        found
          .map(({ user_id }) => user_id)
          .sort()
          .at(-1) ?? firstOfAll
      return found
    })
    kind.mayWait = claimed.length > 0 || vacancy.exceptPeople.length > 0 || vacancy.exceptHosts.length > 0
    for (const delivery of claimed) sending.set(delivery, send(delivery))
    return claimed.length > 0
  }

  async function send(delivery: PushDelivery): Promise<void> {
    await deliver(deps, delivery).catch(report)
    sending.delete(delivery)
    if (kinds.some(({ mayWait }) => mayWait)) await fillLanes().catch(report)
  }

  function report(error: unknown): void {
    log.error({ err: error }, failure)
  }

  async function rest(): Promise<void> {
    while (sending.size > 0 || filling) await Promise.all([...sending.values(), filling])
  }

  const job = createJob({ everyMs: queuePollMs, subscribe: wakenBy(bus, 'pushes_waiting'), failure, log, run })
  return {
    start: job.start,
    async runDue() {
      await job.runDue()
      await rest()
    },
    async stop() {
      isStopping = true
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

/** Runs outside a transaction: push services may be slow, and no database lock should wait for one. */
async function deliver(deps: PushJobsDeps, delivery: PushDelivery): Promise<void> {
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
  const message = { payload: composed.payload, ttlSeconds, urgency: kinds[kind].urgency, topic: topicOf(delivery) }
  const startedMs = performance.now()
  const outcome = await sender.send(delivery, message)
  const isSlow = performance.now() - startedMs > slowAfterMs
  // The endpoint is not logged: it gives access to the device.
  if ('reason' in outcome) log.warn({ kind, attempts, reason: outcome.reason }, 'push delivery failed')
  await changes.commit(pool, async (tx) => {
    if (isSlow !== delivery.is_slow) await updateSlow(tx, subscription_id, endpoint, isSlow)
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
