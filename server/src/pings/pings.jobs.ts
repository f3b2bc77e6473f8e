import { type FastifyBaseLogger } from 'fastify'
import { tellOfActivation } from '../notifications/pushes.service.ts'
import { type Bus } from '../platform/bus.ts'
import { type Changes } from '../platform/changes.ts'
import { type Pool } from '../platform/database.ts'
import { claimDue, findNextDue, listDue, listStale } from './announcements.queries.ts'
import { lockAudience } from './pings.queries.ts'
import { removePing, rowOf } from './pings.service.ts'

export interface PingJobsDeps {
  pool: Pool
  changes: Changes
  bus: Bus
  retentionDays: number
  log: FastifyBaseLogger
  now: () => Date
}

export interface PingJobs {
  start(): void
  /** Lets a run under way finish. */
  stop(): Promise<void>
  /** Announces every activation and expiry that is due, and erases what has been kept long enough; one run at a time. */
  runDue(): Promise<void>
}

/** The longest sleep: what another node left undone, or a clock that jumped, is noticed after it. */
const sleepMaxMs = 15_000
/** The shortest: a due ping may be in the hands of another node. */
const pauseMinMs = 20
const batch = 200
const dayMs = 86_400_000

/**
 * What time does to pings. It sleeps until the next one is due, and the bus tells it of new ones and of new ends,
 * whichever node made them. What has been told is in the database, so a run that was missed is made up for by the next.
 */
export function createPingJobs(deps: PingJobsDeps): PingJobs {
  const alarm = createAlarm(deps.now, () => {
    ticking = tick()
  })
  let running: Promise<void> | null = null
  let ticking = Promise.resolve()
  let unsubscribe = () => {}

  function runDue(): Promise<void> {
    running ??= run(deps).finally(() => {
      running = null
    })
    return running
  }

  async function tick(): Promise<void> {
    alarm.set(new Date(deps.now().getTime() + sleepMaxMs))
    try {
      await runDue()
      const [next] = await findNextDue(deps.pool)
      if (next.due_at !== null) alarm.set(new Date(next.due_at))
    } catch (error) {
      deps.log.error({ err: error }, 'pings were not announced')
    }
  }

  return {
    runDue,
    start() {
      unsubscribe = deps.bus.subscribe((message) => {
        if (message.kind === 'ping_due') alarm.set(new Date(message.at))
      })
      ticking = tick()
    },
    async stop() {
      unsubscribe()
      alarm.stop()
      await running?.catch(() => undefined)
      await ticking
    },
  }
}

/** Rings at the earliest of the times it was set to, and then not again until it is set anew. */
function createAlarm(now: () => Date, ring: () => void) {
  let timer: NodeJS.Timeout | undefined
  let ringsAt = Number.POSITIVE_INFINITY
  let isStopped = false
  return {
    set(time: Date) {
      if (isStopped || time.getTime() >= ringsAt) return
      ringsAt = time.getTime()
      clearTimeout(timer)
      const fire = () => {
        ringsAt = Number.POSITIVE_INFINITY
        ring()
      }
      // No longer than that also where the clock has been set back since.
      timer = setTimeout(fire, Math.min(sleepMaxMs, Math.max(pauseMinMs, ringsAt - now().getTime())))
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

async function run(deps: PingJobsDeps): Promise<void> {
  for (const work of [announceBatch, eraseBatch]) {
    let done: number
    do done = await work(deps)
    while (done === batch)
  }
}

/**
 * A ping that is past both of its times is told of as expired and never as active: it is over, and nobody should set out.
 * Answers how many were found due and told of.
 */
async function announceBatch({ pool, changes, now }: PingJobsDeps): Promise<number> {
  return changes.commit(pool, async (db, announce) => {
    const at = now()
    const pingIds = (await listDue(db, at, batch)).map(({ id }) => id)
    if (pingIds.length === 0) return 0
    // Before the pings themselves: whoever deletes one holds its owner first.
    await lockAudience(db, pingIds)
    const claimed = await claimDue(db, pingIds, at)
    for (const ping of claimed) {
      const row = rowOf(ping)
      const audience = [ping.user_id, ...ping.invitee_ids]
      announce.update('location_pins', row, { ...row, status: ping.told_status }, audience)
      if (ping.status === 'active') await tellOfActivation(db, announce, ping.id, audience, at)
    }
    return claimed.length
  })
}

/** Expired pings with all that hangs on them go after the retention time. Answers how many went. */
async function eraseBatch({ pool, changes, retentionDays, now }: PingJobsDeps): Promise<number> {
  return changes.commit(pool, async (db, announce) => {
    const at = now()
    const expiredBefore = new Date(at.getTime() - retentionDays * dayMs)
    const pingIds = (await listStale(db, expiredBefore, batch)).map(({ id }) => id)
    if (pingIds.length === 0) return 0
    await lockAudience(db, pingIds)
    for (const pingId of pingIds) await removePing(db, announce, pingId, at)
    return pingIds.length
  })
}
