import type { UserId } from '@hither/contract/ids.ts'
import { storedKinds } from '@hither/contract/runtime/stored-data.ts'
import type { StoredData } from '@hither/contract/stored-data.ts'
import type { Pool } from '../platform/db/database.ts'
import { countStored } from './stored-data.queries.ts'
import { kinds } from './stored-data.rules.ts'

export interface StoredDataDeps {
  readonly pool: Pool
  readonly now: () => Date
  readonly pingRetentionDays: number
  /** Null if the server makes no backups. */
  readonly backupKeepDays: number | null
}

/** Returns counts and times only, of the caller alone: what others do does not change them. */
export async function findStoredData(
  { pool, now, pingRetentionDays, backupKeepDays }: StoredDataDeps,
  userId: UserId,
): Promise<StoredData> {
  const at = now()
  const counted = await countStored(pool, userId, pingRetentionDays, at)
  const items = counted
    .map((item) => ({ ...item, erasure: kinds[item.kind].erasure }))
    .sort((a, b) => storedKinds.indexOf(a.kind) - storedKinds.indexOf(b.kind))
  return { as_of: at.toISOString(), backup_keep_days: backupKeepDays, items }
}
