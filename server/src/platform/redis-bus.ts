import { randomUUID } from 'node:crypto'
import { type UserId } from '@hither/contract/ids.ts'
import { type FastifyBaseLogger } from 'fastify'
import { type Bus, type BusMessage, type Change, createLocalBus } from './bus.ts'
import { type RedisPair, redisPrefix } from './redis.ts'

const everyone = `${redisPrefix}all`
const channelOf = (userId: UserId) => `${redisPrefix}user:${userId}`

/** What travels: who sent it, so that nobody hears themselves, and what for. */
interface Envelope {
  readonly from: string
  readonly message: BusMessage
}

/**
 * The bus of several nodes. Here a message is heard at once, as on one node alone; elsewhere a change reaches the nodes that
 * watch somebody of its audience, on a channel of that person's, and everything else reaches every node.
 * A node that lost its connection has missed what nobody can give it again: it hears `gap`, and its listeners ask anew.
 */
export async function createRedisBus(
  { commands, subscriber }: RedisPair,
  log: FastifyBaseLogger,
  onListenerError: (error: unknown) => void,
): Promise<Bus> {
  const self = randomUUID()
  const local = createLocalBus(onListenerError)
  const watchers = new Map<UserId, { count: number; ready: Promise<void> }>()

  subscriber.on('messageBuffer', (channelName: Buffer, data: Buffer) => {
    const envelope = JSON.parse(data.toString()) as Envelope
    if (envelope.from === self) return
    const channel = channelName.toString()
    if (channel === everyone) return void local.publish(envelope.message)
    const userId = channel.slice(channelOf('' as UserId).length) as UserId
    // Whoever stopped watching a moment ago has nobody left to tell.
    if (envelope.message.kind === 'changes' && watchers.has(userId))
      void local.publish({ kind: 'changes', changes: envelope.message.changes.map((change) => forOne(change, userId)) })
  })
  let hasBeenReady = true
  subscriber.on('close', () => {
    hasBeenReady = false
  })
  subscriber.on('ready', () => {
    if (hasBeenReady) return
    hasBeenReady = true
    subscribeAgain().catch((error: unknown) => log.error({ err: error }, 'Redis was not listened to again'))
  })
  await subscriber.subscribe(everyone)

  async function subscribeAgain(): Promise<void> {
    await subscriber.subscribe(everyone, ...[...watchers.keys()].map(channelOf))
    void local.publish({ kind: 'gap' })
  }

  async function send(message: BusMessage): Promise<void> {
    const pipeline = commands.pipeline()
    if (message.kind !== 'changes') pipeline.publish(everyone, envelopeOf(message))
    else {
      for (const [userId, changes] of byPerson(message.changes))
        pipeline.publish(channelOf(userId), envelopeOf({ kind: 'changes', changes }))
    }
    const results = await pipeline.exec()
    const failure = results?.find(([error]) => error)?.[0]
    if (failure) throw failure
  }

  function envelopeOf(message: BusMessage): string {
    return JSON.stringify({ from: self, message } satisfies Envelope)
  }

  return {
    async publish(message) {
      await local.publish(message)
      // It has been committed: whoever asked is not told that it failed. The others hear of it when they next ask.
      await send(message).catch((error: unknown) => log.error({ err: error }, 'other nodes were not told'))
    },
    subscribe: local.subscribe,
    async watch(userId) {
      const known = watchers.get(userId)
      if (known) known.count++
      else {
        const ready = subscriber.subscribe(channelOf(userId)).then(
          () => undefined,
          // Without a connection there is nothing to hear; once there is one again this person is asked for with the others.
          () => undefined,
        )
        watchers.set(userId, { count: 1, ready })
      }
      await watchers.get(userId)?.ready
    },
    unwatch(userId) {
      const known = watchers.get(userId)
      if (!known) return
      known.count--
      if (known.count > 0) return
      watchers.delete(userId)
      subscriber.unsubscribe(channelOf(userId)).catch(() => undefined)
    },
  }
}

/** The audience stays here: each hears what is theirs, and nobody who else. */
function byPerson(changes: readonly Change[]): Map<UserId, Change[]> {
  const people = new Map<UserId, Change[]>()
  for (const change of changes) {
    for (const userId of new Set(change.audience)) {
      const theirs = people.get(userId)
      const shown = { ...change, audience: [] }
      if (theirs) theirs.push(shown)
      else people.set(userId, [shown])
    }
  }
  return people
}

function forOne(change: Change, userId: UserId): Change {
  return { ...change, audience: [userId] }
}
