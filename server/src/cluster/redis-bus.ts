import { randomUUID } from 'node:crypto'
import type { UserId } from '@hither/contract/ids.ts'
import type { FastifyBaseLogger } from 'fastify'
import { type Bus, createLocalBus, type VolatileEvent } from '../events/bus.ts'
import type { OutboxPeers } from '../events/outbox.ts'
import type { RedisPair } from './redis.ts'

/**
 * How often the subscribing connection is checked: a connection that was lost silently would not be noticed otherwise.
 */
const checkMs = 2000

/** A message to every node. The sender uses `from` to ignore its own. */
interface Envelope {
  readonly from: string
  readonly event: VolatileEvent
}

type PresenceEvent = Extract<VolatileEvent, { kind: 'presence' }>

interface Watcher {
  count: number
  readonly ready: Promise<void>
}

/**
 * The bus of several nodes. Presence uses one channel for each user, to which a node subscribes while the user is
 * connected there. Every other event is delivered on this node at once, and on the others through one shared channel.
 * Every message may be lost: events that must not be lost go through the outbox, whose readers are woken from here.
 */
export async function createRedisBus(
  { commands, subscriber }: RedisPair,
  prefix: string,
  log: FastifyBaseLogger,
  onListenerError: (error: unknown) => void,
): Promise<{ readonly bus: Bus; readonly peers: OutboxPeers; close(): void }> {
  const self = randomUUID()
  const everyone = `${prefix}all`
  const outbox = `${prefix}outbox`
  const personal = `${prefix}user:`
  const local = createLocalBus(onListenerError)
  const watchers = new Map<UserId, Watcher>()
  const wakeListeners = new Set<(id: number | null) => void>()
  let hasLostConnection = false
  /** The newest id for which other nodes have not been woken yet; one message at a time carries it. */
  let idToWake = 0
  let isWaking = false

  subscriber.on('message', (channel: string, text: string) => {
    if (channel === outbox) for (const listener of wakeListeners) listener(Number(text))
    else if (channel === everyone) {
      const { from, event } = JSON.parse(text) as Envelope
      if (from !== self) local.deliver(event)
    } else {
      const userId = channel.slice(personal.length) as UserId
      // The last client of this user may have disconnected in the meantime.
      if (watchers.has(userId)) local.deliver({ ...(JSON.parse(text) as PresenceEvent), audience: [userId] })
    }
  })
  subscriber.on('close', () => {
    hasLostConnection = true
  })
  subscriber.on('ready', () => {
    if (!hasLostConnection) return
    hasLostConnection = false
    subscribeAgain().catch((error: unknown) => log.error({ err: error }, 'redis subscriptions were not restored'))
  })
  await subscriber.subscribe(everyone, outbox)
  const check = setInterval(() => {
    subscriber.ping().catch(ignore)
  }, checkMs)
  check.unref()

  async function subscribeAgain(): Promise<void> {
    await subscriber.subscribe(everyone, outbox, ...[...watchers.keys()].map((userId) => personal + userId))
    for (const listener of wakeListeners) listener(null)
    local.deliver({ kind: 'presence_gap' })
  }

  async function publishPresence(event: PresenceEvent): Promise<void> {
    const text = JSON.stringify({ ...event, audience: [] })
    const pipeline = commands.pipeline()
    for (const userId of new Set(event.audience)) pipeline.publish(personal + userId, text)
    const results = await pipeline.exec().catch(() => null)
    // The other nodes read presence again once Redis is available.
    if (!results || results.some(([error]) => error)) local.deliver(event)
  }

  async function wakeOthers(): Promise<void> {
    isWaking = true
    while (idToWake > 0) {
      const id = idToWake
      idToWake = 0
      // Without Redis the nodes poll the outbox.
      await commands.publish(outbox, String(id)).catch(ignore)
    }
    isWaking = false
  }

  return {
    bus: {
      async publish(event) {
        if (event.kind === 'presence') return publishPresence(event)
        local.deliver(event)
        await commands.publish(everyone, JSON.stringify({ from: self, event } satisfies Envelope)).catch(ignore)
      },
      deliver: local.deliver,
      subscribe: local.subscribe,
      async watch(userId) {
        const known = watchers.get(userId)
        if (known) known.count++
        // Without a connection there is nothing to receive; `subscribeAgain` includes this user.
        else watchers.set(userId, { count: 1, ready: subscriber.subscribe(personal + userId).then(ignore, ignore) })
        await watchers.get(userId)?.ready
      },
      unwatch(userId) {
        const known = watchers.get(userId)
        if (!known) return
        known.count--
        if (known.count > 0) return
        watchers.delete(userId)
        subscriber.unsubscribe(personal + userId).catch(ignore)
      },
    },
    peers: {
      wake(id) {
        idToWake = Math.max(idToWake, id)
        if (!isWaking) void wakeOthers()
      },
      onWake: (listener) => void wakeListeners.add(listener),
      isConnected: () => subscriber.status === 'ready' && !hasLostConnection,
    },
    close() {
      clearInterval(check)
    },
  }
}

function ignore(): void {}
