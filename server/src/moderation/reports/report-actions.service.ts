import type { MessageId, PingId, ReportId, UserId } from '@hither/contract/ids.ts'
import type { Report } from '@hither/contract/reports.ts'
import { moderationLimits } from '@hither/contract/runtime/moderation.ts'
import type { Announce } from '../../events/changes.ts'
import { eraseImage, openStored } from '../../files/copies.service.ts'
import type { FilesDeps } from '../../files/files.service.ts'
import { eraseMessage } from '../../messages/messages.service.ts'
import { pingChats } from '../../messages/ping-chats.service.ts'
import { setPingHasImage } from '../../pings/ping-extras.service.ts'
import { removePing } from '../../pings/ping-removal.service.ts'
import type { Tx } from '../../platform/db/database.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import type { Content } from '../../platform/http/content.ts'
import { type LockedUser, pingOf } from '../../users/user-locks.ts'
import { setHasImage } from '../../users/users.service.ts'
import { actAsAdmin, assertAdmin } from '../admins.service.ts'
import * as queries from './reports.queries.ts'
import { handledUntil, handleReport } from './reports.service.ts'

/** Lists reports, newest first. */
export async function listReports(
  { pool, now }: FilesDeps,
  adminId: UserId,
  page: { state: 'open' | 'handled'; before?: ReportId | null; limit?: number },
): Promise<Report[]> {
  await assertAdmin(pool, adminId)
  const { state, before = null, limit = moderationLimits.pageDefault } = page
  return queries.listReports(pool, { state, before, limit, now: now() })
}

export async function getReportPicture(
  { pool, storage }: FilesDeps,
  adminId: UserId,
  reportId: ReportId,
): Promise<Content> {
  await assertAdmin(pool, adminId)
  const picture = await queries.findPicture(pool, reportId)
  if (!picture) throw new Refusal('image_not_found')
  return openStored(storage, picture)
}

export async function dismissReport(deps: FilesDeps, adminId: UserId, reportId: ReportId): Promise<void> {
  const { user_id: userId } = await getReport(deps, adminId, reportId)
  await actAsAdmin(deps, adminId, userId, async (tx, _announce, note) => {
    await handleReport(tx, reportId, { outcome: 'dismissed', adminId, userId, now: deps.now() })
    await note('dismiss_report', { userId, reportId })
  })
}

/**
 * Deletes the reported thing for everyone who saw it, as if its owner had deleted it. Succeeds if it is deleted
 * already.
 */
export async function deleteReported(deps: FilesDeps, adminId: UserId, reportId: ReportId): Promise<void> {
  const report = await getReport(deps, adminId, reportId)
  if (report.subject === 'user') throw new Refusal('report_not_deletable')
  await actAsAdmin(deps, adminId, report.user_id, async (tx, announce, note, users) => {
    // Runs before the report is locked: the deletion of an account locks the two in the same order.
    await deleteThing(deps, tx, announce, report, report.user_id && users.get(report.user_id))
    const now = deps.now()
    const handling = { outcome: 'deleted', adminId, now, eraseAt: handledUntil(now) } as const
    if (!(await queries.updateDeleted(tx, report, handling))) throw new Refusal('report_handled')
    await note('delete_reported', { userId: report.user_id, reportId })
  })
}

async function getReport({ pool }: FilesDeps, adminId: UserId, reportId: ReportId): Promise<queries.StoredReport> {
  await assertAdmin(pool, adminId)
  const report = await queries.findReport(pool, reportId)
  if (!report) throw new Refusal('report_not_found')
  return report
}

/** Deletes the reported thing. Keeps a picture that has replaced the reported one. */
async function deleteThing(
  deps: FilesDeps,
  tx: Tx,
  announce: Announce,
  { subject, subject_id, picture_hash }: queries.StoredReport,
  owner: LockedUser | null,
): Promise<void> {
  const now = deps.now()
  switch (subject) {
    case 'ping':
      // The pings of a deleted account are deleted.
      if (owner) await removePing(tx, announce, pingChats, pingOf(owner, subject_id as PingId), now)
      return
    case 'message':
      return eraseMessage(tx, announce, subject_id as MessageId, now)
    case 'profile_image': {
      const owner = { userId: subject_id as UserId }
      if (!(await queries.isSamePicture(tx, owner, picture_hash))) return
      await setHasImage(deps, tx, announce, owner.userId, false)
      return eraseImage(tx, owner)
    }
    case 'pin_image': {
      const owner = { pingId: subject_id as PingId }
      if (!(await queries.isSamePicture(tx, owner, picture_hash))) return
      await setPingHasImage(tx, announce, owner.pingId, false, now)
      return eraseImage(tx, owner)
    }
    default:
      throw new Refusal('report_not_deletable')
  }
}
