import { type PingId } from '@hither/contract/ids.ts'
import { type ResponseType } from '@hither/contract/pings.ts'

/** What the service worker tells a page, with a port for the answer. */
export type PushMessage =
  /** Taken where somebody looks at that path, done where not. */
  | { readonly type: 'look'; readonly path: string }
  | { readonly type: 'open'; readonly path: string }
  | { readonly type: 'answer'; readonly ping_id: PingId; readonly response_type: ResponseType }
  /** The browser has renewed the subscription, which the server does not know yet. */
  | { readonly type: 'renewed' }

/** What the page answers: that it sees to it, then, of an answer to a ping, how that went. */
export type PushReply =
  | { readonly type: 'taken' }
  /** `failure` is null where it went well, or where the page has told of it. */
  | { readonly type: 'done'; readonly failure: string | null }

export function isPushMessage(data: unknown): data is PushMessage {
  return (
    typeof data === 'object' &&
    data !== null &&
    'type' in data &&
    ['look', 'open', 'answer', 'renewed'].includes(String(data.type))
  )
}
