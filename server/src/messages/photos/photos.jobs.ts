import { type CleanupJobDeps, createCleanupJob } from '../../events/cleanup-job.ts'
import { eraseUnsentPhotos } from '../../files/files.service.ts'
import type { Job } from '../../platform/async/job.ts'

/** Deletes photos that were uploaded and not sent. */
export function createPhotoJobs(deps: CleanupJobDeps): Job {
  return createCleanupJob(deps, {
    failure: 'unsent photo cleanup failed',
    deletions: (now) => [(tx, limit) => eraseUnsentPhotos(tx, now, limit)],
  })
}
