import { type PingId, type ReportId, type UserId } from '@hither/contract/ids.ts'
import {
  type Report,
  type ReportOutcome,
  type ReportReason,
  type ReportReceipt,
  type ReportSubject,
} from '@hither/contract/moderation.ts'
import { type ImageCopy } from '../files/copies.service.ts'
import { type Db } from '../platform/database.ts'

/** A person whom the viewer may report: whom they may see, and also whom they have blocked themselves. */
export async function findPerson(
  db: Db,
  viewerId: UserId,
  userId: UserId,
): Promise<{ id: UserId; username: string; is_seen: boolean } | undefined> {
  const [row] = await db<{ id: UserId; username: string; is_seen: boolean }[]>`
    select id, username, not (blocks_viewer or is_blocked) as is_seen
    from (
      select u.id, u.username,
        exists (select 1 from blocks b where b.blocker_id = u.id and b.blocked_id = ${viewerId}) as blocks_viewer,
        exists (select 1 from blocks b where b.blocker_id = ${viewerId} and b.blocked_id = u.id) as is_blocked
      from users u where u.id = ${userId}
    ) person
    where is_blocked or not blocks_viewer`
  return row
}

/** What is reported, as it is at this moment. */
export interface Thing {
  user_id: UserId | null
  username: string
  name: string | null
  content: string | null
  address: string | null
  latitude: number | null
  longitude: number | null
  made_at: string | null
}

export interface NewReportRow extends Thing {
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

/** None where this person's report of it is open already. */
export async function insertReport(db: Db, report: NewReportRow): Promise<ReportReceipt | undefined> {
  const { picture } = report
  const [row] = await db<ReportReceipt[]>`
    insert into reports (
      id, reporter_id, subject, subject_id, reason, text, created_at, user_id, username, name, content, address,
      latitude, longitude, made_at, picture_storage_key, picture_hash, picture_bytes, erase_at
    ) values (
      ${report.id}, ${report.reporterId}, ${report.subject}, ${report.subjectId}, ${report.reason}, ${report.text},
      ${report.now}, ${report.user_id}, ${report.username}, ${report.name}, ${report.content}, ${report.address},
      ${report.latitude}, ${report.longitude}, ${report.made_at}, ${picture?.storage_key ?? null},
      ${picture?.hash ?? null}, ${picture?.bytes ?? null}, ${report.eraseAt})
    on conflict (reporter_id, subject, subject_id) where outcome = 'open' do nothing
    returning id, created_at`
  return row
}

/** Newest first. Returned before it runs, so that a test can ask the database how it would run. */
export function listReports(
  db: Db,
  page: { state: 'open' | 'handled'; before: ReportId | null; limit: number; now: Date },
) {
  return db<Report[]>`
    select r.id, r.subject, r.reason, r.text, r.created_at, o.username as reporter_username, r.user_id, r.username,
      r.name, r.content, r.address, r.latitude, r.longitude, r.made_at, r.picture_hash is not null as has_picture,
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

/** What handling a report needs of it. */
export interface HandledThing {
  id: ReportId
  subject: ReportSubject
  subject_id: string
  user_id: UserId | null
  outcome: ReportOutcome
  picture_hash: string | null
}

export async function findReport(db: Db, id: ReportId): Promise<HandledThing | undefined> {
  const [row] = await db<HandledThing[]>`
    select id, subject, subject_id, user_id, outcome, picture_hash from reports where id = ${id}`
  return row
}

export async function findPicture(db: Db, id: ReportId): Promise<ImageCopy | undefined> {
  const [row] = await db<ImageCopy[]>`
    select picture_storage_key as storage_key, picture_hash as hash, picture_bytes as bytes
    from reports where id = ${id} and picture_storage_key is not null`
  return row
}

export interface Handling {
  outcome: Exclude<ReportOutcome, 'open'>
  adminId: UserId
  now: Date
  eraseAt: Date
}

/** Only an open one; of two admins at once, one handles it. Whether it was. */
export async function updateHandled(db: Db, id: ReportId, handling: Handling): Promise<boolean> {
  const { count } = await db`
    update reports set outcome = ${handling.outcome}, handled_by = ${handling.adminId}, handled_at = ${handling.now},
      erase_at = ${handling.eraseAt}
    where id = ${id} and outcome = 'open'`
  return count > 0
}

/** One that was dismissed, or whose owner was suspended, may still be followed by the end of the thing itself. */
export async function updateDeleted(db: Db, report: HandledThing, handling: Handling): Promise<boolean> {
  const { count } = await db`
    update reports set outcome = 'deleted', handled_by = ${handling.adminId}, handled_at = ${handling.now},
      erase_at = ${handling.eraseAt}
    where (id = ${report.id} and outcome <> 'deleted')
      or (outcome = 'open' and subject = ${report.subject} and subject_id = ${report.subject_id}
        and (subject not in ('profile_image', 'pin_image') or picture_hash = ${report.picture_hash}))`
  return count > 0
}

/** Whether the owner's picture still is the one that was reported. */
export async function isSamePicture(
  db: Db,
  owner: { userId: UserId } | { pingId: PingId },
  hash: string | null,
): Promise<boolean> {
  const rows = await db`
    select 1 from images
    where ${'userId' in owner ? db`user_id = ${owner.userId}` : db`ping_id = ${owner.pingId}`} and hash = ${hash}`
  return rows.length > 0
}
