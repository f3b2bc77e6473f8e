import { friendLinkLimits } from '@hither/contract/runtime/friend-links.ts'
import { type CleanupJobDeps, createCleanupJob } from '../events/cleanup-job.ts'
import type { Job } from '../platform/async/job.ts'
import { deleteEndedLinks } from './friend-links.queries.ts'

const retentionMs = friendLinkLimits.keepDays * 86_400_000

/** Deletes friend links with their uses 30 days after they expired or were revoked. */
export function createFriendLinkJobs(deps: CleanupJobDeps): Job {
  return createCleanupJob(deps, {
    failure: 'friend link cleanup failed',
    deletions: (now) => [(tx, limit) => deleteEndedLinks(tx, new Date(now.getTime() - retentionMs), limit)],
  })
}
