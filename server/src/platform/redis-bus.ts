import { randomUUID } from 'node:crypto'
import { type UserId } from '@hither/contract/ids.ts'
import { type FastifyBaseLogger } from 'fastify'
import { type Bus, createLocalBus, type VolatileEvent } from './bus.ts'
import { type OutboxPeers } from './events/outbox.ts'
import { type RedisPair } from './redis.ts'

/** How often the connection that listens is asked whether it still works: one that died silently would never be missed. */
const checkMs = 2000

/** What travels to every node: `from` lets the sender skip its own. */
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
 * The bus of several nodes. Presence goes through one channel for each person, to which a node subscribes while they are
 * connected there; every other event is delivered on this node at once, and on the others through one channel for all.
 * Everything here may be lost: what may not goes through the outbox, whose readers are woken from here.
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
  /** The newest id that other nodes have not been woken for yet; one message at a time carries it. */
  let idToWake = 0
  let isWaking = false

  subscriber.on('message', (channel: string, text: string) => {
    if (channel === outbox) for (const listener of wakeListeners) listener(Number(text))
    else if (channel === everyone) {
      const { from, event } = JSON.parse(text) as Envelope
      if (from !== self) local.deliver(event)
    } else {
      const userId = channel.slice(personal.length) as UserId
      // The last client of this person may have left a moment ago.
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
    // The other nodes look at presence again once Redis is back.
    if (!results || results.some(([error]) => error)) local.deliver(event)
  }

  async function wakeOthers(): Promise<void> {
    isWaking = true
    while (idToWake > 0) {
      const id = idToWake
      idToWake = 0
      // Without Redis they look by themselves.
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
        // Without a connection there is nothing to receive; `subscribeAgain` includes this person.
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
