import { type CleanupJobDeps, createCleanupJob } from '../../events/cleanup-job.ts'
import type { Job } from '../../platform/async/job.ts'
import { eraseOutdated } from './guest-endings.service.ts'

/** Deletes the guests of pings 24 hours after their end. */
export function createGuestJobs(deps: CleanupJobDeps): Job {
  return createCleanupJob(deps, {
    failure: 'guest cleanup failed',
    deletions: (now) => [(tx, limit, announce) => eraseOutdated(tx, announce, limit, now)],
  })
}
