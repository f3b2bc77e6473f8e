import type { AdminActionId, ReportId, UserId } from '@hither/contract/ids.ts'
import type { AdminAction, AdminActionName } from '@hither/contract/moderation.ts'
import type { Db, Tx } from '../platform/db/database.ts'

interface NewAction {
  id: AdminActionId
  /** `null`: the operator. */
  adminId: UserId | null
  action: AdminActionName
  userId: UserId | null
  reportId: ReportId | null
  note: string | null
  now: Date
}

export async function insertAction(tx: Tx, action: NewAction): Promise<void> {
  await tx`
    insert into admin_actions (id, admin_id, action, user_id, report_id, note, acted_at)
    values (
      ${action.id}, ${action.adminId}, ${action.action}, ${action.userId}, ${action.reportId}, ${action.note},
      ${action.now})`
}

/** Lists admin actions, newest first. Returned before it runs, so that a test can ask the database for its plan. */
export function listActions(db: Db, page: { before: AdminActionId | null; limit: number }) {
  return db<AdminAction[]>`
    select a.id, o.username as admin_username, a.action, u.username, a.note, a.acted_at
    from admin_actions a
    left join users o on o.id = a.admin_id
    left join users u on u.id = a.user_id
    ${page.before === null ? db`` : db`where a.id < ${page.before}`}
    order by a.id desc limit ${page.limit}`
}
