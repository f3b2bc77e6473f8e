import { type CleanupJobDeps, createCleanupJob } from '../events/cleanup-job.ts'
import type { Job } from '../platform/async/job.ts'
import {
  deleteDueReports,
  deletePastBanner,
  deletePastCodes,
  deletePastInvitations,
  deletePastSuspensions,
} from './cleanup.queries.ts'

/** How long admins still see a used-up or expired invitation. */
const invitationRetentionMs = 30 * 86_400_000

/** Deletes expired reports, suspensions, invitations and codes, and a banner that ended. */
export function createModerationJobs(deps: CleanupJobDeps): Job {
  return createCleanupJob(deps, {
    failure: 'moderation cleanup failed',
    deletions: (now) => [
      (tx, limit) => deleteDueReports(tx, now, limit),
      (tx, limit) => deletePastSuspensions(tx, now, limit),
      (tx, limit) => deletePastInvitations(tx, new Date(now.getTime() - invitationRetentionMs), limit),
      (tx, limit) => deletePastCodes(tx, now, limit),
      (tx) => deletePastBanner(tx, now),
    ],
  })
}
