import { type UserId } from '@hither/contract/ids.ts'
import { type ModerationExport } from '@hither/contract/moderation.ts'
import { type Db } from '../platform/database.ts'

/** Of each table that names the person, what they did themselves. */
export async function findModerationExport(db: Db, userId: UserId): Promise<ModerationExport> {
  const [admin] = await db<{ appointed_at: string }[]>`select appointed_at from admins where user_id = ${userId}`
  return {
    admin_since: admin?.appointed_at ?? null,
    reports: await db<ModerationExport['reports']>`
      select subject, reason, text, created_at from reports where reporter_id = ${userId} order by id`,
    invitations: await db<ModerationExport['invitations']>`
      select note, created_at, expires_at from invitations where created_by = ${userId} order by id`,
    // Of what concerned somebody else, not what was noted of them.
    admin_actions: await db<ModerationExport['admin_actions']>`
      select action, case when user_id is null then note end as note, acted_at
      from admin_actions where admin_id = ${userId} order by id`,
  }
}
