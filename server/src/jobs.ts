import type { FastifyBaseLogger } from 'fastify'
import { createAuthJobs } from './auth/auth.jobs.ts'
import { composeMail } from './auth/mails/mails.service.ts'
import { type BackupJobs, createBackupJobs } from './backups/backups.jobs.ts'
import { backupDepsOf } from './backups/backups.service.ts'
import type { Config } from './config.ts'
import type { Bus } from './events/bus.ts'
import { createFileJobs, type FileJobsDeps } from './files/files.jobs.ts'
import { createFriendLinkJobs } from './friend-links/friend-links.jobs.ts'
import { createChatErasureJobs } from './messages/erasure/erasure.jobs.ts'
import { createPhotoJobs } from './messages/photos/photos.jobs.ts'
import { pingChats } from './messages/ping-chats.service.ts'
import { createWordJobs } from './messages/search/words.jobs.ts'
import { createModerationJobs } from './moderation/moderation.jobs.ts'
import { createDeliveryJobs } from './notifications/mail/deliveries.jobs.ts'
import type { PushKeys } from './notifications/push/push-keys.ts'
import { createPushSender } from './notifications/push/push-sender.ts'
import { composePush } from './notifications/push/pushes.compose.ts'
import { createPushJobs } from './notifications/push/pushes.jobs.ts'
import { createGuestJobs } from './pings/guests/guests.jobs.ts'
import { createPingJobs } from './pings/pings.jobs.ts'
import type { PlaceErasureDeps } from './pings/place/place-erasure.service.ts'
import type { Job } from './platform/async/job.ts'
import { withTimeout } from './platform/async/with-timeout.ts'
import { createVacuumJobs } from './platform/db/vacuum.jobs.ts'
import type { Mailer } from './platform/mail/mailer.ts'
import { createTripJobs } from './trips/trips.jobs.ts'
import { createUpdateJobs } from './updates/updates.jobs.ts'

/** The jobs of all features. */
export interface Jobs {
  readonly pingJobs: Job
  readonly fileJobs: Job
  readonly authJobs: Job
  readonly deliveryJobs: Job
  readonly pushJobs: Job
  readonly moderationJobs: Job
  readonly friendLinkJobs: Job
  readonly guestJobs: Job
  readonly tripJobs: Job
  readonly photoJobs: Job
  readonly wordJobs: Job
  readonly chatErasureJobs: Job
  readonly backupJobs: BackupJobs
  readonly vacuumJobs: Job
  readonly updateJobs: Job
}

interface JobsDeps extends FileJobsDeps {
  readonly config: Config
  readonly bus: Bus
  readonly mailer: Mailer | null
  readonly pushKeys: PushKeys
  readonly nearestTown: PlaceErasureDeps['nearestTown']
}

/** How long the current runs may take when the server stops, as long as requests in progress. */
const stopWithinMs = 8000

export function createJobs({ config, mailer, pushKeys, ...deps }: JobsDeps): Jobs {
  const { publicUrl, serverName, push, defaultLanguage } = config
  const sender = createPushSender({ keys: pushKeys, subject: push.subject, pushHosts: push.hosts })
  return {
    pingJobs: createPingJobs({
      ...deps,
      chats: pingChats,
      retentionDays: config.pingRetentionDays,
      placeKeepHours: config.placeKeepHours,
    }),
    fileJobs: createFileJobs(deps),
    authJobs: createAuthJobs(deps),
    deliveryJobs: createDeliveryJobs({
      ...deps,
      mailer,
      compose: (delivery) => composeMail({ ...deps, publicUrl, serverName, defaultLanguage }, delivery),
    }),
    pushJobs: createPushJobs({
      ...deps,
      sender,
      compose: (delivery) => composePush({ ...deps, defaultLanguage }, delivery),
    }),
    moderationJobs: createModerationJobs(deps),
    friendLinkJobs: createFriendLinkJobs(deps),
    guestJobs: createGuestJobs(deps),
    tripJobs: createTripJobs(deps),
    photoJobs: createPhotoJobs(deps),
    wordJobs: createWordJobs(deps),
    chatErasureJobs: createChatErasureJobs(deps),
    backupJobs: createBackupJobs(backupDepsOf(config, deps)),
    vacuumJobs: createVacuumJobs(deps),
    updateJobs: createUpdateJobs({ ...deps, updateCheckUrl: config.updateCheckUrl }),
  }
}

export function startJobs(jobs: Jobs): void {
  for (const job of Object.values<Job>({ ...jobs })) job.start()
}

/** How long the copy of the last erasures may take when the server stops. */
const finishWithinMs = 3000

/** Copies the erasures of the last requests for a later restore. A copy that fails is repeated by the next start. */
export async function finishJobs({ backupJobs }: Pick<Jobs, 'backupJobs'>, log: Pick<FastifyBaseLogger, 'warn'>) {
  await withTimeout(backupJobs.finish(), finishWithinMs).catch((error: unknown) =>
    log.warn({ err: error }, 'the last erasures were not copied next to the backups'),
  )
}

/** Waits for the current runs. A run that takes too long is abandoned, and the next start repeats it. */
export async function stopJobs(
  jobs: Partial<Jobs>,
  log: Pick<FastifyBaseLogger, 'warn'>,
  withinMs = stopWithinMs,
): Promise<void> {
  const stopped = Promise.all(Object.values<Job>({ ...jobs }).map((job) => job.stop()))
  await withTimeout(stopped, withinMs).catch((error: unknown) => log.warn({ err: error }, 'jobs did not stop in time'))
}
