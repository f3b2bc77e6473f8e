import { type FastifyBaseLogger } from 'fastify'
import { type Bus } from '../platform/bus.ts'
import { type Changes } from '../platform/changes.ts'
import { type Pool } from '../platform/database.ts'
import { type Mail, type Mailer } from '../platform/mail.ts'
import {
  claimDeliveries,
  type Delivery,
  deleteDeliveriesBefore,
  deleteDelivery,
  updateDeliveryDue,
} from './deliveries.queries.ts'
import { createQueueJobs, type QueueJobs } from './queue-jobs.ts'

export interface DeliveryJobsDeps {
  pool: Pool
  changes: Changes
  bus: Bus
  /** `null`: what waits is given up in time. */
  mailer: Mailer | null
  /** What a mail says and to whom, decided as it goes; `null` where it is for nobody any more. */
  compose: (delivery: Delivery) => Promise<Mail | null>
  log: FastifyBaseLogger
  now: () => Date
}

/** What fails is tried again later, for a day. */
export type DeliveryJobs = QueueJobs

/** At once: few, as mail servers count connections. */
const batch = 5
/** Longer than any attempt takes: a node that died is followed by another after it. */
const leaseMs = 5 * 60_000
const retryMaxMs = 2 * 3_600_000
const givenUpAfterMs = 24 * 3_600_000

export function createDeliveryJobs(deps: DeliveryJobsDeps): DeliveryJobs {
  const { bus, log, now } = deps
  const run = () => sendDue(deps)
  const jobs = createQueueJobs({ bus, log, now, wokenBy: 'deliveries_waiting', failure: 'mail was not sent', run })
  return {
    ...jobs,
    async stop() {
      await jobs.stop()
      deps.mailer?.close()
    },
  }
}

async function sendDue({ mailer, ...deps }: DeliveryJobsDeps): Promise<null> {
  const { pool, changes, now, log } = deps
  const givenUp = await changes.commit(pool, (db) =>
    deleteDeliveriesBefore(db, new Date(now().getTime() - givenUpAfterMs)),
  )
  if (givenUp > 0) log.warn({ count: givenUp }, 'mail was given up after a day')
  if (mailer === null) return null
  for (;;) {
    const at = now()
    const leaseUntil = new Date(at.getTime() + leaseMs)
    const claimed = await changes.commit(pool, (db) => claimDeliveries(db, { now: at, leaseUntil, limit: batch }))
    const results = await Promise.all(claimed.map((delivery) => deliver({ ...deps, mailer }, delivery)))
    // A mail server that refuses is not asked for the next ones at once.
    if (claimed.length < batch || results.includes(false)) return null
  }
}

/** Outside of a transaction: mail servers are slow, and nothing of the database should wait for one. */
async function deliver(deps: DeliveryJobsDeps & { mailer: Mailer }, delivery: Delivery): Promise<boolean> {
  const { pool, changes, mailer, compose, log, now } = deps
  try {
    const mail = await compose(delivery)
    if (mail) await mailer.send(mail, delivery.id)
    await changes.commit(pool, (db) => deleteDelivery(db, delivery.id))
    return true
  } catch (error) {
    // Not the error itself: what a mail server says holds the address.
    const { code = null, responseCode = null } = error as { code?: string; responseCode?: number }
    log.error({ template: delivery.template, attempts: delivery.attempts, code, responseCode }, 'a mail was not taken')
    const dueAt = new Date(now().getTime() + retryDelayMs(delivery.attempts))
    await changes.commit(pool, (db) => updateDeliveryDue(db, delivery.id, dueAt))
    return false
  }
}

/** Half a minute after the first failure, twice that after each further one, two hours at most. */
function retryDelayMs(attempts: number): number {
  return Math.min(30_000 * 2 ** (attempts - 1), retryMaxMs)
}
