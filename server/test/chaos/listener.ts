import { type FeedChange, positionExtension, realtimePath, resyncExtension } from '@hither/contract/feeds.ts'
import type { ConversationId } from '@hither/contract/ids.ts'
import { type RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import { type FaultyProxy, openFaultyProxy } from '../faulty-proxy.ts'
import type { Api, Person } from './api.ts'
import type { Cluster } from './cluster.ts'
import { applyChange, type Model, readChat, readModel } from './model.ts'
import type { Random } from './random.ts'

const tables = ['messages', 'message_read_receipts', 'chats', 'location_pins', 'ping_responses'] as const
const reconnectMs = 100
const reopenMs = 500

/** The app of one user, connected through a faulty proxy. */
export interface Listener {
  readonly name: string
  readonly person: Person
  /** When `isIdle`, all received changes have been applied to the model. */
  readonly model: Model
  readonly isIdle: boolean
  /** How often the server requested a resync, not counting the first one. */
  readonly resyncs: number
  readonly faults: string[]
  /** Closes, blocks and redirects the connection at random times until `heal`. */
  disturb(random: Random): void
  /** Stops the disturbances. */
  heal(): void
  close(): Promise<void>
}

/** Resolves when the listener is subscribed and has read everything once. */
export async function openListener(
  cluster: Cluster,
  api: Api,
  { person, nodeIndex }: { person: Person; nodeIndex: number },
): Promise<Listener> {
  const faults: string[] = []
  let node = nodeIndex
  let model: Model = { chats: new Map(), pings: new Map() }
  let resyncs = -1
  let isClosed = false
  let waiting = 0
  let work: Promise<void> = Promise.resolve()
  /** The `seq` of the last live message, by conversation. */
  const lastSeqs = new Map<ConversationId, number>()
  const { promise: firstRead, resolve: haveRead, reject: fail } = Promise.withResolvers<void>()

  const line: FaultyProxy = await openFaultyProxy(portOf(node))
  const client = new RealtimeClient(`ws://127.0.0.1:${line.port}/api${realtimePath}`, {
    params: { apikey: 'chaos' },
    reconnectAfterMs: () => reconnectMs,
  })
  await client.setAuth(person.token)
  let channel = openChannel()
  let timer: NodeJS.Timeout | undefined

  function portOf(index: number): number {
    return cluster.nodes[index % cluster.nodes.length]?.port ?? 0
  }

  /** Runs tasks one after the other, so that changes that arrive during a full read are applied after it. */
  function enqueue(task: () => Promise<void> | void): void {
    waiting++
    work = work
      .then(() => (isClosed ? undefined : task()))
      .catch((error: unknown) => {
        faults.push(`could not read: ${(error as Error).message}`)
        fail(error)
      })
      .finally(() => {
        waiting--
      })
  }

  function openChannel(): RealtimeChannel {
    const opened = client.channel('changes')
    const resume: { after?: string } = {}
    opened.updateJoinPayload({ resume })
    for (const table of tables)
      opened.on('postgres_changes', { event: '*', schema: 'public', table }, (payload) => {
        if (isClosed || opened !== channel) return
        resume.after = payload.commit_timestamp
        receive(payload as unknown as FeedChange)
      })
    opened.on('system', {}, ({ extension, position }: { extension?: unknown; position?: string }) => {
      if (isClosed || opened !== channel) return
      if (extension === positionExtension) resume.after = position as string
      if (extension !== resyncExtension) return
      resyncs++
      lastSeqs.clear()
      enqueue(async () => {
        model = await readModel(api, person)
        haveRead()
      })
    })
    opened.subscribe((status) => {
      if (status !== 'CLOSED' || isClosed || opened !== channel) return
      // The client does not rejoin a channel that the server has closed, so this opens a new one, as the app does.
      setTimeout(() => {
        if (!isClosed) channel = openChannel()
      }, reopenMs)
    })
    return opened
  }

  function receive(change: FeedChange): void {
    checkOrder(change)
    enqueue(async () => {
      const unread = applyChange(model, change, person.id)
      if (unread === null) return
      const chat = await readChat(api, person, unread)
      if (chat) model.chats.set(unread, chat)
    })
  }

  function checkOrder(change: FeedChange): void {
    if (change.table === 'chats' && change.eventType === 'INSERT') lastSeqs.delete(change.new.id)
    if (change.table !== 'messages' || change.eventType !== 'INSERT') return
    const { conversation_id, seq } = change.new
    const last = lastSeqs.get(conversation_id) ?? 0
    if (seq <= last) faults.push(`message ${seq} of conversation ${conversation_id} arrived after message ${last}`)
    lastSeqs.set(conversation_id, Math.max(last, seq))
  }

  function act(random: Random): void {
    const action = random.pick(['cut', 'cut and switch', 'delay'] as const)
    if (action === 'delay') {
      line.set('silent')
      timer = setTimeout(
        () => {
          line.set('open')
          plan(random)
        },
        random.between(200, 3000),
      )
      return
    }
    if (action === 'cut and switch') line.setTarget(portOf(++node))
    line.cut()
    plan(random)
  }

  function plan(random: Random): void {
    timer = setTimeout(act, random.between(300, 3000), random)
  }

  await firstRead
  return {
    name: `the app of ${person.username}`,
    person,
    get model() {
      return model
    },
    get isIdle() {
      return waiting === 0
    },
    get resyncs() {
      return resyncs
    },
    faults,
    disturb: plan,
    heal() {
      clearTimeout(timer)
      line.set('open')
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await client.disconnect()
      await work
      await line.close()
    },
  }
}
