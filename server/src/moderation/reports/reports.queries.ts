import type { PingId, ReportId, UserId } from '@hither/contract/ids.ts'
import type { Report, ReportOutcome, ReportReason, ReportReceipt, ReportSubject } from '@hither/contract/reports.ts'
import type { ImageCopy } from '../../files/copies.service.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { sql, statement } from '../../platform/db/statements.ts'
import { hasBlocked } from '../../relations/relations.visibility.ts'

/** Finds a user whom the viewer may report: one they may see or have blocked. */
export async function findPerson(
  db: Db,
  viewerId: UserId,
  userId: UserId,
): Promise<{ id: UserId; username: string; display_name: string | null; is_seen: boolean } | undefined> {
  const [row] = await person<{ id: UserId; username: string; display_name: string | null; is_seen: boolean }>(db, {
    viewerId,
    userId,
  })
  return row
}

const viewer = sql`${'viewerId'}`

const person = statement`
  select id, username, display_name, not (blocks_viewer or is_blocked) as is_seen
  from (
    select u.id, u.username, u.display_name, ${hasBlocked<'viewerId'>(sql`u.id`, viewer)} as blocks_viewer,
      ${hasBlocked<'viewerId'>(viewer, sql`u.id`)} as is_blocked
    from users u where u.id = ${'userId'}
  ) person
  where is_blocked or not blocks_viewer`

/** The reported thing in its current state. */
export interface ReportedContent {
  user_id: UserId | null
  username: string
  display_name: string | null
  name: string | null
  content: string | null
  address: string | null
  latitude: number | null
  longitude: number | null
  made_at: string | null
}

interface NewReportRow extends ReportedContent {
  id: ReportId
  reporterId: UserId
  subject: ReportSubject
  subjectId: string
  reason: ReportReason
  text: string | null
  picture: ImageCopy | null
  now: Date
  eraseAt: Date
}

export async function findOpenReport(
  db: Db,
  reporterId: UserId,
  subject: ReportSubject,
  subjectId: string,
): Promise<ReportReceipt | undefined> {
  const [row] = await db<ReportReceipt[]>`
    select id, created_at from reports
    where reporter_id = ${reporterId} and subject = ${subject} and subject_id = ${subjectId} and outcome = 'open'`
  return row
}

/** Inserts a report. Returns undefined if this user has an open report of the same thing. */
export async function insertReport(tx: Tx, report: NewReportRow): Promise<ReportReceipt | undefined> {
  const { picture } = report
  const [row] = await tx<ReportReceipt[]>`
    insert into reports (
      id, reporter_id, subject, subject_id, reason, text, created_at, user_id, username, display_name, name, content,
      address, latitude, longitude, made_at, picture_storage_key, picture_hash, picture_bytes, erase_at
    ) values (
      ${report.id}, ${report.reporterId}, ${report.subject}, ${report.subjectId}, ${report.reason}, ${report.text},
      ${report.now}, ${report.user_id}, ${report.username}, ${report.display_name}, ${report.name},
      ${report.content}, ${report.address}, ${report.latitude}, ${report.longitude}, ${report.made_at}, ${picture?.storage_key ?? null},
      ${picture?.hash ?? null}, ${picture?.bytes ?? null}, ${report.eraseAt})
    on conflict (reporter_id, subject, subject_id) where outcome = 'open' do nothing
    returning id, created_at`
  return row
}

/** Lists reports, newest first. Returned before it runs, so that a test can ask the database for its plan. */
export function listReports(
  db: Db,
  page: { state: 'open' | 'handled'; before: ReportId | null; limit: number; now: Date },
) {
  return db<Report[]>`
    select r.id, r.subject, r.reason, r.text, r.created_at, o.username as reporter_username, r.user_id, r.username,
      r.display_name, r.name, r.content, r.address, r.latitude, r.longitude, r.made_at, r.picture_hash is not null as has_picture,
      s.user_id is not null as is_suspended, r.outcome, r.handled_at, h.username as handled_by_username
    from reports r
    left join users o on o.id = r.reporter_id
    left join users h on h.id = r.handled_by
    left join suspensions s on s.user_id = r.user_id
      and (s.suspended_until is null or s.suspended_until > ${page.now})
    where ${page.state === 'open' ? db`r.outcome = 'open'` : db`r.outcome <> 'open'`}
      ${page.before === null ? db`` : db`and r.id < ${page.before}`}
    order by r.id desc limit ${page.limit}`
}

/** The fields of a report that handling it needs. */
export interface StoredReport {
  id: ReportId
  subject: ReportSubject
  subject_id: string
  user_id: UserId | null
  outcome: ReportOutcome
  picture_hash: string | null
}

export async function findReport(db: Db, id: ReportId): Promise<StoredReport | undefined> {
  const [row] = await db<StoredReport[]>`
    select id, subject, subject_id, user_id, outcome, picture_hash from reports where id = ${id}`
  return row
}

export async function findPicture(db: Db, id: ReportId): Promise<ImageCopy | undefined> {
  const [row] = await db<ImageCopy[]>`
    select picture_storage_key as storage_key, picture_hash as hash, picture_bytes as bytes
    from reports where id = ${id} and picture_storage_key is not null`
  return row
}

interface Handling {
  outcome: Exclude<ReportOutcome, 'open'>
  adminId: UserId
  now: Date
  eraseAt: Date
}

/** Marks an open report as handled and returns whether it was open. Of two concurrent admins, one handles it. */
export async function updateHandled(tx: Tx, id: ReportId, handling: Handling): Promise<boolean> {
  const { count } = await tx`
    update reports set outcome = ${handling.outcome}, handled_by = ${handling.adminId}, handled_at = ${handling.now},
      erase_at = ${handling.eraseAt}
    where id = ${id} and outcome = 'open'`
  return count > 0
}

/** Adds the deletion of the thing to a report that was dismissed or whose owner was suspended. */
export async function updateDeleted(tx: Tx, report: StoredReport, handling: Handling): Promise<boolean> {
  const { count } = await tx`
    update reports set outcome = 'deleted', handled_by = ${handling.adminId}, handled_at = ${handling.now},
      erase_at = ${handling.eraseAt}
    where (id = ${report.id} and outcome <> 'deleted')
      or (outcome = 'open' and subject = ${report.subject} and subject_id = ${report.subject_id}
        and (subject not in ('profile_image', 'pin_image') or picture_hash = ${report.picture_hash}))`
  return count > 0
}

/** Returns whether the owner's picture is still the reported one. */
export async function isSamePicture(
  tx: Tx,
  owner: { userId: UserId } | { pingId: PingId },
  hash: string | null,
): Promise<boolean> {
  const rows = await tx`
    select 1 from images
    where ${'userId' in owner ? tx`user_id = ${owner.userId}` : tx`ping_id = ${owner.pingId}`} and hash = ${hash}`
  return rows.length > 0
}
