import { statfs } from 'node:fs/promises'
import type { UserId } from '@hither/contract/ids.ts'
import type { ServiceStatus } from '@hither/contract/moderation.ts'
import { version } from '../version.ts'
import { type AdminsDeps, assertAdmin } from './admins.service.ts'
import { findCounts } from './status.queries.ts'

export interface StatusDeps extends AdminsDeps {
  dataDir: string
  isEmbedded: boolean
  startedAt: Date
}

export async function getServiceStatus(
  { pool, now, dataDir, isEmbedded, startedAt }: StatusDeps,
  adminId: UserId,
): Promise<ServiceStatus> {
  await assertAdmin(pool, adminId)
  return {
    version,
    started_at: startedAt.toISOString(),
    database: isEmbedded ? 'embedded' : 'postgresql',
    disk_free_bytes: await freeBytes(dataDir),
    ...(await findCounts(pool, now())),
  }
}

/** Returns `null` if the folder does not exist or the system does not report free space. */
async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return null
  }
}
