import { type FeedChange, feedNames, positionExtension, realtimePath, resyncExtension } from '@hither/contract/feeds.ts'
import type { ConversationId, MessageId } from '@hither/contract/ids.ts'
import { conversationTopic, typingEvent } from '@hither/contract/runtime/messages/messages.ts'
import { type RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import { WebSocket } from 'ws'
import { createStateTracker, type DeviceState } from './device-state.ts'
import type { Person } from './person.ts'
import type { Report } from './report.ts'
import type { Target } from './target.ts'

export interface Device {
  readonly state: DeviceState
  isLive(): boolean
  /** Whether the device has received a change with this username. */
  received(username: string): boolean
  /** Resolves when all reads in progress have finished. */
  settled(): Promise<void>
  /** Disconnects the device for this time. */
  cut(offlineMs: number): void
  renewToken(): Promise<void>
  typing(conversationId: ConversationId): Promise<void>
  close(): Promise<void>
}

/** Connects as the web app does: with the official client, all feeds, and presence for friends. */
export async function openDevice(target: Target, report: Report, person: Person): Promise<Device> {
  const tracker = createStateTracker(person)
  const seen = new Set<MessageId>()
  const lastSeq = new Map<ConversationId, number>()
  let sockets: WebSocket[] = []
  let offlineUntil = 0
  let isClosed = false

  class Line extends WebSocket {
    constructor(address: string | URL, protocols?: string | string[]) {
      const origin = Date.now() < offlineUntil ? 'ws://127.0.0.1:9' : target.nextUrl().replace('http', 'ws')
      super(String(address).replace('ws://soak', origin), protocols)
      sockets = [...sockets.filter(({ readyState }) => readyState < WebSocket.CLOSING), this]
      report.count('sockets opened')
    }
  }

  const client = new RealtimeClient(`ws://soak/api${realtimePath}`, {
    params: { apikey: 'hither' },
    accessToken: async () => person.session()?.access_token ?? null,
    transport: Line as never,
  })
  await client.setAuth()
  const channel = client.channel('changes')
  const resume: { after?: string } = {}
  channel.updateJoinPayload({ resume })
  for (const table of feedNames) {
    channel.on('postgres_changes', { event: '*', schema: 'public', table }, (change) => {
      if (isClosed) return
      resume.after = change.commit_timestamp
      const known = change as unknown as FeedChange
      report.count('changes received')
      if (known.table === 'messages') checkOrder(known)
      tracker.apply(known)
    })
  }
  let resyncs = 0
  channel.on('system', {}, ({ extension, position }: { extension?: unknown; position?: string }) => {
    if (extension === positionExtension) resume.after = position as string
    if (extension !== resyncExtension || isClosed || resyncs++ === 0) return
    report.count('resyncs')
    void tracker.read()
  })
  const online = client.channel('online-users', { config: { presence: { key: person.id, enabled: true } } })
  online.subscribe((status) => {
    if (status === 'SUBSCRIBED') void online.track({ user_id: person.id, online_at: new Date().toISOString() })
  })
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${person.username} could not connect`)), 60_000)
    channel.subscribe((status, error) => {
      if (status === 'SUBSCRIBED') {
        clearTimeout(timer)
        resolve()
      } else if (status === 'CLOSED' && !isClosed)
        report.violation('closed', `${person.username}'s channel was closed for good: ${error?.message ?? 'no reason'}`)
    })
  })
  await tracker.read()

  let typed: { id: ConversationId; channel: RealtimeChannel } | null = null
  return {
    state: tracker.state,
    isLive: () => channel.state === 'joined' && online.state === 'joined',
    received: tracker.knows,
    settled: tracker.settled,
    cut(offlineMs) {
      offlineUntil = Date.now() + offlineMs
      for (const socket of sockets) socket.terminate()
    },
    renewToken: () => client.setAuth(),
    async typing(id) {
      const payload = { user_id: person.id, username: person.username }
      const say = () => void typed?.channel.send({ type: 'broadcast', event: typingEvent, payload })
      if (typed?.id === id && typed.channel.state === 'joined') return say()
      if (typed) await client.removeChannel(typed.channel)
      const joined = client.channel(conversationTopic(id), { config: { broadcast: { ack: false, self: false } } })
      joined.on('broadcast', { event: typingEvent }, () => report.count('typing received'))
      joined.subscribe((status) => {
        if (status === 'SUBSCRIBED' && typed?.channel === joined) say()
      })
      typed = { id, channel: joined }
    },
    async close() {
      isClosed = true
      tracker.stop()
      await client.removeAllChannels().catch(() => undefined)
      await client.disconnect()
    },
  }

  /** Checks that every message arrives once and in the order of its conversation. */
  function checkOrder(change: Extract<FeedChange, { table: 'messages' }>): void {
    if (change.eventType !== 'INSERT') return
    const { id, conversation_id, seq } = change.new
    report.count('messages received')
    if (seen.has(id))
      report.violation('twice', `${person.username} received message ${seq} of ${conversation_id} again`)
    else if (seq <= (lastSeq.get(conversation_id) ?? 0))
      report.violation(
        'order',
        `${person.username} received ${seq} of ${conversation_id} after ${lastSeq.get(conversation_id)}`,
      )
    seen.add(id)
    lastSeq.set(conversation_id, Math.max(seq, lastSeq.get(conversation_id) ?? 0))
  }
}
