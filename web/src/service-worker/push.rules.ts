import { type PingId } from '@hither/contract/ids.ts'
import { type PushAction } from '@hither/contract/notifications.ts'
import { type ResponseType } from '@hither/contract/pings.ts'
import { pathOf } from '../notifications/push-paths.ts'

/** What a notification carries, for its click and for taking it away. */
export interface NotificationData {
  readonly kind: string
  readonly path: string
  readonly ping_id: string | null
  readonly conversation_id: string | null
  /** When what it tells of happened, by the server's clock, in milliseconds since 1970. */
  readonly at: number
}

/** The types of TypeScript know less than the browsers. */
export interface ShownOptions extends NotificationOptions {
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

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const answers: readonly string[] = ['accepted', 'tentative', 'declined'] satisfies ResponseType[]
const titleMax = 120
const bodyMax = 400

/** What is shown where a push says nothing that can be read: browsers ask for something to be shown. */
const unknown = { title: 'Hither', body: 'There is something new for you.', tag: 'hither' } as const

/** Of the payload of a push, which may be of a younger server, an older one, or nothing at all. */
export function notificationOf(payload: unknown, nowMs: number, actionsMax: number): Shown {
  const said = (typeof payload === 'object' && payload !== null ? payload : {}) as Record<string, unknown>
  const kind = textOf(said['kind'], 40)
  const title = textOf(said['title'], titleMax)
  const tag = textOf(said['tag'], 200) || (title === '' ? unknown.tag : `${kind} ${title}`)
  const at = timeOf(said['timestamp']) ?? nowMs
  const ping_id = idOf(said['ping_id'])
  return {
    title: title || unknown.title,
    options: {
      body: title === '' ? unknown.body : textOf(said['body'], bodyMax),
      tag,
      // Who changes their mind about coming does not ring every time.
      renotify: kind !== 'ping_response',
      icon: '/icons/icon-192.png',
      badge: '/icons/badge-96.png',
      timestamp: Math.min(at, nowMs),
      actions: ping_id === null ? [] : fitting(actionsOf(said['actions']), actionsMax),
      data: {
        kind,
        path: pathOf(said['url']),
        ping_id,
        conversation_id: idOf(said['conversation_id']),
        at,
      },
    },
  }
}

/** An answer that was given from a notification and is not to be lost without a word. */
export function answerFailed(pingId: PingId, reason: string, nowMs: number): Shown {
  const url = `/pins/${pingId}`
  const said = { kind: 'answer_failed', title: 'Your answer was not sent', body: reason, tag: `failed:${pingId}`, url }
  return notificationOf({ ...said, ping_id: pingId }, nowMs, 0)
}

/** Of a notification that is shown; one that an older version has shown may lack anything. */
export function dataOf(data: unknown): NotificationData {
  const held = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>
  return {
    kind: textOf(held['kind'], 40),
    path: pathOf(held['path']),
    ping_id: idOf(held['ping_id']),
    conversation_id: idOf(held['conversation_id']),
    at: timeOf(held['at']) ?? 0,
  }
}

export function isAnswer(action: string): action is ResponseType {
  return answers.includes(action)
}

/** Safari alone withdraws the permission where a push shows nothing, whatever is on screen. */
export function mustShow(userAgent: string): boolean {
  return /AppleWebKit/.test(userAgent) && !/Chrom(e|ium)/.test(userAgent)
}

/** The first and the last are the plain ones. */
function fitting(actions: PushAction[], max: number): PushAction[] {
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
  return typeof value === 'string' && uuid.test(value) ? value : null
}

function timeOf(value: unknown): number | null {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : null
}
