import type { UserId } from '@hither/contract/ids.ts'
import type { ModerationExport } from '@hither/contract/moderation.ts'
import type { Db } from '../platform/db/database.ts'
import type { Queried } from '../platform/db/json-parts.ts'

/** Returns what the user did, from each table that names them. */
export async function findModerationExport(db: Db, userId: UserId): Promise<Queried<ModerationExport>> {
  const [admin] = await db<{ appointed_at: string }[]>`select appointed_at from admins where user_id = ${userId}`
  return {
    admin_since: admin?.appointed_at ?? null,
    reports: db<ModerationExport['reports']>`
      select subject, reason, text, created_at from reports where reporter_id = ${userId} order by id`,
    invitations: db<ModerationExport['invitations']>`
      select note, created_at, expires_at from invitations where created_by = ${userId} order by id`,
    // Actions about other users are included, without what was recorded about those users.
    admin_actions: db<ModerationExport['admin_actions']>`
      select action, case when user_id is null then note end as note, acted_at
      from admin_actions where admin_id = ${userId} order by id`,
  }
}
