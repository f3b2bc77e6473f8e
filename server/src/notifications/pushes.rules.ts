import { createHash } from 'node:crypto'
import { type Message } from '@hither/contract/messages.ts'
import { type PushAction, type PushPayload } from '@hither/contract/notifications.ts'
import { type PingRow, type ResponseType } from '@hither/contract/pings.ts'
import { type PushDelivery, type PushKind } from './pushes.queries.ts'

const minuteMs = 60_000

/** After that long it is no news any more. */
export const lifetimeMs: Readonly<Record<PushKind, number>> = {
  new_ping: 240 * minuteMs,
  ping_activated: 240 * minuteMs,
  ping_response: 240 * minuteMs,
  message: 24 * 60 * minuteMs,
  friend_request: 72 * 60 * minuteMs,
  test: 5 * minuteMs,
}

/** Whoever has the conversation open has read it by then; and what is written in one go is told in one. */
export const messageGraceMs = 3000

const retryMinMs = 15_000
const retryMaxMs = 30 * minuteMs

/** A quarter of a minute after the first failure, twice that after each further one, half an hour at most. */
export function retryDelayMs(attempts: number, retryAfterMs: number): number {
  return Math.max(retryAfterMs, Math.min(retryMinMs * 2 ** (attempts - 1), retryMaxMs))
}

/** What is for this minute wakes a device that sleeps. */
export function urgencyOf(kind: PushKind): 'normal' | 'high' {
  return kind === 'friend_request' || kind === 'ping_response' ? 'normal' : 'high'
}

/** Tells the push service which push takes whose place, and nothing else. */
export function topicOf({ subscription_id, tag }: Pick<PushDelivery, 'subscription_id' | 'tag'>): string {
  return createHash('sha256').update(`${subscription_id} ${tag}`).digest('base64url').slice(0, 32)
}

/** What is said besides kind, tag and time. Without body and actions where details are hidden. */
export type Told = Omit<PushPayload, 'kind' | 'tag' | 'timestamp'>

/** The same for whoever looks at the lock screen: neither names nor texts. */
export function hideDetails(kind: PushKind, told: Told): Told {
  return { ...told, title: hiddenTitles[kind], body: '', actions: [] }
}

const testTitle = 'Test notification'

const hiddenTitles: Readonly<Record<PushKind, string>> = {
  new_ping: 'New ping',
  ping_activated: 'New ping',
  ping_response: 'New answer to your ping',
  message: 'New message',
  friend_request: 'New friend request',
  test: testTitle,
}

/** To a guest. */
export function newPingTold(ping: PingRow): Told {
  const doing = ping.status === 'pending' ? 'scheduled a ping' : 'dropped a pin'
  return { ...pingTold(ping), title: `${ping.username} ${doing}`, actions: answers }
}

/** To its owner, and to a guest. */
export function activationTold(ping: PingRow, isOwner: boolean): Told {
  if (isOwner) return { ...pingTold(ping), title: 'Your ping is active', actions: [] }
  return { ...pingTold(ping), title: `${ping.username}'s ping is active`, actions: answers }
}

// Neither its place nor its address, which would tell the place on a lock screen.
function pingTold(ping: PingRow) {
  const body = excerptOf(ping.message === null ? ping.name : `${ping.name}: ${ping.message}`)
  return { body, url: `/pins/${ping.id}`, ping_id: ping.id }
}

const answers: readonly PushAction[] = [
  { action: 'accepted', title: 'Going' },
  { action: 'tentative', title: 'Maybe' },
  { action: 'declined', title: "Can't" },
]

export function responseTold(ping: PingRow, username: string, type: ResponseType): Told {
  const title = `${username} ${answerPhrases[type]}`
  return { title, body: ping.name, url: `/pins/${ping.id}`, ping_id: ping.id, actions: [] }
}

const answerPhrases: Readonly<Record<ResponseType, string>> = {
  accepted: 'is going',
  tentative: 'may come',
  declined: "can't make it",
}

/** `name` is that of a group. */
export function messageTold(message: Message, name: string | null): Told {
  const { conversation_id, sender_username, content } = message
  const said = name === null ? content : `${sender_username}: ${content}`
  return {
    title: name ?? sender_username,
    body: excerptOf(said),
    url: `/chat/${conversation_id}`,
    conversation_id,
    actions: [],
  }
}

export function requestTold(username: string): Told {
  return { title: username, body: 'Wants to be your friend', url: '/friends?tab=received', actions: [] }
}

export function testTold(): Told {
  return { title: testTitle, body: 'Notifications work on this device.', url: '/profile', actions: [] }
}

const excerptMax = 200

/** In code points. Every push service takes 4 kB, which is more than this can be. */
function excerptOf(text: string): string {
  const points = [...text]
  return points.length <= excerptMax ? text : `${points.slice(0, excerptMax - 1).join('')}…`
}
