import { createHash } from 'node:crypto'
import type { PingId } from '@hither/contract/ids.ts'
import type { LastMessage } from '@hither/contract/messages/messages.ts'
import type { PushAction, PushPayload } from '@hither/contract/notifications.ts'
import type { Guest, PingRow, ResponseType } from '@hither/contract/pings.ts'
import type { SecurityEventKind } from '@hither/contract/runtime/auth/security-events.ts'
import { guestLimits } from '@hither/contract/runtime/guests.ts'
import { shownSender } from '@hither/contract/runtime/messages/messages.ts'
import { quickPinNames } from '@hither/contract/runtime/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { ReactionNotice } from '../../messages/reactions/reactions.service.ts'
import { changePauseMs } from '../../pings/changes/notices.rules.ts'
import type { PingNotice } from '../../pings/changes/notices.service.ts'
import type { TakenBack } from '../../pings/place/place.rules.ts'
import { type Backoff, backoffMs } from '../../platform/async/backoff.ts'
import type { Translate } from '../../platform/languages/translator.ts'
import type { TripNotice } from '../../trips/trips.service.ts'
import { securitySentence } from '../security-sentences.ts'
import type { PushDelivery, PushKind } from './pushes.queries.ts'

const minuteMs = 60_000

/** How long a push of each kind may be sent. */
export const lifetimeMs: Readonly<Record<PushKind, number>> = {
  new_ping: 240 * minuteMs,
  ping_activated: 240 * minuteMs,
  ping_changed: 240 * minuteMs,
  ping_reminder: 15 * minuteMs,
  ping_response: 240 * minuteMs,
  ping_trip: 60 * minuteMs,
  message: 24 * 60 * minuteMs,
  message_reaction: 24 * 60 * minuteMs,
  friend_request: 72 * 60 * minuteMs,
  security: 72 * 60 * minuteMs,
  test: 5 * minuteMs,
}

/**
 * The delay of message pushes: a user who has the conversation open has read the message by then, and several messages
 * in a row become one push.
 */
export const messageGraceMs = 3000

/** Returns the delay of a push that another one joined while it was being sent. */
export function rejoinDelayMs({ kind, responder_id }: Pick<PushDelivery, 'kind' | 'responder_id'>): number {
  if (kind === 'ping_changed') return changePauseMs
  return kind === 'ping_response' && responder_id === null ? guestLimits.pushPauseMs : messageGraceMs
}

const retry: Backoff = { firstMs: 15_000, maxMs: 30 * minuteMs }

/** `retryAfterMs` is the shortest delay that the push service accepts. */
export function retryDelayMs(attempts: number, retryAfterMs: number): number {
  return Math.max(retryAfterMs, backoffMs(attempts, retry))
}

const normalKinds: readonly PushKind[] = ['friend_request', 'ping_response', 'message_reaction']

/** Urgent pushes wake a sleeping device. */
export function urgencyOf(kind: PushKind): 'normal' | 'high' {
  return normalKinds.includes(kind) ? 'normal' : 'high'
}

/** The topic by which the push service replaces an older push. A hash, so that it reveals nothing else. */
export function topicOf({ subscription_id, tag }: Pick<PushDelivery, 'subscription_id' | 'tag'>): string {
  return createHash('sha256').update(`${subscription_id} ${tag}`).digest('base64url').slice(0, 32)
}

/** The content of a notification without kind, tag and time. Hidden details leave out body and actions. */
export type NotificationContent = Omit<PushPayload, 'kind' | 'tag' | 'timestamp'>

/** Removes names and texts, which others could read on the lock screen. */
export function hideDetails(
  kind: PushKind,
  content: NotificationContent,
  t: Translate,
  title: string = hiddenTitle(kind, t),
): NotificationContent {
  return { ...content, title, body: '', actions: [] }
}

function hiddenTitle(kind: PushKind, t: Translate): string {
  switch (kind) {
    case 'new_ping':
    case 'ping_activated':
      return t('pushes.hidden.new_ping')
    case 'ping_changed':
      return t('pushes.hidden.ping_changed')
    case 'ping_reminder':
      return t('pushes.hidden.ping_reminder')
    case 'ping_response':
      return t('pushes.hidden.ping_response')
    case 'ping_trip':
      return t('pushes.hidden.ping_trip')
    case 'message':
      return t('pushes.hidden.message')
    case 'message_reaction':
      return t('pushes.hidden.message_reaction')
    case 'friend_request':
      return t('pushes.hidden.friend_request')
    case 'security':
      return t('pushes.security')
    case 'test':
      return t('pushes.test')
  }
}

