import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { PushPayload } from '@hither/contract/notifications.ts'
import type { LanguageTag } from '@hither/contract/runtime/locales.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import { findLinkFriend } from '../../friends/friendships.service.ts'
import { findWaitingRequest } from '../../friends/requests.service.ts'
import { findLatestUnread } from '../../messages/messages.service.ts'
import { findReactionNotice } from '../../messages/reactions/reactions.service.ts'
import { findNotice, noteChangePushed, type PingNotice } from '../../pings/changes/notices.service.ts'
import { listAnswered } from '../../pings/guests/guest-owner.service.ts'
import { findVisible } from '../../pings/pings.service.ts'
import { findTakenBack, listTakenBackByGuests } from '../../pings/place/place.service.ts'
import { findResponse } from '../../pings/responses/responses.service.ts'
import type { Pool, Tx } from '../../platform/db/database.ts'
import { firstLanguage, type Translate, translatorOf } from '../../platform/languages/translator.ts'
import { findTripNotice } from '../../trips/trips.service.ts'
import { findPreferences, isMuted } from '../preferences.queries.ts'
import { isQuiet } from '../preferences.rules.ts'
import type { PushDelivery } from './pushes.queries.ts'
import * as rules from './pushes.rules.ts'

export interface Composed {
  readonly payload: PushPayload
  /** When the push is outdated. */
  readonly endsAt: Date
  /** Events from this time on are not in this push. */
  readonly nextAt: Date
  /** Stores that the push was sent. */
  readonly whenSent?: (tx: Tx) => Promise<void>
}

interface ComposeDeps {
  pool: Pool
  now: () => Date
  defaultLanguage: LanguageTag
}

interface ContentDeps {
  pool: Pool
  now: () => Date
  t: Translate
}

/**
 * The content of a push and when it is outdated; `at` is the time of its newest event if the queued push may stand for several,
 * and `hiddenTitle` replaces the title of its kind if details are hidden.
 */
type CurrentContent = {
  readonly content: rules.NotificationContent
  readonly endsAt?: string
  readonly at?: string
  readonly hiddenTitle?: string
  readonly whenSent?: (tx: Tx) => Promise<void>
} | null

/**
 * Composes a push when it is sent: checks that the user still wants it and may still see its subject, and reads the
 * current content. Each kind uses the visibility rule of its feature. The language is that of the receiver.
 */
export async function composePush(deps: ComposeDeps, delivery: PushDelivery): Promise<Composed | null> {
  const { kind, tag, user_id, expires_at, happened_at } = delivery
  const preferences = await findPreferences(deps.pool, user_id)
  const isAlways = kind === 'test' || kind === 'security'
  if (!isAlways && (!preferences.kinds[kind] || isQuiet(preferences.quiet_hours, deps.now()))) return null
  const { t } = translatorOf(firstLanguage(delivery.user_locale, delivery.session_locale, deps.defaultLanguage))
  const current = await findContent({ ...deps, t }, delivery)
  if (!current) return null
  const content = preferences.hide_details
    ? rules.hideDetails(kind, current.content, t, current.hiddenTitle)
    : current.content
  const endsAt = new Date(Math.min(Date.parse(expires_at), Date.parse(current.endsAt ?? expires_at)))
  const payload = { kind, tag, timestamp: Date.parse(current.at ?? happened_at), ...content }
  // The time of this node could be later than that of an event that is committed after the read.
  const nextAt = current.at === undefined ? deps.now() : new Date(Date.parse(current.at) + 1)
  return { payload, endsAt, nextAt, ...(current.whenSent && { whenSent: current.whenSent }) }
}

async function findContent(deps: ContentDeps, delivery: PushDelivery): Promise<CurrentContent> {
  const { kind, user_id, ping_id, responder_id } = delivery
  switch (kind) {
    case 'new_ping':
    case 'ping_activated':
      return ping_id && findPingContent(deps, user_id, ping_id, kind)
    case 'ping_changed':
      return ping_id && findChangeContent(deps, user_id, ping_id)
    case 'ping_reminder':
      return ping_id && findReminderContent(deps, user_id, ping_id)
    case 'ping_response':
      if (ping_id === null) return null
      return responder_id === null
        ? findGuestContent(deps, delivery, ping_id)
        : findResponseContent(deps, delivery, ping_id, responder_id)
    case 'ping_trip':
      return findTripContent(deps, delivery)
    case 'message':
      return findMessageContent(deps, delivery)
    case 'message_reaction':
      return findReactionContent(deps, delivery)
    case 'friend_request':
      return findFriendContent(deps, delivery)
    case 'security':
      return delivery.security_event && { content: rules.securityContent(delivery.security_event, deps.t) }
    case 'test':
      return { content: rules.testContent(deps.t) }
  }
}

async function findPingContent(
  { pool, now, t }: ContentDeps,
  userId: UserId,
  pingId: PingId,
  kind: 'new_ping' | 'ping_activated',
): Promise<CurrentContent> {
  const ping = await findVisible(pool, userId, pingId, now())
  if (!ping || ping.access === 'link' || ping.status === 'expired') return null
  const isOwner = ping.access === 'owner'
  if (kind === 'new_ping') return isOwner ? null : { content: rules.newPingContent(ping, t), endsAt: ping.expires_at }
  return ping.status === 'active'
    ? { content: rules.activationContent(ping, isOwner, t), endsAt: ping.expires_at }
    : null
}

