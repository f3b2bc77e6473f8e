import { createHash } from 'node:crypto'
import type { PingId } from '@hither/contract/ids.ts'
import type { LastMessage } from '@hither/contract/messages.ts'
import type { PushAction, PushPayload } from '@hither/contract/notifications.ts'
import type { Guest, PingRow, ResponseType } from '@hither/contract/pings.ts'
import { shownSender } from '@hither/contract/runtime/messages.ts'
import { quickPin } from '@hither/contract/runtime/pings.ts'
import type { SecurityEventKind } from '@hither/contract/runtime/security-events.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { ReactionNotice } from '../../messages/reactions/reactions.service.ts'
import { changePauseMs } from '../../pings/changes/notices.rules.ts'
import type { PingNotice } from '../../pings/changes/notices.service.ts'
import { type Backoff, backoffMs } from '../../platform/async/backoff.ts'
import type { TripNotice } from '../../trips/trips.service.ts'
import { securitySentences } from '../security-sentences.ts'
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
export function rejoinDelayMs(kind: PushKind): number {
  return kind === 'ping_changed' ? changePauseMs : messageGraceMs
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
  title: string = hiddenTitles[kind],
): NotificationContent {
  return { ...content, title, body: '', actions: [] }
}

const testTitle = 'Test notification'
const securityTitle = 'Security alert'

const hiddenTitles: Readonly<Record<PushKind, string>> = {
  new_ping: 'New ping',
  ping_activated: 'New ping',
  ping_changed: 'A pin changed',
  ping_reminder: 'A pin starts soon',
  ping_response: 'New answer to your ping',
  ping_trip: 'Update on your pin',
  message: 'New message',
  message_reaction: 'New reaction',
  friend_request: 'New friend request',
  security: securityTitle,
  test: testTitle,
}

/** The notification of an invitee about a new ping. */
export function newPingContent(ping: PingRow): NotificationContent {
  const doing = ping.status === 'pending' ? 'scheduled a ping' : 'dropped a pin'
  return { ...pingContent(ping), revision: ping.revision, title: `${shownName(ping)} ${doing}`, actions: answers }
}

/** The notification of the owner or an invitee about the activation of a ping. */
export function activationContent(ping: PingRow, isOwner: boolean): NotificationContent {
  if (isOwner) return { ...pingContent(ping, ping.name), title: 'Your ping is active', actions: [] }
  const title = `${shownName(ping)}'s ping is active`
  return { ...pingContent(ping), revision: ping.revision, title, actions: answers }
}

// Contains neither location nor address, which others could read on the lock screen.
function pingContent(ping: PingRow, name = nameForOthers(ping)) {
  const body = excerptOf(ping.message === null ? name : `${name}: ${ping.message}`)
  return { body, url: `/pins/${ping.id}`, ping_id: ping.id }
}

/** Others read "ann's pin" in place of the default name. */
function nameForOthers(ping: Pick<PingRow, 'name' | 'username' | 'display_name'>): string {
  return ping.name === quickPin.name ? `${shownName(ping)}'s pin` : ping.name
}

const answers: readonly PushAction[] = [
  { action: 'accepted', title: 'Going' },
  { action: 'tentative', title: 'Maybe' },
  { action: 'declined', title: "Can't" },
]

export function responseContent(ping: PingRow, name: string, type: ResponseType): NotificationContent {
  const title = `${name} ${answerPhrases[type]}`
  return { title, body: ping.name, url: `/pins/${ping.id}`, ping_id: ping.id, actions: [] }
}

const answerPhrases: Readonly<Record<ResponseType, string>> = {
  accepted: 'is going',
  tentative: 'may come',
  declined: "can't make it",
}

/** The notification of the owner about somebody who is on the way or has arrived. */
export function tripContent(ping: PingRow, trip: TripNotice, now: Date): NotificationContent {
  const name = shownName(trip)
  if (trip.state === 'arrived') return { ...linkTo(ping), title: `${name} is here`, body: ping.name, actions: [] }
  const minutes = Math.max(1, Math.ceil((Date.parse(trip.arrives_at) - now.getTime()) / minuteMs))
  const body = `${ping.name}: about ${durationText(minutes)}`
  return { ...linkTo(ping), title: `${name} is on the way`, body, actions: [] }
}

