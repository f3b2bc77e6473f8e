import { type FastifyBaseLogger } from 'fastify'
import { type Bus, type BusMessage } from '../platform/bus.ts'

export interface QueueJobs {
  start(): void
  /** Lets a run under way finish. */
  stop(): Promise<void>
  /** Sends everything that is due; one run at a time. */
  runDue(): Promise<void>
}

export interface QueueOptions {
  readonly bus: Bus
  readonly log: FastifyBaseLogger
  readonly now: () => Date
  /** What is said when something was written that waits to go. */
  readonly wokenBy: BusMessage['kind']
  /** What to log where a run fails. */
  readonly failure: string
  /** Answers when the next is due, where that is known. `isStopping` tells it to come to an end. */
  readonly run: (isStopping: () => boolean) => Promise<Date | null>
}

/** What another node left undone is noticed after it. */
const everyMs = 10_000
/** A clock may be a little behind its timers. */
const pauseMinMs = 50

export function createQueueJobs({ bus, log, now, wokenBy, failure, run }: QueueOptions): QueueJobs {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let isWanted = false
  let state: 'made' | 'started' | 'stopped' = 'made'
  let unsubscribe = () => {}

  /** Whoever asks during a run waits for another one: theirs may have been written behind its back. */
  function runDue(): Promise<void> {
    isWanted = true
    running ??= runWanted().finally(() => {
      running = null
    })
    return running
  }

  async function runWanted(): Promise<void> {
    let next: Date | null = null
    try {
      while (isWanted) {
        isWanted = false
        next = await run(() => state === 'stopped')
      }
    } finally {
      sleepUntil(next)
    }
  }

  function sleepUntil(next: Date | null): void {
    if (state !== 'started') return
    clearTimeout(timer)
    const waitMs = next === null ? everyMs : next.getTime() - now().getTime()
    timer = setTimeout(tick, Math.min(everyMs, Math.max(pauseMinMs, waitMs)))
  }

  function tick(): void {
    runDue().catch((error: unknown) => log.error({ err: error }, failure))
  }

  return {
    runDue,
    start() {
      state = 'started'
      unsubscribe = bus.subscribe((message) => {
        if (message.kind === wokenBy) tick()
      })
      tick()
    },
    async stop() {
      state = 'stopped'
      unsubscribe()
      clearTimeout(timer)
      isWanted = false
      await running?.catch(() => undefined)
    },
  }
}
