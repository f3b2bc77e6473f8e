import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createJob, type Job, type JobOptions, runInBatches } from './job.ts'

const hourMs = 3_600_000

/** A job whose runs wait until the test finishes them. */
function createBlockedJob(options: Partial<JobOptions> = {}) {
  const runs: { end: () => void; fail: (error: Error) => void; signal: AbortSignal; wake: (inMs: number) => void }[] =
    []
  const logged: unknown[][] = []
  let running = 0
  let mostAtOnce = 0
  let begun = () => {}
  const job: Job = createJob({
    everyMs: hourMs,
    failure: 'the work failed',
    log: { error: (...args: unknown[]) => logged.push(args) },
    ...options,
    async run({ signal, wake }) {
      mostAtOnce = Math.max(mostAtOnce, ++running)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      runs.push({ end: resolve, fail: reject, signal, wake })
      begun()
      await promise.finally(() => running--)
    },
  })
  onTestFinished(async () => {
    const stopped = job.stop()
    for (const { end } of runs) end()
    await stopped
  })
  return {
    job,
    runs,
    logged,
    mostAtOnce: () => mostAtOnce,
    async run(index: number) {
      while (runs.length <= index)
        await new Promise<void>((resolve) => {
          begun = resolve
        })
      const run = runs[index]
      if (!run) throw new Error('unreachable')
      return run
    },
  }
}

it('repeats after a pause, which begins when the run ends', async () => {
  const blocked = createBlockedJob({ everyMs: 5 })
  blocked.job.start()
  for (let index = 0; index < 3; index++) (await blocked.run(index)).end()
  await blocked.run(3)
  expect(blocked.mostAtOnce()).toBe(1)
})

it('adds one run for all requests during a run, and never overlaps with itself', async () => {
  const blocked = createBlockedJob()
  const first = blocked.job.runDue()
  const run = await blocked.run(0)
  const later = [blocked.job.runDue(), blocked.job.runDue()]
  run.end()
  ;(await blocked.run(1)).end()
  await Promise.all([first, ...later])
  expect([blocked.runs.length, blocked.mostAtOnce()]).toEqual([2, 1])
})

it('logs a failed run and continues', async () => {
  const blocked = createBlockedJob({ everyMs: 5 })
  blocked.job.start()
  const failure = new Error('no connection')
  ;(await blocked.run(0)).fail(failure)
  await blocked.run(1)
  expect(blocked.logged).toEqual([[{ err: failure }, 'the work failed']])
})

it('rejects the call that requested a failed run, and logs nothing', async () => {
  const blocked = createBlockedJob()
  const requested = blocked.job.runDue()
  ;(await blocked.run(0)).fail(new Error('no connection'))
  await expect(requested).rejects.toThrow('no connection')
  expect(blocked.logged).toEqual([])
})

it('runs again at the time that a run or an event requests', async () => {
  let wake: (inMs?: number) => void = () => {}
  const blocked = createBlockedJob({
    initialDelayMs: hourMs,
    subscribe(wakeJob) {
      wake = wakeJob
      return () => {}
    },
  })
  blocked.job.start()
  wake()
  const first = await blocked.run(0)
  const since = performance.now()
  first.wake(60)
  first.wake(hourMs)
  first.end()
  ;(await blocked.run(1)).end()
  expect(performance.now() - since).toBeGreaterThan(55)
})

it('aborts the signal of the current run, waits for it and runs nothing after it is stopped', async () => {
  let isSubscribed = true
  const blocked = createBlockedJob({
    everyMs: 1,
    subscribe: () => () => {
      isSubscribed = false
    },
  })
  blocked.job.start()
  const run = await blocked.run(0)
  void blocked.job.runDue()
  let isStopped = false
  const stopped = blocked.job.stop().then(() => {
    isStopped = true
  })
  if (!run.signal.aborted) await once(run.signal, 'abort')
  await setImmediate()
  expect([isStopped, isSubscribed]).toEqual([false, false])
  run.end()
  await stopped
  await blocked.job.runDue()
  expect(blocked.runs).toHaveLength(1)
})

it('repeats a batch until it is not full or the job stops', async () => {
  const counts = [2, 2, 1, 2, 2]
  const stopping = new AbortController()
  const handled: string[] = []
  const step = (name: string) => async () => {
    handled.push(name)
    if (handled.length === 4) stopping.abort()
    return counts.shift() ?? 0
  }
  await runInBatches(2, stopping.signal, [step('a'), step('b'), step('c')])
  expect(handled).toEqual(['a', 'a', 'a', 'b'])
})
