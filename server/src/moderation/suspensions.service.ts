import { type ReportId, type UserId } from '@hither/contract/ids.ts'
import { endSessions } from '../auth/sessions.service.ts'
import { withdrawLivePings } from '../pings/pings.service.ts'
import { Refusal } from '../platform/refusal.ts'
import { isAdmin } from './admins.queries.ts'
import { type AdminsDeps, actAsAdmin } from './admins.service.ts'
import { handleReport } from './reports.service.ts'
import * as queries from './suspensions.queries.ts'

const dayMs = 86_400_000

export interface Suspending {
  readonly reason: string
  /** `null`: for good. */
  readonly days?: number | null
  readonly report_id?: ReportId | null
}

/**
 * Shuts a person out at once, on every device. What they have live ends too: they could no longer end it themselves. What
 * they said stays, and so do their friends and all that is theirs, for when they are let in again.
 */
export async function suspendUser(
  deps: AdminsDeps,
  adminId: UserId,
  userId: UserId,
  { reason, days = null, report_id: reportId = null }: Suspending,
): Promise<void> {
  await actAsAdmin(deps, adminId, userId, async (db, announce, note) => {
    // Whoever is to be shut out is first made no admin: so one always remains, and nobody shuts themselves out.
    if (await isAdmin(db, userId)) throw new Refusal('admin_not_suspendable')
    const now = deps.now()
    const until = days === null ? null : new Date(now.getTime() + days * dayMs)
    if (reportId !== null) await handleReport(db, reportId, { outcome: 'suspended', adminId, userId, now })
    await queries.upsertSuspension(db, { userId, reason: reason.trim(), now, until })
    await withdrawLivePings(db, announce, userId, now)
    await endSessions(db, announce, userId, null, now)
    await note('suspend', { userId, ...(reportId !== null && { reportId }), note: noteOf(reason.trim(), days) })
  })
}

export async function liftSuspension(deps: AdminsDeps, adminId: UserId, userId: UserId): Promise<void> {
  await actAsAdmin(deps, adminId, userId, async (db, _announce, note) => {
    if (await queries.deleteSuspension(db, userId)) await note('lift', { userId })
  })
}

function noteOf(reason: string, days: number | null): string {
  return `${days === null ? 'For good' : days === 1 ? 'For a day' : `For ${days} days`}: ${reason}`
}
