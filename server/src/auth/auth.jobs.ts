import { securityEventLimits } from '@hither/contract/runtime/auth/security-events.ts'
import { type CleanupJobDeps, createCleanupJob } from '../events/cleanup-job.ts'
import type { Job } from '../platform/async/job.ts'
import {
  deleteExpiredChallenges,
  deleteExpiredMailTokens,
  deleteExpiredSignups,
  deleteFinishedSessions,
  deleteOldEvents,
  deleteRevokedSessions,
  deleteUnusedDevices,
} from './cleanup.queries.ts'
import { endedSessionMemoryMs } from './tokens.ts'

/** A device without a sign-in for this time counts as unknown again. */
const knownDeviceMs = 180 * 86_400_000

const securityEventMs = securityEventLimits.keepDays * 86_400_000

/** Erases expired sessions, sign-ups, tokens and challenges, and old security events. */
export function createAuthJobs(deps: CleanupJobDeps): Job {
  return createCleanupJob(deps, {
    failure: 'auth cleanup failed',
    deletions(now) {
      const endedBefore = new Date(now.getTime() - endedSessionMemoryMs)
      return [
        (tx, limit) => deleteFinishedSessions(tx, { expiredBefore: now, endedBefore, limit }),
        (tx, limit) => deleteRevokedSessions(tx, endedBefore, limit),
        (tx, limit) => deleteExpiredSignups(tx, now, limit),
        (tx, limit) => deleteExpiredMailTokens(tx, now, limit),
        (tx, limit) => deleteExpiredChallenges(tx, now, limit),
        (tx, limit) => deleteOldEvents(tx, new Date(now.getTime() - securityEventMs), limit),
        (tx, limit) => deleteUnusedDevices(tx, new Date(now.getTime() - knownDeviceMs), limit),
      ]
    },
  })
}
