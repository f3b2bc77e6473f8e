import type { FastifyBaseLogger } from 'fastify'

/** Work that repeats while the server runs, and never at the same time as itself. */
export interface Job {
  /** Starts the schedule. */
  start(): void
  /** Ends the schedule and resolves when the current run has ended. Nothing runs afterwards. */
  stop(): Promise<void>
  /**
   * Runs now, with or without a schedule. During a run, it adds another run, because the current one may have missed
   * the latest rows. Rejects if a run fails.
   */
  runDue(): Promise<void>
}

export interface JobRun {
  /** Aborted when the job stops: the run should end soon. */
  readonly signal: AbortSignal
  /** Requests a run after this many milliseconds, if no earlier one is scheduled. */
  wake(inMs: number): void
}

export interface JobOptions {
  /** The longest pause between two runs in milliseconds, also after a failure. */
  readonly everyMs: number
  /** The time before the first run. */
  readonly initialDelayMs?: number
  /** Subscribes `wake` to events that make a run due, and returns the function that unsubscribes it. */
  readonly subscribe?: (wake: (inMs?: number) => void) => () => void
  /** The log message of a failed run. */
  readonly failure: string
  readonly log: Pick<FastifyBaseLogger, 'error'>
  readonly run: (run: JobRun) => Promise<void>
}

/** The shortest pause between two runs: a clock may be slightly behind its timers. */
const pauseMinMs = 50

/** Uses the monotonic clock, so that a clock that is set back does not delay a run. */
export function createJob({ everyMs, initialDelayMs = 0, subscribe, failure, log, run }: JobOptions): Job {
  const stopping = new AbortController()
  const { signal } = stopping
  let unsubscribe = () => {}
  let isStarted = false
  let isWanted = false
  let running: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY

  function runDue(): Promise<void> {
    isWanted = true
    running ??= Promise.resolve().then(runWanted)
    return running
  }

  async function runWanted(): Promise<void> {
    try {
      while (isWanted && !signal.aborted) {
        isWanted = false
        clearTimer()
        await run({ signal, wake: (inMs) => setTimer(Math.max(pauseMinMs, inMs)) })
      }
    } finally {
      running = null
      setTimer(everyMs)
    }
  }

  function tick(): void {
    timerAt = Number.POSITIVE_INFINITY
    runDue().catch((error: unknown) => log.error({ err: error }, failure))
  }

  function setTimer(inMs: number): void {
    const waitMs = Math.max(0, Math.min(inMs, everyMs))
    const at = performance.now() + waitMs
    if (!isStarted || signal.aborted || at >= timerAt) return
    clearTimeout(timer)
    timerAt = at
    timer = setTimeout(tick, waitMs).unref()
  }

  function clearTimer(): void {
    clearTimeout(timer)
    timerAt = Number.POSITIVE_INFINITY
  }

  return {
    runDue,
    start() {
      isStarted = true
      unsubscribe = subscribe?.((inMs = 0) => setTimer(inMs)) ?? unsubscribe
      if (initialDelayMs === 0) tick()
      else setTimer(initialDelayMs)
    },
    async stop() {
      stopping.abort()
      unsubscribe()
      clearTimer()
      await running?.catch(() => undefined)
    },
  }
}

/** Repeats each step until it handles fewer than `limit` rows, so that each transaction and its locks are short. */
export async function runInBatches(
  limit: number,
  signal: AbortSignal,
  steps: readonly (() => Promise<number>)[],
): Promise<void> {
  for (const step of steps) {
    let count = limit
    while (count === limit && !signal.aborted) count = await step()
  }
}
