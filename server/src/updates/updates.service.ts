import type { ServiceStatus } from '@hither/contract/moderation.ts'
import type { Pool } from '../platform/db/database.ts'
import { version as ownVersion } from '../version.ts'
import { isNewer } from './update-file.ts'
import { findRelease } from './updates.queries.ts'

/** Returns the result of the last update check; null if this server makes none, or has made none yet. */
export async function getUpdate(
  pool: Pool,
  updateCheckUrl: string | null,
): Promise<NonNullable<ServiceStatus['update']> | null> {
  const release = updateCheckUrl === null ? null : await findRelease(pool)
  if (release === null) return null
  const { checked_at, has_failed: failed, version, notes_url } = release
  const hasNewer = version !== null && isNewer(version, ownVersion)
  return { version: hasNewer ? version : null, notes_url: hasNewer ? notes_url : null, checked_at, failed }
}
