import { type MessageId, type PingId, type ReportId, type UserId } from '@hither/contract/ids.ts'
import { moderationLimits, type Report } from '@hither/contract/moderation.ts'
import { eraseImage, openStored } from '../files/copies.service.ts'
import { type FilesDeps } from '../files/files.service.ts'
import { eraseMessage } from '../messages/messages.service.ts'
import { removePing, setPingHasImage } from '../pings/pings.service.ts'
import { type Announce } from '../platform/changes.ts'
import { type Content } from '../platform/content.ts'
import { type Db } from '../platform/database.ts'
import { Refusal } from '../platform/refusal.ts'
import { setHasImage } from '../users/users.service.ts'
import { actAsAdmin, assertAdmin } from './admins.service.ts'
import * as queries from './reports.queries.ts'
import { handledUntil, handleReport } from './reports.service.ts'

/** Newest first. */
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
  await actAsAdmin(deps, adminId, userId, async (db, _announce, note) => {
    await handleReport(db, reportId, { outcome: 'dismissed', adminId, userId, now: deps.now() })
    await note('dismiss_report', { userId, reportId })
  })
}

/** It vanishes for everyone who saw it, as if its owner had deleted it. Fine where they have already. */
export async function deleteReported(deps: FilesDeps, adminId: UserId, reportId: ReportId): Promise<void> {
  const report = await getReport(deps, adminId, reportId)
  if (report.subject === 'user') throw new Refusal('report_not_deletable')
  await actAsAdmin(deps, adminId, report.user_id, async (db, announce, note) => {
    // Before the report: whoever erases an account comes to the two in this order.
    await deleteThing(deps, db, announce, report)
    const now = deps.now()
    const handling = { outcome: 'deleted', adminId, now, eraseAt: handledUntil(now) } as const
    if (!(await queries.updateDeleted(db, report, handling))) throw new Refusal('report_handled')
    await note('delete_reported', { userId: report.user_id, reportId })
  })
}

async function getReport({ pool }: FilesDeps, adminId: UserId, reportId: ReportId): Promise<queries.HandledThing> {
  await assertAdmin(pool, adminId)
  const report = await queries.findReport(pool, reportId)
  if (!report) throw new Refusal('report_not_found')
  return report
}

/** Needs its owner held. A picture that has taken the place of the reported one stays. */
async function deleteThing(
  deps: FilesDeps,
  db: Db,
  announce: Announce,
  { subject, subject_id, picture_hash }: queries.HandledThing,
): Promise<void> {
  const now = deps.now()
  switch (subject) {
    case 'ping':
      return removePing(db, announce, subject_id as PingId, now)
    case 'message':
      return eraseMessage(db, announce, subject_id as MessageId, now)
    case 'profile_image': {
      const owner = { userId: subject_id as UserId }
      if (!(await queries.isSamePicture(db, owner, picture_hash))) return
      await setHasImage(deps, db, announce, owner.userId, false)
      return eraseImage(db, owner)
    }
    case 'pin_image': {
      const owner = { pingId: subject_id as PingId }
      if (!(await queries.isSamePicture(db, owner, picture_hash))) return
      await setPingHasImage(db, announce, owner.pingId, false, now)
      return eraseImage(db, owner)
    }
    default:
      throw new Refusal('report_not_deletable')
  }
}
