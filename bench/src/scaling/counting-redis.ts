import { EventEmitter } from 'node:events'
import { type Redis } from 'ioredis'
import { redisPrefix } from '../../../server/src/platform/redis.ts'

export interface Counts {
  /** Changes told. */
  tells: number
  /** Logs that were looked for, and those that were there and written to. */
  logsAsked: number
  logsWritten: number
  publishes: number
  /** What each node was sent. */
  readonly sent: number[]
}

/**
 * As much of Redis as the bus between nodes asks for, in memory: it keeps who listens to what, and counts. What its scripts
 * do is said again here, in the shortest way.
 */
export function createCountingRedis(nodes: number) {
  const counts: Counts = { tells: 0, logsAsked: 0, logsWritten: 0, publishes: 0, sent: Array(nodes).fill(0) }
  const listeners = new Map<string, number[]>()
  const subscribers: EventEmitter[] = []
  const logs = new Set<string>()

  function publish(channel: string, body: string): void {
    counts.publishes++
    const data = Buffer.from(body)
    for (const node of listeners.get(channel) ?? []) {
      counts.sent[node] = (counts.sent[node] ?? 0) + 1
      subscribers[node]?.emit('messageBuffer', Buffer.from(channel), data)
    }
  }

  const commands = Object.assign(new EventEmitter(), {
    status: 'ready',
    set: async () => 'OK',
    incr: async () => 1,
    defineCommand: () => {},
    publish: async (channel: string, body: string) => publish(channel, body),
    async hitherTell(count: number, ...rest: string[]) {
      const [keys, body] = [rest.slice(1, count), rest[count] ?? '']
      counts.tells++
      for (let at = 0; at < keys.length; at += 2) {
        counts.logsAsked++
        if (logs.has(keys[at] ?? '')) counts.logsWritten++
        publish(keys[at + 1] ?? '', body)
      }
    },
    async hitherOpenLog(key: string, name: string) {
      logs.add(key)
      return name
    },
    pipeline() {
      const all: [string, string][] = []
      return {
        publish: (channel: string, body: string) => all.push([channel, body]),
        exec: async () => all.map(([channel, body]) => [null, publish(channel, body)]),
      }
    },
  })

  return {
    counts,
    pairOf(node: number) {
      const subscriber = Object.assign(new EventEmitter(), {
        ping: async () => 'PONG',
        async subscribe(...channels: string[]) {
          for (const channel of channels) {
            // Everyone hears what is for everyone; that is counted by hand.
            if (channel === `${redisPrefix}all`) continue
            const known = listeners.get(channel)
            if (known) known.push(node)
            else listeners.set(channel, [node])
          }
        },
        unsubscribe: async () => {},
      })
      subscribers[node] = subscriber
      return { commands, subscriber, close: () => {} } as unknown as {
        commands: Redis
        subscriber: Redis
        close(): void
      }
    },
  }
}
