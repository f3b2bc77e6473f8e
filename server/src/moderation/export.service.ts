import type { UserId } from '@hither/contract/ids.ts'
import type { ModerationExport } from '@hither/contract/moderation.ts'
import type { Db } from '../platform/db/database.ts'
import type { Queried } from '../platform/db/json-parts.ts'
import * as queries from './export.queries.ts'

/**
 * Returns the moderation data of a user for the export. Reports about the user are left out: they belong to their
 * reporters.
 */
export function exportModeration(db: Db, userId: UserId): Promise<Queried<ModerationExport>> {
  return queries.findModerationExport(db, userId)
}
