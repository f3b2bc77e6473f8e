import type { GuestId, MessageId, PingId, ReportId, UserId } from '@hither/contract/ids.ts'
import type { NewReport, ReportReceipt } from '@hither/contract/reports.ts'
import { moderationLimits } from '@hither/contract/runtime/moderation.ts'
import { cleanText } from '@hither/contract/runtime/texts.ts'
import { type CopiesDeps, copyImage } from '../../files/copies.service.ts'
import type { ImageOwner } from '../../files/files.service.ts'
import { findSeenMessage } from '../../messages/messages.service.ts'
import { findReportedGuest } from '../../pings/guests/guest-owner.service.ts'
import { findVisible } from '../../pings/pings.service.ts'
import { retryConflicts } from '../../platform/db/conflicts.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/ids.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { lockUser } from '../../users/user-locks.ts'
import * as queries from './reports.queries.ts'

type ReportsDeps = CopiesDeps

interface Found extends queries.ReportedContent {
  readonly pictureOf: ImageOwner | null
}

const dayMs = 86_400_000
const nothing = { name: null, content: null, address: null, latitude: null, longitude: null, made_at: null }

/**
 * Stores the reported thing as the caller sees it at this moment, with its picture. A thing that the caller does not
 * see is refused as if it did not exist. While the first report is open, a repetition changes nothing and returns the
 * first.
 */
export async function createReport(
  deps: ReportsDeps,
  callerId: UserId,
  input: NewReport,
): Promise<{ receipt: ReportReceipt; isNew: boolean }> {
  const { pool, now } = deps
  const { subject, subject_id: subjectId, reason } = input
  const text = cleanText(input.text ?? '').trim() || null
  // The reporter and the reported user may be deleted meanwhile.
  return retryConflicts(async () => {
    const { pictureOf, ...thing } = await findThing(pool, callerId, input, now())
    if (thing.user_id === callerId) throw new Refusal('own_report')
    const open = await queries.findOpenReport(pool, callerId, subject, subjectId)
    if (open) return { receipt: open, isNew: false }
    const eraseAt = new Date(now().getTime() + moderationLimits.openDays * dayMs)
    const receipt = await copyImage(deps, pictureOf, async (tx, picture) => {
      if (!(await lockUser(tx, callerId))) throw new Refusal('authentication_required')
      if (picture === null && subject.endsWith('_image')) throw new Refusal('image_not_found')
      const id = newId<ReportId>()
      const row = { ...thing, id, reporterId: callerId, subject, subjectId, reason, text, picture, now: now(), eraseAt }
      return queries.insertReport(tx, row)
    })
    if (receipt) return { receipt, isNew: true }
    const faster = await queries.findOpenReport(pool, callerId, subject, subjectId)
    if (!faster) throw new Error('The report is not there')
    return { receipt: faster, isNew: false }
  })
}

/** Handles a report. Joins the transaction of an admin action. The report must be about the user `userId`. */
export async function handleReport(
  tx: Tx,
  id: ReportId,
  handling: { outcome: 'dismissed' | 'suspended'; adminId: UserId; userId: UserId | null; now: Date },
): Promise<void> {
  const report = await queries.findReport(tx, id)
  const isTheirs = handling.userId === null || report?.user_id === handling.userId.toLowerCase()
  if (!report || !isTheirs) throw new Refusal('report_not_found')
  const isHandled = await queries.updateHandled(tx, id, { ...handling, eraseAt: handledUntil(handling.now) })
  // After the deletion of the thing, its owner may still be suspended.
  if (!isHandled && handling.outcome === 'dismissed') throw new Refusal('report_handled')
}

export function handledUntil(now: Date): Date {
  return new Date(now.getTime() + moderationLimits.handledDays * dayMs)
}

async function findThing(db: Db, callerId: UserId, { subject, subject_id }: NewReport, now: Date): Promise<Found> {
  switch (subject) {
    case 'user':
    case 'profile_image':
      return findPerson(db, callerId, subject_id as UserId, subject === 'profile_image')
    case 'ping':
    case 'pin_image':
      return findPing(db, callerId, subject_id as PingId, subject === 'pin_image', now)
    case 'message':
      return findMessage(db, callerId, subject_id as MessageId, now)
    case 'guest':
      return findGuest(db, callerId, subject_id as GuestId)
  }
}

/** A user whom the caller has blocked can be reported, but their picture is not visible to the caller. */
async function findPerson(db: Db, callerId: UserId, userId: UserId, isPicture: boolean): Promise<Found> {
  const person = await queries.findPerson(db, callerId, userId)
  if (!person || (isPicture && !person.is_seen)) throw new Refusal(isPicture ? 'image_not_found' : 'user_not_found')
  const pictureOf = person.is_seen ? { userId: person.id } : null
  return { ...nothing, user_id: person.id, username: person.username, display_name: person.display_name, pictureOf }
}

/** A report of a picture does not store the location of its ping, which was not reported. */
async function findPing(db: Db, callerId: UserId, pingId: PingId, isPicture: boolean, now: Date): Promise<Found> {
  const ping = await findVisible(db, callerId, pingId, now)
  if (!ping || (isPicture && !ping.has_image)) throw new Refusal(isPicture ? 'image_not_found' : 'ping_not_found')
  const pictureOf = ping.has_image ? { pingId: ping.id } : null
  const { user_id, username, display_name, name, created_at: made_at } = ping
  const shown = { user_id, username, display_name, name, made_at, pictureOf }
  if (isPicture) return { ...nothing, ...shown }
  const { message: content, address, latitude, longitude } = ping
  return { ...shown, content, address, latitude, longitude }
}

async function findMessage(db: Db, callerId: UserId, messageId: MessageId, now: Date): Promise<Found> {
  const message = await findSeenMessage(db, callerId, messageId, now)
  if (!message) throw new Refusal('message_not_found')
  const { sender_id: user_id, sender_username: username, sender_display_name: display_name } = message
  const { content, created_at: made_at, attachment } = message
  const shown = { ...nothing, user_id, username, display_name, content, made_at, pictureOf: null }
  if (attachment?.type === 'photo') return { ...shown, pictureOf: { messageId: message.id } }
  if (attachment?.type !== 'place') return shown
  const { name, address, latitude, longitude } = attachment
  return { ...shown, name, address, latitude, longitude }
}

async function findGuest(db: Db, callerId: UserId, guestId: GuestId): Promise<Found> {
  const { guest, ping_name: name } = await findReportedGuest(db, callerId, guestId)
  const { user_id, name: username, response_type: content, created_at: made_at } = guest
  return { ...nothing, user_id, username, display_name: null, name, content, made_at, pictureOf: null }
}
