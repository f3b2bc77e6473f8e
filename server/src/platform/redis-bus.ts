import { randomInt, randomUUID } from 'node:crypto'
import { type UserId } from '@hither/contract/ids.ts'
import { type FastifyBaseLogger } from 'fastify'
import { type Bus, type BusMessage, type Change, createListeners, stampAll } from './bus.ts'
import { type RedisPair, redisPrefix } from './redis.ts'
import { createRedisLog } from './redis-log.ts'
import { type SharedLog } from './shared-log.ts'
import { createStamp } from './stamps.ts'

const everyone = `${redisPrefix}all`
const channelOf = (userId: UserId) => `${redisPrefix}user:${userId}`

export const redisBusLimits = {
  /** Changes, and other messages, that wait for Redis to come back. Of more, the other nodes' clients are told to read anew. */
  unsentMax: 10_000,
  /** Changes that are known by name, lest each be read again for each of its audience. */
  recentMax: 512,
  /** How often the logs of those who are watched are kept from running out. */
  refreshMs: 60_000,
  /** How often Redis is asked whether it still speaks to us, and told what it was not. */
  checkMs: 2000,
} as const

/** Counts the nodes that ever joined, so that no two that live have the same number. */
const numberKey = `${redisPrefix}node-number`

/** What travels to everyone: who sent it, so that nobody hears themselves, and what for. */
interface Envelope {
  readonly from: string
  readonly message: BusMessage
}

type Personal = Extract<BusMessage, { kind: 'presence' }>

interface Watcher {
  count: number
  ready: Promise<void>
  /** Of the last change heard for this person. */
  position: string | null
}

/**
 * The bus of several nodes. What is for certain people goes through Redis even to listeners of this node: each person's
 * changes have one order, which is that of their log, so that a client may go on at any node from where it was at another.
 * Everything else is heard here at once, and elsewhere soon.
 * A node that lost its connection has missed what nobody can give it again: it hears `gap`, and its listeners ask anew. What
 * it had to say meanwhile is said when it is back.
 */