/** The notification of an invitee about a new ping. */
export function newPingContent(ping: PingRow, t: Translate): NotificationContent {
  const name = shownName(ping)
  const title = ping.status === 'pending' ? t('pushes.scheduled', { name }) : t('pushes.dropped', { name })
  return { ...pingContent(ping, t), revision: ping.revision, title, actions: answers(t) }
}

/** The notification of the owner or an invitee about the activation of a ping. */
export function activationContent(ping: PingRow, isOwner: boolean, t: Translate): NotificationContent {
  if (isOwner) return { ...pingContent(ping, t, ping.name), title: t('pushes.ownActive'), actions: [] }
  const title = t('pushes.active', { name: shownName(ping) })
  return { ...pingContent(ping, t), revision: ping.revision, title, actions: answers(t) }
}

// Contains neither location nor address, which others could read on the lock screen.
function pingContent(ping: PingRow, t: Translate, name = nameForOthers(ping, t)) {
  const body = excerptOf(ping.message === null ? name : t('pushes.named', { name, text: ping.message }))
  return { body, url: `/pins/${ping.id}`, ping_id: ping.id }
}

/** Others read "ann's pin" in place of the default name. */
function nameForOthers(ping: Pick<PingRow, 'name' | 'username' | 'display_name'>, t: Translate): string {
  return quickPinNames.includes(ping.name) ? t('pushes.pinOf', { name: shownName(ping) }) : ping.name
}

function answers(t: Translate): readonly PushAction[] {
  return [
    { action: 'accepted', title: t('pushes.going') },
    { action: 'tentative', title: t('pushes.maybe') },
    { action: 'declined', title: t('pushes.cannot') },
  ]
}

export function responseContent(ping: PingRow, name: string, type: ResponseType, t: Translate): NotificationContent {
  const titles = {
    accepted: t('pushes.isGoing', { name }),
    tentative: t('pushes.mayCome', { name }),
    declined: t('pushes.cannotCome', { name }),
  }
  return { ...linkTo(ping), title: titles[type], body: ping.name, actions: [] }
}

/** The notification of the owner about somebody who is on the way or has arrived. */
export function tripContent(ping: PingRow, trip: TripNotice, now: Date, t: Translate): NotificationContent {
  const name = shownName(trip)
  if (trip.state === 'arrived')
    return { ...linkTo(ping), title: t('pushes.isHere', { name }), body: ping.name, actions: [] }
  const minutes = Math.max(1, Math.ceil((Date.parse(trip.arrives_at) - now.getTime()) / minuteMs))
  const body = t('pushes.arrivesIn', { pin: ping.name, duration: durationText(minutes, t) })
  return { ...linkTo(ping), title: t('pushes.onTheWay', { name }), body, actions: [] }
}

/** For example "12 min", "1 h" or "1 h 5 min". */
function durationText(minutes: number, t: Translate): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const parts = [
    ...(hours > 0 ? [t('pushes.hours', { count: hours })] : []),
    ...(rest > 0 || hours === 0 ? [t('pushes.minutes', { count: rest })] : []),
  ]
  return parts.join(' ')
}

/** The notification of the owner about an answer of one guest. */
export function guestContent(ping: PingRow, { name, state, response_type }: Guest, t: Translate): NotificationContent {
  const titles = {
    accepted: t('pushes.guestIsGoing', { name }),
    tentative: t('pushes.guestMayCome', { name }),
    declined: t('pushes.guestCannotCome', { name }),
  }
  const title = state === 'approved' ? titles[response_type] : t('pushes.wantsToJoin', { name })
  return { ...linkTo(ping), title, body: ping.name, actions: [] }
}

/** The notification of the owner about somebody who was given the exact place by an answer and has taken it back. */
export function takenBackContent(ping: PingRow, { user_id, name }: TakenBack, t: Translate): NotificationContent {
  const title = user_id === null ? t('pushes.guestTookBack', { name }) : t('pushes.tookBack', { name })
  return { ...linkTo(ping), title, body: ping.name, actions: [] }
}

