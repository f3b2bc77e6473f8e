import type { PingId } from '@hither/contract/ids.ts'
import type { PushAction } from '@hither/contract/notifications.ts'
import type { ResponseType } from '@hither/contract/pings.ts'
import { isUuid } from '@hither/contract/runtime/uuid.ts'
import { pathOf } from './push-paths.ts'

/** The data of a notification, for its click and its removal. */
export interface NotificationData {
  readonly kind: string
  readonly path: string
  readonly ping_id: string | null
  /** The revision of the ping that the notification describes, for a response. */
  readonly revision: number | null
  readonly conversation_id: string | null
  /** The time of the event by the server's clock, in Unix milliseconds. */
  readonly at: number
}

/** TypeScript's types lack options that browsers support. */
interface ShownOptions extends NotificationOptions {
  tag: string
  renotify: boolean
  timestamp: number
  actions: { action: string; title: string }[]
  data: NotificationData
}

export interface Shown {
  readonly title: string
  readonly options: ShownOptions
}

const answers: readonly string[] = ['accepted', 'tentative', 'declined'] satisfies ResponseType[]
const titleMax = 120
const bodyMax = 400

/** The texts that the service worker itself shows, which a page stores in its language. */
export interface PushTexts {
  /** Of a push that cannot be read, because browsers require every push to show a notification. */
  readonly unknown: string
  readonly responseFailed: string
}

/** Shown before a page has stored others. */
export const englishTexts: PushTexts = {
  unknown: 'There is something new for you.',
  responseFailed: "Your response wasn't sent",
}

const unknown = { title: 'Hither', tag: 'hither' } as const

/** Returns the notification for a push payload. The payload may be of a newer or older server, or empty. */
export function notificationOf(payload: unknown, nowMs: number, actionsMax: number, texts = englishTexts): Shown {
  const fields = (typeof payload === 'object' && payload !== null ? payload : {}) as Record<string, unknown>
  const kind = textOf(fields['kind'], 40)
  const title = textOf(fields['title'], titleMax)
  const tag = textOf(fields['tag'], 200) || (title === '' ? unknown.tag : `${kind} ${title}`)
  const at = timeOf(fields['timestamp']) ?? nowMs
  const ping_id = idOf(fields['ping_id'])
  return {
    title: title || unknown.title,
    options: {
      body: title === '' ? texts.unknown : textOf(fields['body'], bodyMax),
      tag,
      // A changed response replaces the former one without another sound.
      renotify: kind !== 'ping_response',
      icon: '/icons/icon-192.png',
      badge: '/icons/badge-96.png',
      timestamp: Math.min(at, nowMs),
      actions: ping_id === null ? [] : fitActions(actionsOf(fields['actions']), actionsMax),
      data: {
        kind,
        path: pathOf(fields['url']),
        ping_id,
        revision: countOf(fields['revision']),
        conversation_id: idOf(fields['conversation_id']),
        at,
      },
    },
  }
}

/** The notification for a response from a notification that could not be sent. */
export function responseFailed(pingId: PingId, reason: string, nowMs: number, texts = englishTexts): Shown {
  const url = `/pins/${pingId}`
  const notification = {
    kind: 'answer_failed',
    title: texts.responseFailed,
    body: reason,
    tag: `failed:${pingId}`,
    url,
  }
  return notificationOf({ ...notification, ping_id: pingId }, nowMs, 0)
}

/** Returns the data of a shown notification. A notification of an older version may lack any field. */
export function dataOf(data: unknown): NotificationData {
  const fields = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>
  return {
    kind: textOf(fields['kind'], 40),
    path: pathOf(fields['path']),
    ping_id: idOf(fields['ping_id']),
    revision: countOf(fields['revision']),
    conversation_id: idOf(fields['conversation_id']),
    at: timeOf(fields['at']) ?? 0,
  }
}

export function isAnswer(action: string): action is ResponseType {
  return answers.includes(action)
}

/** Safari is the only browser that revokes the permission if a push shows nothing, even while the app is open. */
export function mustShow(userAgent: string): boolean {
  return /AppleWebKit/.test(userAgent) && !/Chrom(e|ium)/.test(userAgent)
}

/** The first and the last action are the definite responses, going and can't. */
function fitActions(actions: PushAction[], max: number): PushAction[] {
  if (actions.length <= max) return actions
  return max < 2 ? actions.slice(0, max) : [...actions.slice(0, max - 1), ...actions.slice(-1)]
}

function actionsOf(actions: unknown): PushAction[] {
  if (!Array.isArray(actions)) return []
  return actions.flatMap((entry: unknown) => {
    const { action, title } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>
    const name = textOf(title, 40)
    return typeof action === 'string' && isAnswer(action) && name !== '' ? [{ action, title: name }] : []
  })
}

function textOf(value: unknown, max: number): string {
  return typeof value === 'string' ? value.slice(0, max) : ''
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' && isUuid(value) ? value : null
}

function countOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null
}

function timeOf(value: unknown): number | null {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : null
}
