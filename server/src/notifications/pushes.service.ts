import { type ConversationId, type FriendRequestId, type PingId, type UserId } from '@hither/contract/ids.ts'
import { type Announce, type Lastly } from '../platform/changes.ts'
import { type Db } from '../platform/database.ts'
import * as queries from './pushes.queries.ts'
import { lifetimeMs, messageGraceMs } from './pushes.rules.ts'

// Each joins the caller's transaction: what happened and that it is to be told are written together. The pushes go soon
// after the commit; who still may know of it, wants to, and what it says is decided as they go.

export function tellOfPing(db: Db, announce: Announce, pingId: PingId, guestIds: readonly UserId[], now: Date) {
  return tell(db, announce, guestIds, { kind: 'new_ping', tag: `ping:${pingId}`, pingId }, now)
}

/** To its owner too. */
export function tellOfActivation(db: Db, announce: Announce, pingId: PingId, userIds: readonly UserId[], now: Date) {
  return tell(db, announce, userIds, { kind: 'ping_activated', tag: `ping:${pingId}`, pingId }, now)
}

/** With the commit. */
export function tellOfResponse(
  { db, announce, lastly }: Ending,
  { pingId, responderId }: { pingId: PingId; responderId: UserId },
  ownerId: UserId,
  now: Date,
): void {
  const tag = `answer:${pingId}:${responderId}`
  const query = insert(db, [ownerId], { kind: 'ping_response', tag, pingId, responderId }, now)
  lastly(query, (count) => count > 0 && announce.pushesWaiting())
}

/** With the commit. `sentAt` is the time of the message: whatever was sent before has been told, or need not be. */
export function tellOfMessage(
  { db, announce, lastly }: Ending,
  { chatId, sentAt }: { chatId: ConversationId; sentAt: string },
  otherIds: readonly UserId[],
  now: Date,
): void {
  if (otherIds.length === 0) return
  const subject = { kind: 'message', tag: `chat:${chatId}`, chatId } as const
  const query = insert(db, otherIds, subject, now, { happenedAt: sentAt, delayMs: messageGraceMs })
  lastly(query, (count) => count > 0 && announce.pushesWaiting())
}

export function tellOfFriendRequest(
  db: Db,
  announce: Announce,
  requestId: FriendRequestId,
  askedId: UserId,
  now: Date,
) {
  return tell(db, announce, [askedId], { kind: 'friend_request', tag: `request:${requestId}`, requestId }, now)
}

/** One device of whoever asked for it. */
export async function tellOfTest(db: Db, announce: Announce, subscriptionId: string, now: Date): Promise<void> {
  const expiresAt = new Date(now.getTime() + lifetimeMs.test)
  const times = { happenedAt: now, dueAt: now, expiresAt }
  const { count } = await queries.insertForDevice(db, subscriptionId, { kind: 'test', tag: 'test' }, times)
  if (count > 0) announce.pushesWaiting()
}

/** A transaction, and what comes at its end. */
interface Ending {
  readonly db: Db
  readonly announce: Announce
  readonly lastly: Lastly
}

async function tell(
  db: Db,
  announce: Announce,
  userIds: readonly UserId[],
  subject: queries.Subject,
  now: Date,
): Promise<void> {
  if (userIds.length === 0) return
  const { count } = await insert(db, userIds, subject, now)
  if (count > 0) announce.pushesWaiting()
}

function insert(
  db: Db,
  userIds: readonly UserId[],
  subject: queries.Subject,
  now: Date,
  { happenedAt = now, delayMs = 0 }: { happenedAt?: Date | string; delayMs?: number } = {},
) {
  const dueAt = new Date(now.getTime() + delayMs)
  const expiresAt = new Date(now.getTime() + lifetimeMs[subject.kind])
  return queries.insertForPeople(db, userIds, subject, { happenedAt, dueAt, expiresAt })
}
