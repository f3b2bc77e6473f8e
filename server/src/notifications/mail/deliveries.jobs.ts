import type { FastifyBaseLogger } from 'fastify'
import type { Bus } from '../../events/bus.ts'
import type { Changes } from '../../events/changes.ts'
import { type Backoff, backoffMs } from '../../platform/async/backoff.ts'
import { createJob, type Job, type JobRun } from '../../platform/async/job.ts'
import type { Pool } from '../../platform/db/database.ts'
import { isRefusedForGood, type Mail, type Mailer } from '../../platform/mail/mailer.ts'
import { queuePollMs, wakenBy } from '../queue-jobs.ts'
import {
  claimDeliveries,
  type Delivery,
  deleteDeliveriesBefore,
  deleteDelivery,
  updateDeliveryDue,
} from './deliveries.queries.ts'

interface DeliveryJobsDeps {
  pool: Pool
  changes: Changes
  bus: Bus
  /** `null`: no mail can be sent, and queued mails expire. */
  mailer: Mailer | null
  /** Composes a mail when it is sent; returns `null` if it has no recipient any more. */
  compose: (delivery: Delivery) => Promise<Mail | null>
  log: FastifyBaseLogger
  now: () => Date
}

/** The number of mails sent at once. Small, since mail servers limit connections. */
const batch = 5
/** Longer than any attempt takes. If a node crashes, another one takes its mails after this time. */
const leaseMs = 5 * 60_000
const retry: Backoff = { firstMs: 30_000, maxMs: 2 * 3_600_000 }
const givenUpAfterMs = 24 * 3_600_000

/** Sends the queued mails. Failed ones are retried for a day, unless the mail server refuses them for good. */
export function createDeliveryJobs(deps: DeliveryJobsDeps): Job {
  const job = createJob({
    everyMs: queuePollMs,
    subscribe: wakenBy(deps.bus, 'deliveries_waiting'),
    failure: 'mail was not sent',
    log: deps.log,
    run: (run) => sendDue(deps, run),
  })
  return {
    ...job,
    async stop() {
      await job.stop()
      deps.mailer?.close()
    },
  }
}

async function sendDue({ mailer, ...deps }: DeliveryJobsDeps, { signal }: JobRun): Promise<void> {
  const { pool, changes, now, log } = deps
  const givenUp = await changes.commit(pool, (tx) =>
    deleteDeliveriesBefore(tx, new Date(now().getTime() - givenUpAfterMs)),
  )
  if (givenUp > 0) log.warn({ count: givenUp }, 'mail discarded after a day')
  if (mailer === null) return
  while (!signal.aborted) {
    const at = now()
    const leaseUntil = new Date(at.getTime() + leaseMs)
    const claimed = await changes.commit(pool, (tx) => claimDeliveries(tx, { now: at, leaseUntil, limit: batch }))
    const results = await Promise.all(claimed.map((delivery) => deliver({ ...deps, mailer }, delivery)))
    // If the mail server fails, the next batch is not tried at once. It may also have refused single addresses.
    if (claimed.length < batch || !results.includes(true)) return
  }
}

/** Runs outside a transaction: mail servers are slow, and no database lock should wait for one. */
async function deliver(deps: DeliveryJobsDeps & { mailer: Mailer }, delivery: Delivery): Promise<boolean> {
  const { pool, changes, mailer, compose, log, now } = deps
  try {
    const mail = await compose(delivery)
    if (mail) await mailer.send(mail, delivery.id)
    await changes.commit(pool, (tx) => deleteDelivery(tx, delivery.id))
    return true
  } catch (error) {
    // The error itself is not logged: the reply of a mail server contains the address.
    const { code = null, responseCode = null } = error as { code?: string; responseCode?: number }
    const fields = { template: delivery.template, attempts: delivery.attempts, code, responseCode }
    if (isRefusedForGood(error)) {
      log.warn(fields, 'mail refused for good and discarded')
      await changes.commit(pool, (tx) => deleteDelivery(tx, delivery.id))
      return true
    }
    log.error(fields, 'mail delivery failed')
    const dueAt = new Date(now().getTime() + backoffMs(delivery.attempts, retry))
    await changes.commit(pool, (tx) => updateDeliveryDue(tx, delivery.id, dueAt))
    return false
  }
}