/** For example "12 min", "1 h" or "1 h 5 min". */
function durationText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 || hours === 0 ? [`${rest} min`] : [])].join(' ')
}

/** The notification of the owner about an answer of one guest. */
export function guestContent(ping: PingRow, { name, state, response_type }: Guest): NotificationContent {
  if (state === 'approved') return responseContent(ping, `${name} (guest)`, response_type)
  return { ...responseContent(ping, name, response_type), title: `${name} wants to join` }
}

/** The notification of the owner about answers of several guests. */
export function guestsContent(ping: PingRow, count: number): NotificationContent {
  return {
    title: `${count} new guest responses`,
    body: ping.name,
    url: `/pins/${ping.id}`,
    ping_id: ping.id,
    actions: [],
  }
}

/** `name` is the name of a group. */
export function messageContent(message: LastMessage, name: string | null): NotificationContent {
  const { conversation_id, content } = message
  const sender = shownSender(message)
  const said = name === null ? content : `${sender}: ${content}`
  return {
    title: name ?? sender,
    body: excerptOf(said),
    url: `/chat/${conversation_id}`,
    conversation_id,
    actions: [],
  }
}

/** The notification of the author of a message about a reaction. */
export function reactionContent({ message, emoji, ...person }: ReactionNotice): NotificationContent {
  const { conversation_id, content } = message
  return {
    title: `${shownName(person)} reacted ${emoji}`,
    body: excerptOf(content),
    url: `/chat/${conversation_id}`,
    conversation_id,
    actions: [],
  }
}

export function requestContent(name: string): NotificationContent {
  return { title: name, body: 'Wants to be your friend', url: '/friends?tab=received', actions: [] }
}

/** The notification about a change to how the account can be entered. */
export function securityContent(change: SecurityEventKind): NotificationContent {
  return { title: securityTitle, body: securitySentences[change], url: '/profile', actions: [] }
}

export const newFriendTitle = 'New friend'

export const canceledTitle = 'A pin was canceled'

/** The notification of a person whose response is outdated. Null if the response is not. */
export function changeContent(ping: PingNotice): NotificationContent | null {
  const revision = ping.response?.revision ?? Number.POSITIVE_INFINITY
  const changed = changedParts[Number(revision < ping.time_revision) + 2 * Number(revision < ping.place_revision)]
  if (!changed) return null
  const title = `${shownName(ping)} changed ${nameForOthers(ping)}`
  const seen = { revision: Math.max(ping.place_revision, ping.time_revision) }
  return { ...linkTo(ping), ...seen, title, body: `New ${changed}. Still going?`, actions: answers }
}

const changedParts = [null, 'time', 'place', 'time and place'] as const

/** The notification of a person who is going or maybe about a canceled ping. */
export function cancellationContent(ping: PingNotice): NotificationContent {
  const title = `${shownName(ping)} canceled ${nameForOthers(ping)}`
  return { ...linkTo(ping), title, body: ping.cancel_message ?? '', actions: [] }
}

/** The notification about the start of a ping in this time. `counts` are those of the owner's ping. */
export function reminderContent(ping: PingNotice, leftMs: number): NotificationContent {
  const { counts } = ping
  const minutes = Math.max(1, Math.round(leftMs / minuteMs))
  const name = counts ? ping.name : nameForOthers(ping)
  const body = counts ? `${counts.accepted} going, ${counts.tentative} maybe` : `by ${shownName(ping)}`
  return { ...linkTo(ping), title: `${name} starts in ${minutes} min`, body, actions: [] }
}

function linkTo(ping: { id: PingId }) {
  return { url: `/pins/${ping.id}`, ping_id: ping.id }
}

/** The notification of the creator of a friend link about a new friend. */
export function linkFriendContent(name: string): NotificationContent {
  const body = "Added you with your friend link. You're now friends."
  return { title: name, body, url: '/friends', actions: [] }
}

export function testContent(): NotificationContent {
  return { title: testTitle, body: 'Notifications work on this device.', url: '/profile', actions: [] }
}

const excerptMax = 200

/** Shortens a text, measured in code points. The result fits the 4 kB that every push service accepts. */
function excerptOf(text: string): string {
  const points = [...text]
  return points.length <= excerptMax ? text : `${points.slice(0, excerptMax - 1).join('')}…`
}