/** The notification of the owner about answers of several guests. */
export function guestsContent(ping: PingRow, count: number, t: Translate): NotificationContent {
  return { ...linkTo(ping), title: t('pushes.guestResponses', { count }), body: ping.name, actions: [] }
}

/** `name` is the name of a group. */
export function messageContent(message: LastMessage, name: string | null, t: Translate): NotificationContent {
  const { conversation_id } = message
  const sender = shownSender(message)
  const content = shownContent(message, t)
  const said = name === null ? content : t('pushes.named', { name: sender, text: content })
  return {
    title: name ?? sender,
    body: excerptOf(said),
    url: `/chat/${conversation_id}`,
    conversation_id,
    actions: [],
  }
}

/** The text of a message. What stands for an attachment without caption is in the language of the receiver. */
function shownContent({ content, kind, shows }: LastMessage, t: Translate): string {
  if (shows !== 'kind') return content
  return kind === 'photo' ? t('chat.photo.content') : t('chat.place.content')
}

/** The notification of the author of a message about a reaction. */
export function reactionContent({ message, emoji, ...person }: ReactionNotice, t: Translate): NotificationContent {
  const { conversation_id } = message
  return {
    title: t('pushes.reacted', { name: shownName(person), emoji }),
    body: excerptOf(shownContent(message, t)),
    url: `/chat/${conversation_id}`,
    conversation_id,
    actions: [],
  }
}

export function requestContent(name: string, t: Translate): NotificationContent {
  return { title: name, body: t('pushes.wantsToBeFriend'), url: '/friends?tab=received', actions: [] }
}

/** The notification about a change to how the account can be entered. */
export function securityContent(change: SecurityEventKind, t: Translate): NotificationContent {
  return { title: t('pushes.security'), body: securitySentence(change, t), url: '/profile', actions: [] }
}

/** The notification of a person whose response is outdated. Null if the response is not. */
export function changeContent(ping: PingNotice, t: Translate): NotificationContent | null {
  const revision = ping.response?.revision ?? Number.POSITIVE_INFINITY
  const [hasNewTime, hasNewPlace] = [revision < ping.time_revision, revision < ping.place_revision]
  if (!hasNewTime && !hasNewPlace) return null
  const body = hasNewTime && hasNewPlace ? t('pushes.newBoth') : hasNewTime ? t('pushes.newTime') : t('pushes.newPlace')
  const title = t('pushes.changed', { name: shownName(ping), pin: nameForOthers(ping, t) })
  const seen = { revision: Math.max(ping.place_revision, ping.time_revision) }
  return { ...linkTo(ping), ...seen, title, body, actions: answers(t) }
}

/** The notification of a person who is going or maybe about a canceled ping. */
export function cancellationContent(ping: PingNotice, t: Translate): NotificationContent {
  const title = t('pushes.canceled', { name: shownName(ping), pin: nameForOthers(ping, t) })
  return { ...linkTo(ping), title, body: ping.cancel_message ?? '', actions: [] }
}

/** The notification about the start of a ping in this time. `counts` are those of the owner's ping. */
export function reminderContent(ping: PingNotice, leftMs: number, t: Translate): NotificationContent {
  const { counts } = ping
  const minutes = Math.max(1, Math.round(leftMs / minuteMs))
  const name = counts ? ping.name : nameForOthers(ping, t)
  const body = counts
    ? t('pushes.counts', { going: counts.accepted, maybe: counts.tentative })
    : t('pushes.by', { name: shownName(ping) })
  return { ...linkTo(ping), title: t('pushes.startsIn', { name, minutes }), body, actions: [] }
}

function linkTo(ping: { id: PingId }) {
  return { url: `/pins/${ping.id}`, ping_id: ping.id }
}

/** The notification of the creator of a friend link about a new friend. */
export function linkFriendContent(name: string, t: Translate): NotificationContent {
  return { title: name, body: t('pushes.linkFriend'), url: '/friends', actions: [] }
}

export function testContent(t: Translate): NotificationContent {
  return { title: t('pushes.test'), body: t('pushes.testText'), url: '/profile', actions: [] }
}

const excerptMax = 200

/** Shortens a text, measured in code points. The result fits the 4 kB that every push service accepts. */
function excerptOf(text: string): string {
  const points = [...text]
  return points.length <= excerptMax ? text : `${points.slice(0, excerptMax - 1).join('')}…`
}
