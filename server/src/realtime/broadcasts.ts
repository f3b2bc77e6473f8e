import { type UserId } from '@hither/contract/ids.ts'
import { typingEvent } from '@hither/contract/messages.ts'
import { type Bus, type BusMessage } from '../platform/bus.ts'
import { conversationOf } from './conversations.ts'
import { type Broadcast, encodeBroadcast, isObject, type Vsn } from './protocol.ts'

export const broadcastBytesMax = 16 * 1024

/** Who hears broadcasts: a channel, as seen from here. */
export interface Listener {
  /** Names it among all channels of all nodes. */
  readonly id: string
  readonly topic: string
  readonly wantsSelf: boolean
  readonly vsn: Vsn
  mayReceive(): boolean
  sendBroadcast(data: string | Buffer): void
}

/** What is said between the clients of a topic: passed on to whoever is there, kept for nobody. */
export interface Broadcasts {
  add(listener: Listener): void
  remove(listener: Listener): void
  /** `sender` is the channel it came from, `null` where it came by HTTP. */
  publish(broadcast: Broadcast, sender: string | null): void
  hear(message: Extract<BusMessage, { kind: 'broadcast' }>): void
}

export function createBroadcasts(bus: Bus): Broadcasts {
  const listenersOf = new Map<string, Set<Listener>>()
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
      void bus.publish({ kind: 'broadcast', topic, event, isJson, body: text, sender })
    },
    hear({ topic, event, isJson, body: text, sender }) {
      const listeners = listenersOf.get(topic)
      if (!listeners) return
      const broadcast = { topic, event, isJson, body: Buffer.from(text, isJson ? 'utf8' : 'base64') }
      const frames = new Map<Vsn, string | Buffer | null>()
      for (const listener of [...listeners]) {
        if ((listener.id === sender && !listener.wantsSelf) || !listener.mayReceive()) continue
        if (!frames.has(listener.vsn)) frames.set(listener.vsn, encodeBroadcast(listener.vsn, broadcast))
        const frame = frames.get(listener.vsn)
        if (frame) listener.sendBroadcast(frame)
      }
    },
  }
}

/** Why this person may not say this, as a member of its topic's conversation; `null` where they may. */
export function objectionTo({ topic, event, isJson, body }: Broadcast, userId: UserId): string | null {
  if (conversationOf(topic) === null) return 'You may not broadcast here'
  if (event !== typingEvent) return `Only "${typingEvent}" may be broadcast here`
  if (body.length > broadcastBytesMax) return 'payload_size_exceeded'
  if (!isJson) return null
  const payload = parse(body)
  if (payload === undefined) return 'The payload is not JSON'
  // Nobody types in the name of another.
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
