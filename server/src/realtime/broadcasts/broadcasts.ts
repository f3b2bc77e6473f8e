import { randomUUID } from 'node:crypto'
import type { UserId } from '@hither/contract/ids.ts'
import { typingEvent } from '@hither/contract/runtime/messages/messages.ts'
import type { Bus, BusMessage } from '../../platform/events/bus.ts'
import { type Broadcast, encodeBroadcast, isObject, type Vsn } from '../protocol/protocol.ts'
import { encodeWebSocketFrame } from '../protocol/websocket-frame.ts'
import { conversationOf } from './conversation-topics.ts'

export const broadcastBytesMax = 16 * 1024

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

/** Broadcasts between the clients of a topic. They are delivered to connected clients and never stored. */
export interface Broadcasts {
  add(listener: Listener): void
  remove(listener: Listener): void
  /** `sender` is the sending channel, or `null` for a broadcast over HTTP. */
  publish(broadcast: Broadcast, sender: Listener | null): void
  deliver(message: Extract<BusMessage, { kind: 'broadcast' }>): void
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
    publish({ topic, event, isJson, body }, sender) {
      const text = Buffer.from(body).toString(isJson ? 'utf8' : 'base64')
      const from = sender && node + sender.number
      void bus.publish({ kind: 'broadcast', topic, event, isJson, body: text, sender: from })
    },
    deliver({ topic, event, isJson, body: text, sender }) {
      const listeners = listenersOf.get(topic)
      if (!listeners) return
      const broadcast = { topic, event, isJson, body: Buffer.from(text, isJson ? 'utf8' : 'base64') }
      const own = sender?.startsWith(node) ? Number(sender.slice(node.length)) : null
      const frames = new Map<Vsn, Buffer | null>()
      for (const listener of [...listeners]) {
        if ((listener.number === own && !listener.wantsSelf) || !listener.mayReceive()) continue
        let frame = frames.get(listener.vsn)
        if (frame === undefined) {
          const message = encodeBroadcast(listener.vsn, broadcast)
          frame = message === null ? null : encodeWebSocketFrame(message)
          frames.set(listener.vsn, frame)
        }
        if (frame) listener.sendBroadcast(frame)
      }
    },
  }
}

/** Returns why this user may not send the broadcast, as a member of the topic's conversation; `null` if they may. */
export function broadcastRefusal({ topic, event, isJson, body }: Broadcast, userId: UserId): string | null {
  if (conversationOf(topic) === null) return 'You may not broadcast here'
  if (event !== typingEvent) return `Only "${typingEvent}" may be broadcast here`
  if (body.length > broadcastBytesMax) return 'payload_size_exceeded'
  if (!isJson) return null
  const payload = parse(body)
  if (payload === undefined) return 'The payload is not JSON'
  // A user must not send typing events in the name of another.
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
