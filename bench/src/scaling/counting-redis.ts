import { EventEmitter } from 'node:events'
import type { Redis } from 'ioredis'
import type { RedisPair } from '../../../server/src/cluster/redis.ts'

interface Counts {
  publishes: number
  /** The number of messages that each node received. */
  readonly received: number[]
}

/** An in-memory implementation of the part of Redis that the bus uses. It stores subscriptions and counts messages. */
export function createCountingRedis(nodes: number) {
  const counts: Counts = { publishes: 0, received: Array(nodes).fill(0) }
  const listeners = new Map<string, number[]>()
  const subscribers: EventEmitter[] = []

  function publish(channel: string, text: string): void {
    counts.publishes++
    for (const node of listeners.get(channel) ?? []) {
      counts.received[node] = (counts.received[node] ?? 0) + 1
      subscribers[node]?.emit('message', channel, text)
    }
  }

  const commands = Object.assign(new EventEmitter(), {
    status: 'ready',
    publish: async (channel: string, text: string) => publish(channel, text),
    pipeline() {
      const all: [string, string][] = []
      return {
        publish: (channel: string, text: string) => all.push([channel, text]),
        exec: async () => all.map(([channel, text]) => [null, publish(channel, text)]),
      }
    },
  })

  return {
    counts,
    pairOf(node: number): RedisPair {
      const subscriber = Object.assign(new EventEmitter(), {
        status: 'ready',
        ping: async () => 'PONG',
        async subscribe(...channels: string[]) {
          for (const channel of channels) {
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
