import { randomUUID } from 'node:crypto'
import type { UserId } from '@hither/contract/ids.ts'
import { type RealtimeChannel, RealtimeClient, type RealtimeClientOptions } from '@supabase/realtime-js'
import { expect, onTestFinished } from 'vitest'
import { ann, anyUser, bob, inserted, type TestGateway, userRow } from '../src/realtime/harness.ts'
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

type GatewayProxy = Awaited<ReturnType<typeof openProxy>>

interface InterruptedDelivery {
  /** Sends the client's token and the first change; more may publish the others. */
  readonly gateway: TestGateway
  /** Whether the client sends the cursor of the last change that it received. */
  readonly sendsCursor: boolean
  /** The gateway that publishes the change with this number. */
  readonly publisherOf: (number: number) => TestGateway
  /** Cuts the connections of the client, for the first time with 1. */
  readonly interrupt: (proxy: GatewayProxy, times: number) => void
}

/**
 * Publishes 600 changes to an official client that is interrupted after every ninetieth, and expects that it receives
 * each of them in order: once with a cursor, at least once without.
 */
export async function expectDeliveryDespiteInterruptions(options: InterruptedDelivery): Promise<void> {
  const { gateway, sendsCursor, publisherOf, interrupt } = options
  const [count, untilInterrupted] = [600, 90]
  const proxy = await openProxy(gateway)
  const client = await officialClient({ ...gateway, origin: proxy.origin }, ann, '2.0.0', {
    params: { apikey: 'anon', client_id: randomUUID() },
    reconnectAfterMs: () => 10,
  })
  const channel = client.channel('people')
  const resume = { after: null as string | null }
  if (sendsCursor) channel.updateJoinPayload({ resume })
  const received: number[] = []
  const notices: string[] = []
  const { promise: hasLast, resolve } = Promise.withResolvers<void>()
  channel.on('postgres_changes', { ...anyUser, event: '*' }, (change) => {
    resume.after = change.commit_timestamp
    received.push(Number((change.new as { username: string }).username))
    if (received.at(-1) === count) resolve()
  })
  channel.on('system', {}, ({ extension }: { extension: string }) => notices.push(extension))
  const subscription = subscribe(channel)
  await subscription.until('SUBSCRIBED')
  for (let number = 1; number <= count; number++) {
    await publisherOf(number).publish(inserted(userRow(bob, { username: String(number) }), [ann]))
    if (number % untilInterrupted === 0) interrupt(proxy, number / untilInterrupted)
    await new Promise((next) => setTimeout(next, 1))
  }
  await hasLast
  const all = Array.from({ length: count }, (_, index) => index + 1)
  expect([...new Set(received)]).toEqual(all)
  if (sendsCursor) expect(received).toEqual(all)
  expect(subscription.statuses.filter(({ status }) => status === 'CHANNEL_ERROR').length).toBeGreaterThan(1)
  expect(notices.filter((extension) => extension === 'resync')).toHaveLength(1)
}
