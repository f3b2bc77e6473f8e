import { type UserId } from '@hither/contract/ids.ts'
import { type ModerationExport } from '@hither/contract/moderation.ts'
import { type Db } from '../platform/database.ts'
import * as queries from './export.queries.ts'

/** Not who has reported them, nor what for: that is the reporter's. */
export function exportModeration(db: Db, userId: UserId): Promise<ModerationExport> {
  return queries.findModerationExport(db, userId)
}
