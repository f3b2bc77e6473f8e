import { positionExtension, resyncExtension } from '@hither/contract/feeds.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { type RealtimeChannel, RealtimeClient, type RealtimeClientOptions } from '@supabase/realtime-js'
import { expect, onTestFinished } from 'vitest'
import { ann, anyUser, inserted, type TestGateway, userRow } from '../src/realtime/harness.ts'
import type { Vsn } from '../src/realtime/protocol/protocol.ts'
import { openFaultyProxy } from './faulty-proxy.ts'

type Origin = Pick<TestGateway, 'origin'>

/** The unmodified official client, signed in as this user. */
export async function officialClient(
  gateway: Pick<TestGateway, 'origin' | 'tokenOf'>,
  userId: UserId | null,
  vsn: Vsn = '2.0.0',
  options: RealtimeClientOptions = {},
) {
  const client = new RealtimeClient(`${gateway.origin}/api/realtime/v1`, {
    params: { apikey: 'anon' },
    vsn,
    ...options,
  })
  onTestFinished(async () => {
    await client.disconnect()
  })
  if (userId) await client.setAuth(gateway.tokenOf(userId))
  return client
}

/** A transport for a client, with all sockets that the client has opened. */
export function countingTransport() {
  const sockets: WebSocket[] = []
  const transport = class extends WebSocket {
    constructor(...args: ConstructorParameters<typeof WebSocket>) {
      super(...args)
      sockets.push(this)
    }
  }
  return { sockets, transport: transport as never }
}

/** Subscribes and collects what the client reports; `until` waits for a status. */
export function subscribe(channel: RealtimeChannel) {
  const statuses: { status: string; reason: string | undefined }[] = []
  let wake = () => {}
  channel.subscribe((status, error) => {
    statuses.push({ status, reason: error?.message })
    wake()
  })
  return {
    statuses,
    async until(status: string, count = 1): Promise<string | undefined> {
      for (;;) {
        const found = statuses.filter((entry) => entry.status === status)
        if (found.length >= count) return found[count - 1]?.reason
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}

/** A proxy to a gateway, whose connections can be cut or moved to another one. It closes when the test ends. */
export async function openProxy(gateway: Origin) {
  const portOf = ({ origin }: Origin) => Number(new URL(origin).port)
  const proxy = await openFaultyProxy(portOf(gateway))
  onTestFinished(proxy.close)
  return {
    origin: `ws://127.0.0.1:${proxy.port}`,
    set: proxy.set,
    cut: proxy.cut,
    setTarget: (next: Origin) => proxy.setTarget(portOf(next)),
  }
}

interface InterruptedDelivery {
  /** The gateway to which the client connects first. */
  readonly gateway: TestGateway
  readonly cuts: number
  /** The gateway that publishes the change with this number. */
  readonly publisherOf: (number: number) => TestGateway
  /** The gateway to which the client reconnects, the first time with 1. */
  readonly targetOf: (times: number) => TestGateway
}

/**
 * Publishes changes to an official client that names its position in each join and whose connection is cut again and again.
 * Expects that it receives each of them once and in order, and has to refetch at its first join only.
 */
export async function expectDeliveryDespiteCuts(options: InterruptedDelivery): Promise<void> {
  const { gateway, cuts, publisherOf, targetOf } = options
  const changesPerCut = 30
  const count = (cuts + 1) * changesPerCut
  const proxy = await openProxy(gateway)
  const client = await officialClient({ ...gateway, origin: proxy.origin }, ann, '2.0.0', {
    reconnectAfterMs: () => 10,
  })
  const channel = client.channel('people')
  const resume: { after?: string } = {}
  channel.updateJoinPayload({ resume })
  const received: number[] = []
  const notices: string[] = []
  const { promise: hasLast, resolve } = Promise.withResolvers<void>()
  channel.on('postgres_changes', { ...anyUser, event: '*' }, (change) => {
    resume.after = change.commit_timestamp
    received.push(Number((change.new as { username: string }).username))
    if (received.at(-1) === count) resolve()
  })
  channel.on('system', {}, ({ extension, position }: { extension: string; position?: string }) => {
    notices.push(extension)
    if (extension === positionExtension) resume.after = position as string
  })
  const subscription = subscribe(channel)
  await subscription.until('SUBSCRIBED')
  for (let number = 1; number <= count; number++) {
    // Each is a row of its own: of several changes of one row, the earlier ones would be replayed with its newest contents.
    const id = `0190a0a0-0000-7000-8000-${String(number).padStart(12, '0')}` as UserId
    await publisherOf(number).publish(inserted(userRow(id, { username: String(number) }), [ann]))
    if (number % changesPerCut === 0 && number < count) {
      proxy.setTarget(targetOf(number / changesPerCut))
      proxy.cut()
    }
    // Some changes come while the client is disconnected, and some while it joins.
    if (number % 3 === 0) await new Promise((next) => setTimeout(next, 1))
  }
  await hasLast
  expect(received).toEqual(Array.from({ length: count }, (_, index) => index + 1))
  expect(subscription.statuses.filter(({ status }) => status === 'CHANNEL_ERROR').length).toBeGreaterThan(0)
  expect(notices.filter((extension) => extension === resyncExtension)).toHaveLength(1)
}
