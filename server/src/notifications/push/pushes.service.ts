import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/ids.ts'
import type { Announce } from '../../platform/events/changes.ts'
import type { DomainEvent, EventTransaction } from '../../platform/events/domain-events.ts'
import type { QueueFigures } from '../../platform/ops/metrics.ts'
import * as queries from './pushes.queries.ts'
import { lifetimeMs, messageGraceMs } from './pushes.rules.ts'

/**
 * Subscribes to domain events: inserts the pushes of an event in its transaction, with the commit. They are sent soon
 * after the commit. Visibility, preferences and content are checked when a push is sent.
 */
export function queuePushes(event: DomainEvent, transaction: EventTransaction): void {
  if (event.kind === 'ping_changed') queueChangePushes(event, transaction)
  else if (event.kind === 'account_entry_changed') queueSecurityPushes(event, transaction)
  else queueEventPushes(event, transaction)
}

type OtherEvent = Exclude<DomainEvent, { kind: 'ping_changed' | 'account_entry_changed' }>

function queueEventPushes(event: OtherEvent, transaction: EventTransaction): void {
  const { tx, announce, withCommit } = transaction
  const { userIds, subject, happenedAt, delayMs } = pushOf(event)
  if (userIds.length === 0) return
  const times = {
    happenedAt,
    dueAt: new Date(event.at.getTime() + delayMs),
    expiresAt: new Date(event.at.getTime() + lifetimeMs[subject.kind]),
  }
  const insert = event.kind === 'ping_canceled' ? queries.insertAtOnce : queries.insertForPeople
  withCommit(insert(tx, userIds, subject, times), (count) => count > 0 && announce.pushesWaiting())
}

/** Each person is notified of changes at a time of their own. */
function queueChangePushes(
  { pingId, people, at }: Extract<DomainEvent, { kind: 'ping_changed' }>,
  { tx, announce, withCommit }: EventTransaction,
): void {
  if (people.length === 0) return
  const times = { happenedAt: at, expiresAt: new Date(at.getTime() + lifetimeMs.ping_changed) }
  withCommit(
    queries.insertForEach(tx, people, changeSubject(pingId), times),
    (count) => count > 0 && announce.pushesWaiting(),
  )
}

/**
 * Each change is a push of its own. It goes to all signed-in devices except the one that made it, and to those that the
 * change has signed out.
 */
function queueSecurityPushes(
  { userId, change, exceptSessionId, at }: Extract<DomainEvent, { kind: 'account_entry_changed' }>,
  { tx, announce, withCommit }: EventTransaction,
): void {
  const subject = { kind: 'security', tag: `security:${newId()}`, securityEvent: change } as const
  const times = { happenedAt: at, dueAt: at, expiresAt: new Date(at.getTime() + lifetimeMs.security) }
  withCommit(
    queries.insertForOthers(tx, { userId, exceptSessionId }, subject, times),
    (count) => count > 0 && announce.pushesWaiting(),
  )
}

/** A cancellation has the tag of a change, so that it replaces one that waits. */
function changeSubject(pingId: PingId): queries.Subject {
  return { kind: 'ping_changed', tag: `change:${pingId}`, pingId }
}

interface Push {
  readonly userIds: readonly UserId[]
  readonly subject: queries.Subject
  /** The time of the event. For a message: pushes for earlier messages were sent already or are not needed. */
  readonly happenedAt: Date | string
  readonly delayMs: number
}

function pushOf(event: OtherEvent): Push {
  const now = { happenedAt: event.at, delayMs: 0 }
  switch (event.kind) {
    case 'ping_created':
    case 'people_invited': {
      const { pingId, inviteeIds } = event
      return { ...now, userIds: inviteeIds, subject: { kind: 'new_ping', tag: `ping:${pingId}`, pingId } }
    }
    case 'ping_activated': {
      const { pingId, audience } = event
      return { ...now, userIds: audience, subject: { kind: 'ping_activated', tag: `ping:${pingId}`, pingId } }
    }
    case 'ping_canceled':
      return { ...now, userIds: event.userIds, subject: changeSubject(event.pingId) }
    case 'ping_starting': {
      const { pingId, userIds } = event
      return { ...now, userIds, subject: { kind: 'ping_reminder', tag: `reminder:${pingId}`, pingId } }
    }
    case 'ping_answered': {
      const { pingId, responderId, ownerId } = event
      const tag = `answer:${pingId}:${responderId}`
      return { ...now, userIds: [ownerId], subject: { kind: 'ping_response', tag, pingId, responderId } }
    }
    case 'trip_shared': {
      const { pingId, travelerId: responderId, ownerId, state: tripState } = event
      const tag = `trip:${pingId}:${responderId}`
      return { ...now, userIds: [ownerId], subject: { kind: 'ping_trip', tag, pingId, responderId, tripState } }
    }
    case 'guest_answered': {
      const { pingId, ownerId, dueAt, at } = event
      const subject = { kind: 'ping_response', tag: `guests:${pingId}`, pingId } as const
      return { userIds: [ownerId], subject, happenedAt: at, delayMs: dueAt.getTime() - at.getTime() }
    }
    case 'message_sent': {
      const { conversationId: chatId, recipientIds, sentAt } = event
      const subject = { kind: 'message', tag: `chat:${chatId}`, chatId } as const
      return { userIds: recipientIds, subject, happenedAt: sentAt, delayMs: messageGraceMs }
    }
    case 'message_reacted': {
      const { conversationId: chatId, messageId, authorId, at } = event
      const subject = { kind: 'message_reaction', tag: `reaction:${messageId}`, chatId, messageId } as const
      return { userIds: [authorId], subject, happenedAt: at, delayMs: messageGraceMs }
    }
    case 'friend_requested': {
      const { requestId, recipientId } = event
      return {
        ...now,
        userIds: [recipientId],
        subject: { kind: 'friend_request', tag: `request:${requestId}`, requestId },
      }
    }
    case 'friend_link_used': {
      const { friendshipId, creatorId } = event
      const subject = { kind: 'friend_request', tag: `friendship:${friendshipId}`, friendshipId } as const
      return { ...now, userIds: [creatorId], subject }
    }
  }
}

/** Queues a test push for one device. */
export async function queueTestPush(tx: Tx, announce: Announce, subscriptionId: string, now: Date): Promise<void> {
  const expiresAt = new Date(now.getTime() + lifetimeMs.test)
  const times = { happenedAt: now, dueAt: now, expiresAt }
  const { count } = await queries.insertForDevice(tx, subscriptionId, { kind: 'test', tag: 'test' }, times)
  if (count > 0) announce.pushesWaiting()
}

/** Returns the queue figures of pushes that are due and not sent, for the metrics. */
export function getWaitingPushes(db: Db, now: Date): Promise<QueueFigures> {
  return queries.getWaiting(db, now)
}