export async function createRedisBus(
  { commands, subscriber }: RedisPair,
  log: FastifyBaseLogger,
  onListenerError: (error: unknown) => void,
): Promise<{ readonly bus: Bus; readonly sharedLog: SharedLog; close(): void }> {
  const self = randomUUID()
  await commands.set(numberKey, randomInt(1000), 'NX')
  const stamp = createStamp((await commands.incr(numberKey)) % 1000)
  const listeners = createListeners(onListenerError)
  const redisLog = createRedisLog(commands)
  const watchers = new Map<UserId, Watcher>()
  /** By stamp, the oldest first. */
  const recent = new Map<string, Change>()
  let unsent: Change[] = []
  let hasDropped = false
  /** What others than this node's listeners were not told, and would never find out. */
  const unsaid: BusMessage[] = []
  let isSending = false
  /** Told here without Redis, so that they are passed over when they come by it. */
  const toldAlone = new Set<string>()

  subscriber.on('messageBuffer', (channelName: Buffer, data: Buffer) => {
    const channel = channelName.toString()
    if (channel === everyone) hearAll(JSON.parse(data.toString()) as Envelope)
    else hearOne(channel.slice(channelOf('' as UserId).length) as UserId, data)
  })
  let hasBeenReady = true
  subscriber.on('close', () => {
    hasBeenReady = false
  })
  subscriber.on('ready', () => {
    if (hasBeenReady) return
    hasBeenReady = true
    listenAgain().catch((error: unknown) => log.error({ err: error }, 'Redis was not listened to again'))
  })
  commands.on('ready', () => {
    sendUnsent()
    // It may have come back empty.
    refreshLogs()
  })
  await subscriber.subscribe(everyone)
  const refresh = setInterval(refreshLogs, redisBusLimits.refreshMs)
  refresh.unref()
  const check = setInterval(() => {
    // Without an answer the connection is given up; otherwise one that died without a word would never be missed.
    subscriber.ping().catch(ignore)
    // Redis may also have refused while there was a connection.
    sendUnsent()
  }, redisBusLimits.checkMs)
  check.unref()

  function hearAll({ from, message }: Envelope): void {
    if (from !== self) listeners.tell(message)
  }

  function hearOne(userId: UserId, data: Buffer): void {
    const watcher = watchers.get(userId)
    // Whoever stopped watching a moment ago has nobody left to tell.
    if (!watcher) return
    const personal = redisLog.read(data, (name) => recent.get(name))
    if (personal.kind === 'presence') {
      listeners.tell({ ...personal.message, audience: [userId] })
      return
    }
    const { change } = personal
    remember(change)
    watcher.position = change.committedAt
    if (!toldAlone.has(change.committedAt)) listeners.tell({ kind: 'changes', changes: [change], to: userId })
  }

  function remember(change: Change): void {
    if (recent.has(change.committedAt)) return
    recent.set(change.committedAt, change)
    const [oldest] = recent.keys()
    if (recent.size > redisBusLimits.recentMax && oldest !== undefined) recent.delete(oldest)
  }

  async function listenAgain(): Promise<void> {
    await subscriber.subscribe(everyone, ...[...watchers.keys()].map(channelOf))
    await Promise.all([...watchers.keys()].map(openLog))
    listeners.tell({ kind: 'gap' })
  }

  function refreshLogs(): void {
    redisLog.refresh([...watchers.keys()], () => stamp(new Date())).catch(ignore)
  }

  async function openLog(userId: UserId): Promise<void> {
    const position = await redisLog.open(userId, stamp(new Date())).catch(() => null)
    const watcher = watchers.get(userId)
    if (watcher) watcher.position = position
  }

  async function publishChanges(changes: readonly Change[]): Promise<void> {
    for (const change of changes) remember(change)
    if (unsent.length > 0) {
      tellAlone(changes)
      return
    }
    const failed = await redisLog.tell(changes, channelOf)
    if (failed === null) return
    // It has been committed: whoever asked is not told that it failed.
    log.error({ err: failed.error }, 'other nodes were not told yet')
    tellAlone(changes.slice(failed.index))
  }

  function tellAlone(changes: readonly Change[]): void {
    for (const { committedAt } of changes) toldAlone.add(committedAt)
    unsent.push(...changes)
    for (const { committedAt } of unsent.splice(0, unsent.length - redisBusLimits.unsentMax)) {
      toldAlone.delete(committedAt)
      hasDropped = true
    }
    listeners.tell({ kind: 'changes', changes })
  }

  function sendUnsent(): void {
    if (isSending || commands.status !== 'ready' || (unsent.length === 0 && unsaid.length === 0 && !hasDropped)) return
    isSending = true
    sendAllUnsent()
      .catch((error: unknown) => log.error({ err: error }, 'other nodes were not told everything yet'))
      .finally(() => {
        isSending = false
      })
  }

  async function sendAllUnsent(): Promise<void> {
    while (unsent.length > 0) {
      const batch = unsent.slice(0, 500)
      const failed = await redisLog.tell(batch, channelOf)
      const sent = new Set(failed === null ? batch : batch.slice(0, failed.index))
      // Meanwhile the oldest may have been dropped.
      unsent = unsent.filter((change) => !sent.has(change))
      if (failed !== null) throw failed.error
    }
    // After the changes: what they were about may not be shown any more.
    for (let message = unsaid[0]; message; message = unsaid[0]) {
      await sayToAll(message)
      unsaid.shift()
    }
    if (hasDropped) await sendToAll({ kind: 'gap' })
    hasDropped = false
    // What was told alone a moment ago is still on its way back.
    setTimeout(() => {
      if (unsent.length === 0) toldAlone.clear()
    }, 5000).unref()
  }

  async function publishPersonal(message: Personal): Promise<void> {
    const text = redisLog.write(message)
    const pipeline = commands.pipeline()
    for (const userId of new Set(message.audience)) pipeline.publish(channelOf(userId), text)
    const results = await pipeline.exec().catch(() => null)
    // Elsewhere everything is asked for anew once there is a connection again.
    if (!results || results.some(([error]) => error)) listeners.tell(message)
  }

  async function sendToAll(message: BusMessage): Promise<void> {
    await commands.publish(everyone, JSON.stringify({ from: self, message } satisfies Envelope))
  }

  async function publishToAll(message: BusMessage): Promise<void> {
    listeners.tell(message)
    try {
      await sayToAll(message)
    } catch (error) {
      log.error({ err: error }, 'other nodes were not told yet')
      if (!isLasting(message)) return
      unsaid.push(message)
      if (unsaid.splice(0, unsaid.length - redisBusLimits.unsentMax).length > 0) hasDropped = true
    }
  }

  async function sayToAll(message: BusMessage): Promise<void> {
    const cut = cutOf(message)
    if (cut.length > 0) await redisLog.mark('cut', cut, stamp(new Date()))
    if (message.kind === 'missed' && message.userIds.length > 0)
      await redisLog.mark('lost', message.userIds, stamp(new Date()))
    await sendToAll(message)
  }

  const bus: Bus = {
    async publish(message) {
      if (message.kind === 'changes') await publishChanges(stampAll(message.changes, stamp))
      else if (message.kind === 'presence') await publishPersonal(message)
      else await publishToAll(message)
    },
    subscribe: listeners.add,
    async watch(userId) {
      const known = watchers.get(userId)
      if (known) known.count++
      else {
        // Without a connection there is nothing to hear; once there is one again this person is asked for with the others.
        const ready = subscriber.subscribe(channelOf(userId)).then(() => openLog(userId), ignore)
        watchers.set(userId, { count: 1, ready, position: null })
      }
      await watchers.get(userId)?.ready
    },
    unwatch(userId) {
      const known = watchers.get(userId)
      if (!known) return
      known.count--
      if (known.count > 0) return
      watchers.delete(userId)
      subscriber.unsubscribe(channelOf(userId)).catch(ignore)
    },
  }

  return {
    bus,
    sharedLog: { ...redisLog, positionOf: (userId) => watchers.get(userId)?.position ?? null },
    close() {
      clearInterval(refresh)
      clearInterval(check)
    },
  }
}

/** Whose log so far may not be shown any more: what they may see has changed in a way that no change of a row tells. */
function cutOf(message: BusMessage): readonly UserId[] {
  if (message.kind === 'friends_changed') return message.userIds
  return message.kind === 'membership_ended' ? [message.userId] : []
}

/** Whether it matters later: what only wakes somebody is found by them anyway, and typing is over by then. */
function isLasting({ kind }: BusMessage): boolean {
  return kind === 'sessions_ended' || kind === 'friends_changed' || kind === 'membership_ended' || kind === 'missed'
}

function ignore(): void {}
