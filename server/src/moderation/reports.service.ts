import { type MessageId, type PingId, type ReportId, type UserId } from '@hither/contract/ids.ts'
import { moderationLimits, type NewReport, type ReportReceipt } from '@hither/contract/moderation.ts'
import { type CopiesDeps, copyImage } from '../files/copies.service.ts'
import { type ImageOwner } from '../files/files.service.ts'
import { findSeenMessage } from '../messages/messages.service.ts'
import { findVisible } from '../pings/pings.service.ts'
import { retryConflicts } from '../platform/conflicts.ts'
import { type Db } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { lockPeople } from './admins.queries.ts'
import * as queries from './reports.queries.ts'

export type ReportsDeps = CopiesDeps

interface Found extends queries.Thing {
  readonly pictureOf: ImageOwner | null
}

const dayMs = 86_400_000
const nothing = { name: null, content: null, address: null, latitude: null, longitude: null, made_at: null }

/**
 * Keeps what the caller sees as it is at this moment, the picture too. What they do not see is refused as if it were not
 * there. Again, while the first is open, changes nothing and is answered with that.
 */
export async function createReport(
  deps: ReportsDeps,
  callerId: UserId,
  input: NewReport,
): Promise<{ receipt: ReportReceipt; isNew: boolean }> {
  const { pool, now } = deps
  const { subject, subject_id: subjectId, reason } = input
  const text = input.text?.trim() || null
  // Who reports and who is reported may go meanwhile.
  return retryConflicts(async () => {
    const { pictureOf, ...thing } = await findThing(pool, callerId, input, now())
    if (thing.user_id === callerId) throw new Refusal('own_report')
    const open = await queries.findOpenReport(pool, callerId, subject, subjectId)
    if (open) return { receipt: open, isNew: false }
    const eraseAt = new Date(now().getTime() + moderationLimits.openDays * dayMs)
    const receipt = await copyImage(deps, pictureOf, async (db, picture) => {
      if ((await lockPeople(db, [callerId])).length === 0) throw new Refusal('authentication_required')
      if (picture === null && subject.endsWith('_image')) throw new Refusal('image_not_found')
      const id = newId<ReportId>()
      const row = { ...thing, id, reporterId: callerId, subject, subjectId, reason, text, picture, now: now(), eraseAt }
      return queries.insertReport(db, row)
    })
    if (receipt) return { receipt, isNew: true }
    const faster = await queries.findOpenReport(pool, callerId, subject, subjectId)
    if (!faster) throw new Error('The report is not there')
    return { receipt: faster, isNew: false }
  })
}

/** Joins the transaction of an admin. `userId`: whose report it has to be. */
export async function handleReport(
  db: Db,
  id: ReportId,
  handling: { outcome: 'dismissed' | 'suspended'; adminId: UserId; userId: UserId | null; now: Date },
): Promise<void> {
  const report = await queries.findReport(db, id)
  const isTheirs = handling.userId === null || report?.user_id === handling.userId.toLowerCase()
  if (!report || !isTheirs) throw new Refusal('report_not_found')
  const isHandled = await queries.updateHandled(db, id, { ...handling, eraseAt: handledUntil(handling.now) })
  // Whoever has deleted the thing may still suspend its owner.
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
      return findMessage(db, callerId, subject_id as MessageId)
  }
}

/** The picture of someone whom the caller has blocked is nothing that they see. */
async function findPerson(db: Db, callerId: UserId, userId: UserId, isPicture: boolean): Promise<Found> {
  const person = await queries.findPerson(db, callerId, userId)
  if (!person || (isPicture && !person.is_seen)) throw new Refusal(isPicture ? 'image_not_found' : 'user_not_found')
  const pictureOf = person.is_seen ? { userId: person.id } : null
  return { ...nothing, user_id: person.id, username: person.username, pictureOf }
}

/** Of a picture, the place of its ping is not kept: it is not what was reported. */
async function findPing(db: Db, callerId: UserId, pingId: PingId, isPicture: boolean, now: Date): Promise<Found> {
  const ping = await findVisible(db, callerId, pingId, now)
  if (!ping || (isPicture && !ping.has_image)) throw new Refusal(isPicture ? 'image_not_found' : 'ping_not_found')
  const pictureOf = ping.has_image ? { pingId: ping.id } : null
  const shown = { user_id: ping.user_id, username: ping.username, name: ping.name, made_at: ping.created_at, pictureOf }
  if (isPicture) return { ...nothing, ...shown }
  const { message: content, address, latitude, longitude } = ping
  return { ...shown, content, address, latitude, longitude }
}

async function findMessage(db: Db, callerId: UserId, messageId: MessageId): Promise<Found> {
  const message = await findSeenMessage(db, callerId, messageId)
  if (!message) throw new Refusal('message_not_found')
  const { sender_id: user_id, sender_username: username, content, created_at: made_at } = message
  return { ...nothing, user_id, username, content, made_at, pictureOf: null }
}
