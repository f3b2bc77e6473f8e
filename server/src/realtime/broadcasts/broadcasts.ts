import { randomUUID } from 'node:crypto'
import type { UserId } from '@hither/contract/ids.ts'
import { typingEvent } from '@hither/contract/runtime/messages/messages.ts'
import type { Bus, BusMessage } from '../../events/bus.ts'
import { type Broadcast, encodeFrame, isObject, type Vsn } from '../protocol/protocol.ts'
import { encodeWebSocketFrame } from '../protocol/websocket-frame.ts'
import { conversationOf } from './conversation-topics.ts'

/** The payload of a typing event needs nothing: who types is known from their token. */
export const typingBytesMax = 200

export const tooManyBroadcasts = 'Busy: too many broadcasts'

/** A channel that receives broadcasts. */
export interface Listener {
  /** Unique among the channels of this node. */
  readonly number: number
  readonly topic: string
  readonly wantsSelf: boolean
  readonly vsn: Vsn
  mayReceive(): boolean
  sendBroadcast(frame: Buffer): void
}

/** The typing events of the members of a conversation. They are delivered to connected clients and never stored. */
export interface Broadcasts {
  add(listener: Listener): void
  remove(listener: Listener): void
  /** `sender` is the sending channel, or `null` for a broadcast over HTTP. */
  publish(topic: string, userId: UserId, sender: Listener | null): void
  deliver(message: Extract<BusMessage, { kind: 'typing' }>): void
}

export function createBroadcasts(bus: Bus): Broadcasts {
  const listenersOf = new Map<string, Set<Listener>>()
  /** Distinguishes the channels of this node from those of others. */
  const node = `${randomUUID()}:`
  return {
    add(listener) {
      const listeners = listenersOf.get(listener.topic)
      if (listeners) listeners.add(listener)
      else listenersOf.set(listener.topic, new Set([listener]))
    },
    remove(listener) {
      const listeners = listenersOf.get(listener.topic)
      listeners?.delete(listener)
      if (listeners?.size === 0) listenersOf.delete(listener.topic)
    },
    publish(topic, userId, sender) {
      void bus.publish({ kind: 'typing', topic, userId, sender: sender && node + sender.number })
    },
    deliver({ topic, userId, sender }) {
      const listeners = listenersOf.get(topic)
      if (!listeners) return
      const payload = { type: 'broadcast', event: typingEvent, payload: { user_id: userId } }
      const own = sender?.startsWith(node) ? Number(sender.slice(node.length)) : null
      const frames = new Map<Vsn, Buffer>()
      for (const listener of [...listeners]) {
        const { vsn } = listener
        if ((listener.number === own && !listener.wantsSelf) || !listener.mayReceive()) continue
        const frame =
          frames.get(vsn) ??
          encodeWebSocketFrame(encodeFrame(vsn, { joinRef: null, ref: null, topic, event: 'broadcast', payload }))
        frames.set(vsn, frame)
        listener.sendBroadcast(frame)
      }
    },
  }
}

/** Returns why this user may not send the broadcast, as a member of the topic's conversation; `null` if they may. */
export function broadcastRefusal({ topic, event, isJson, body }: Broadcast, userId: UserId): string | null {
  if (conversationOf(topic) === null) return 'You may not broadcast here'
  if (event !== typingEvent) return `Only "${typingEvent}" may be broadcast here`
  if (body.length > typingBytesMax) return 'payload_size_exceeded'
  const payload = isJson ? parse(body) : undefined
  if (payload === undefined) return 'The payload is not JSON'
  // A client that names another user gets an error, although its event would be sent in its own name.
  if (isObject(payload) && payload.user_id !== undefined && payload.user_id !== userId)
    return 'You may broadcast for yourself only'
  return null
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}
