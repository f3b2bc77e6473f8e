import type { UserId } from '@hither/contract/ids.ts'
import type { ServiceStatus } from '@hither/contract/moderation.ts'
import { diskSpaceOf } from '../platform/data-folder/free-space.ts'
import { version } from '../version.ts'
import { type AdminsDeps, assertAdmin } from './admins.service.ts'
import { findCounts } from './status.queries.ts'

export interface StatusDeps extends AdminsDeps {
  dataDir: string
  isEmbedded: boolean
  startedAt: Date
  /** The bytes that the stored pictures of one person may have. */
  storagePerPerson: number
  getBackupStatus: () => Promise<NonNullable<ServiceStatus['backups']>>
  getUpdate: () => Promise<NonNullable<ServiceStatus['update']> | null>
}

export async function getServiceStatus(
  { pool, now, dataDir, isEmbedded, startedAt, storagePerPerson, getBackupStatus, getUpdate }: StatusDeps,
  adminId: UserId,
): Promise<ServiceStatus> {
  await assertAdmin(pool, adminId)
  return {
    version,
    started_at: startedAt.toISOString(),
    database: isEmbedded ? 'embedded' : 'postgresql',
    backups: await getBackupStatus(),
    update: await getUpdate(),
    disk_free_bytes: (await diskSpaceOf(dataDir))?.free ?? null,
    picture_bytes_per_user_max: storagePerPerson,
    ...(await findCounts(pool, now())),
  }
}
