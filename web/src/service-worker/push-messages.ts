import type { PingId } from '@hither/contract/ids.ts'
import type { ResponseType } from '@hither/contract/pings.ts'

/** Messages of the service worker to a page, with a port for the reply. */
export type PushMessage =
  /** The page accepts the message if the user is looking at this path. */
  | { readonly type: 'look'; readonly path: string }
  | { readonly type: 'open'; readonly path: string }
  | {
      readonly type: 'answer'
      readonly ping_id: PingId
      readonly response_type: ResponseType
      /** The revision of the ping that the notification described; null if it named none. */
      readonly revision: number | null
    }
  /** The browser has renewed the subscription, and the server does not know the new one. */
  | { readonly type: 'renewed' }

/** The reply of a page: it accepts the message, and later the result of a response to a ping. */
export type PushReply =
  | { readonly type: 'taken' }
  /** `failure` is null on success, or if the page has already shown the error. */
  | { readonly type: 'done'; readonly failure: string | null }

export function isPushMessage(data: unknown): data is PushMessage {
  return (
    typeof data === 'object' &&
    data !== null &&
    'type' in data &&
    ['look', 'open', 'answer', 'renewed'].includes(String(data.type))
  )
}