/** What has changed since the person answered, or that the ping is canceled. */
async function findChangeContent(
  { pool, now, t }: ContentDeps,
  userId: UserId,
  pingId: PingId,
): Promise<CurrentContent> {
  const ping = await findNotice(pool, userId, pingId, now())
  if (!ping || !isComing(ping)) return null
  if (ping.canceled_at !== null)
    return { content: rules.cancellationContent(ping, t), hiddenTitle: t('pushes.hidden.ping_canceled') }
  const content = ping.status === 'expired' ? null : rules.changeContent(ping, t)
  const whenSent = (tx: Tx) => noteChangePushed(tx, pingId, userId, now())
  return content && { content, endsAt: ping.expires_at, whenSent }
}

/** Composes nothing if the ping was postponed since the reminder was queued. */
async function findReminderContent(
  { pool, now, t }: ContentDeps,
  userId: UserId,
  pingId: PingId,
): Promise<CurrentContent> {
  const ping = await findNotice(pool, userId, pingId, now())
  if (!ping?.activates_at || ping.status !== 'pending' || !(ping.user_id === userId || isComing(ping))) return null
  const leftMs = Date.parse(ping.activates_at) - now().getTime()
  if (leftMs > pingLimits.reminderMs + clockSkewMaxMs) return null
  return { content: rules.reminderContent(ping, leftMs, t), endsAt: ping.activates_at }
}

/** The clock of the node that queued a reminder may be ahead of that of the node that sends it. */
const clockSkewMaxMs = 60_000

function isComing({ response }: PingNotice): boolean {
  return response !== null && response.response_type !== 'declined'
}

async function findResponseContent(
  { pool, now, t }: ContentDeps,
  { user_id, happened_at }: PushDelivery,
  pingId: PingId,
  responderId: UserId,
): Promise<CurrentContent> {
  const ping = await findVisible(pool, user_id, pingId, now())
  if (ping?.access !== 'owner' || ping.status === 'expired') return null
  const answer = await findResponse(pool, pingId, responderId)
  if (answer)
    return { content: rules.responseContent(ping, shownName(answer), answer.response_type, t), endsAt: ping.expires_at }
  const takenBack = await findTakenBack(pool, pingId, happened_at, responderId)
  return takenBack ? { content: rules.takenBackContent(ping, takenBack, t), endsAt: ping.expires_at } : null
}

/** Composes nothing if the trip has ended, or has another state than the push reports. */
async function findTripContent(
  { pool, now, t }: ContentDeps,
  { user_id, ping_id, responder_id, trip_state }: PushDelivery,
): Promise<CurrentContent> {
  if (ping_id === null || responder_id === null) return null
  const ping = await findVisible(pool, user_id, ping_id, now())
  if (ping?.access !== 'owner' || ping.status === 'expired') return null
  const trip = await findTripNotice(pool, ping_id, responder_id, now())
  if (trip?.state !== trip_state) return null
  return { content: rules.tripContent(ping, trip, now(), t), endsAt: ping.expires_at }
}

/** The guests who have answered, or were given the exact place and took their answer back, since the event of the push, which several of them may share. */
async function findGuestContent(
  { pool, now, t }: ContentDeps,
  { user_id, happened_at }: PushDelivery,
  pingId: PingId,
): Promise<CurrentContent> {
  const ping = await findVisible(pool, user_id, pingId, now())
  if (ping?.access !== 'owner' || ping.status === 'expired') return null
  const guests = await listAnswered(pool, pingId, happened_at)
  const takenBack = await listTakenBackByGuests(pool, pingId, happened_at)
  const answers = [
    ...guests.map((guest) => ({ at: guest.updated_at, content: () => rules.guestContent(ping, guest, t) })),
    ...takenBack.map((person) => ({ at: person.at, content: () => rules.takenBackContent(ping, person, t) })),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const latest = answers.at(-1)
  if (!latest) return null
  const content = answers.length === 1 ? latest.content() : rules.guestsContent(ping, answers.length, t)
  return { content, endsAt: ping.expires_at, at: latest.at }
}

async function findFriendContent({ pool, t }: ContentDeps, delivery: PushDelivery): Promise<CurrentContent> {
  const { user_id, request_id, friendship_id } = delivery
  if (friendship_id !== null) {
    const friend = await findLinkFriend(pool, user_id, friendship_id)
    return friend
      ? { content: rules.linkFriendContent(shownName(friend), t), hiddenTitle: t('pushes.hidden.new_friend') }
      : null
  }
  const request = request_id && (await findWaitingRequest(pool, user_id, request_id))
  return request ? { content: rules.requestContent(request.from_display_name ?? request.from_username, t) } : null
}

async function findMessageContent({ pool, now, t }: ContentDeps, delivery: PushDelivery): Promise<CurrentContent> {
  const { user_id, chat_id, happened_at } = delivery
  if (!chat_id || (await isMuted(pool, user_id, chat_id, now()))) return null
  const current = await findLatestUnread(pool, user_id, chat_id, happened_at)
  return current
    ? { content: rules.messageContent(current.message, current.name, t), at: current.message.created_at }
    : null
}

async function findReactionContent({ pool, now, t }: ContentDeps, delivery: PushDelivery): Promise<CurrentContent> {
  const { user_id, chat_id, message_id, happened_at } = delivery
  if (!chat_id || !message_id || (await isMuted(pool, user_id, chat_id, now()))) return null
  const reaction = await findReactionNotice(pool, user_id, message_id, happened_at)
  return reaction ? { content: rules.reactionContent(reaction, t), at: reaction.created_at } : null
}
