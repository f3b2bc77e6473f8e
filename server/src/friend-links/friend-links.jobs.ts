import type { Job } from '../platform/async/job.ts'
import { type CleanupJobDeps, createCleanupJob } from '../platform/events/cleanup-job.ts'
import { deleteEndedLinks } from './friend-links.queries.ts'

/** How long the data of the creator names an ended link and its uses. */
const retentionMs = 30 * 86_400_000

/** Deletes friend links with their uses 30 days after they expired or were revoked. */
export function createFriendLinkJobs(deps: CleanupJobDeps): Job {
  return createCleanupJob(deps, {
    failure: 'friend link cleanup failed',
    deletions: (now) => [(tx, limit) => deleteEndedLinks(tx, new Date(now.getTime() - retentionMs), limit)],
  })
}
