import { type ConversationId, type FriendRequestId, type PingId, type UserId } from '@hither/contract/ids.ts'
import { type Announce } from '../platform/changes.ts'
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

export function tellOfResponse(
  db: Db,
  announce: Announce,
  { pingId, responderId }: { pingId: PingId; responderId: UserId },
  ownerId: UserId,
  now: Date,
) {
  const tag = `answer:${pingId}:${responderId}`
  return tell(db, announce, [ownerId], { kind: 'ping_response', tag, pingId, responderId }, now)
}

/** `sentAt` is the time of the message: whatever was sent before has been told, or need not be. */
export function tellOfMessage(
  db: Db,
  announce: Announce,
  { chatId, sentAt }: { chatId: ConversationId; sentAt: string },
  otherIds: readonly UserId[],
  now: Date,
) {
  const subject = { kind: 'message', tag: `chat:${chatId}`, chatId } as const
  return tell(db, announce, otherIds, subject, now, { happenedAt: sentAt, delayMs: messageGraceMs })
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
  if ((await queries.insertForDevice(db, subscriptionId, { kind: 'test', tag: 'test' }, times)) > 0)
    announce.pushesWaiting()
}

async function tell(
  db: Db,
  announce: Announce,
  userIds: readonly UserId[],
  subject: queries.Subject,
  now: Date,
  { happenedAt = now, delayMs = 0 }: { happenedAt?: Date | string; delayMs?: number } = {},
): Promise<void> {
  if (userIds.length === 0) return
  const dueAt = new Date(now.getTime() + delayMs)
  const expiresAt = new Date(now.getTime() + lifetimeMs[subject.kind])
  const times = { happenedAt, dueAt, expiresAt }
  if ((await queries.insertForPeople(db, userIds, subject, times)) > 0) announce.pushesWaiting()
}
