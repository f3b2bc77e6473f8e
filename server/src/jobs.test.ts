import { expect, it } from 'vitest'
import { stopJobs } from './jobs.ts'
import { createJob } from './platform/async/job.ts'

it('stops although a run does not end, and logs that', async () => {
  const warnings: unknown[] = []
  const log = { warn: (...line: unknown[]) => warnings.push(line.at(-1)), error: () => undefined }
  const { promise: isRunning, resolve } = Promise.withResolvers<void>()
  const run = () => {
    resolve()
    return new Promise<void>(() => undefined)
  }
  const vacuumJobs = createJob({ everyMs: 1000, failure: 'vacuum failed', log, run })
  vacuumJobs.start()
  await isRunning
  await stopJobs({ vacuumJobs }, log, 20)
  expect(warnings).toEqual(['jobs did not stop in time'])
})
