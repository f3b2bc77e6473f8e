import type { Feeds } from '@hither/contract/feeds.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { postgresChangesFilter, type RealtimeChannel } from '@supabase/realtime-js'
import { expect, test } from 'vitest'
import { officialClient, subscribe } from '../../../test/official-client.ts'
import {
  ann,
  anyUser,
  bob,
  committedAt,
  connect,
  countsChanged,
  deleted,
  eve,
  inserted,
  sessionOf,
  startGateway,
  updated,
  userRow,
} from '../harness.ts'
import type { Vsn } from '../protocol/protocol.ts'

type Params = { event: '*' | 'INSERT' | 'UPDATE' | 'DELETE'; schema: string; table?: string; filter?: string }
type PingRow = Feeds['location_pins']
type ReceivedChange = { eventType: string; new: Record<string, unknown>; old: Record<string, unknown> }

/** Listens with the official client; `until` waits for `count` changes. */
function listen(channel: RealtimeChannel, params: Params) {
  const receivedChanges: ReceivedChange[] = []
  let wake = () => {}
  channel.on('postgres_changes' as never, params as never, (change: ReceivedChange) => {
    receivedChanges.push(change)
    wake()
  })
  return {
    receivedChanges,
    async until(count: number): Promise<ReceivedChange[]> {
      while (receivedChanges.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      return receivedChanges
    },
  }
}

test.each<Vsn>(['1.0.0', '2.0.0'])('with version %s a change reaches its audience and no other user', async (vsn) => {
  const gateway = await startGateway()
  const [annClient, bobClient] = [await officialClient(gateway, ann, vsn), await officialClient(gateway, bob, vsn)]
  const [annChannel, bobChannel] = [annClient.channel('people'), bobClient.channel('people')]
  const [toAnn, toBob] = [listen(annChannel, anyUser as Params), listen(bobChannel, anyUser as Params)]
  await Promise.all([subscribe(annChannel).until('SUBSCRIBED'), subscribe(bobChannel).until('SUBSCRIBED')])

  const before = userRow(eve)
  const after = userRow(eve, { is_online: true })
  gateway.publish(inserted(before, [ann]), updated(after, before, [ann]), deleted(after, [ann]))
  gateway.publish(inserted(userRow(bob), [bob]))

  const common = (change: number) => {
    // Each frame has its own position, so that a client can name the last one it handled: here in the first row of the outbox.
    const commit_timestamp = `2026-11-21T12:00:00.0000000${change}0Z`
    return { schema: 'public', table: 'users', commit_timestamp, errors: null }
  }
  expect(await toAnn.until(3)).toEqual([
    { ...common(0), eventType: 'INSERT', new: before, old: {} },
    { ...common(1), eventType: 'UPDATE', new: after, old: { id: eve } },
    { ...common(2), eventType: 'DELETE', new: {}, old: after },
  ])
  expect((await toBob.until(1)).map((change) => change.new.id)).toEqual([bob])
})

test('each listener receives the events, tables and rows that it requested', async () => {
  const gateway = await startGateway()
  const channel = (await officialClient(gateway, ann)).channel('many')
  const filter = postgresChangesFilter().in('id', [ann, bob]).build()
  const everything = listen(channel, { event: '*', schema: '*' })
  const inserts = listen(channel, { event: 'INSERT', schema: 'public', table: 'users' })
  const deletes = listen(channel, { event: 'DELETE', schema: 'public', table: '*' })
  const filtered = listen(channel, { event: '*', schema: 'public', table: 'users', filter })
  const unfiltered = listen(channel, { event: '*', schema: 'public', table: 'users', filter: '' })
  const others = listen(channel, { event: '*', schema: 'public', table: 'friendships' })
  await subscribe(channel).until('SUBSCRIBED')

  gateway.publish(inserted(userRow(bob), [ann]), deleted(userRow(bob), [ann]))
  gateway.publish(inserted(userRow(eve), [ann]))

  expect((await everything.until(3)).map((change) => change.eventType)).toEqual(['INSERT', 'DELETE', 'INSERT'])
  expect(inserts.receivedChanges.map((change) => change.new.id)).toEqual([bob, eve])
  expect(deletes.receivedChanges.map((change) => change.old.id)).toEqual([bob])
  expect(filtered.receivedChanges.map((change) => change.eventType)).toEqual(['INSERT', 'DELETE'])
  expect(unfiltered.receivedChanges).toHaveLength(3)
  expect(others.receivedChanges).toEqual([])
})

test('a row that leaves a filter is sent as a DELETE with its key only, one that enters it as an UPDATE', async () => {
  const gateway = await startGateway()
  const channel = (await officialClient(gateway, ann)).channel('pings')
  const anyPing = { schema: 'public', table: 'location_pins' }
  const filter = `conversation_id=eq.${eve}`
  const withChat = listen(channel, { ...anyPing, event: '*', filter })
  const deletes = listen(channel, { ...anyPing, event: 'DELETE', filter })
  const updates = listen(channel, { ...anyPing, event: 'UPDATE', filter })
  const everything = listen(channel, { ...anyPing, event: 'UPDATE' })
  await subscribe(channel).until('SUBSCRIBED')

  const pingIn = (conversation_id: UserId | null) => ({ id: bob, conversation_id }) as unknown as PingRow
  const [off, on] = [pingIn(null), pingIn(eve)]
  const change = (record: PingRow, oldRecord: PingRow) =>
    ({ table: 'location_pins', type: 'UPDATE', record, oldRecord, audience: [ann], committedAt }) as const
  gateway.publish(change(on, off), change(off, on), change(off, off))

  await everything.until(3)
  expect(withChat.receivedChanges).toMatchObject([
    { eventType: 'UPDATE', new: on, old: { id: bob } },
    { eventType: 'DELETE', new: {}, old: { id: bob } },
  ])
  expect(withChat.receivedChanges[1]?.old).toEqual({ id: bob })
  expect(deletes.receivedChanges.map((change) => change.eventType)).toEqual(['DELETE'])
  expect(updates.receivedChanges.map((change) => change.eventType)).toEqual(['UPDATE'])
})

test('ids in a filter match in any case', async () => {
  const gateway = await startGateway()
  const channel = (await officialClient(gateway, ann)).channel('responses')
  const filter = `ping_id=eq.${bob.toUpperCase()}`
  const listener = listen(channel, { event: 'INSERT', schema: 'public', table: 'ping_responses', filter })
  await subscribe(channel).until('SUBSCRIBED')
  const response = (ping_id: UserId, user_id: UserId) => ({ ping_id, user_id }) as unknown as Feeds['ping_responses']
  const change = (record: Feeds['ping_responses']) =>
    ({ table: 'ping_responses', type: 'INSERT', record, oldRecord: null, audience: [ann], committedAt }) as const

  gateway.publish(change(response(ann, eve)), change(response(bob, ann)))

  expect((await listener.until(1)).map((change) => change.new.user_id)).toEqual([ann])
})

test('only columns of the contract are sent, even if a row has others', async () => {
  const gateway = await startGateway()
  const client = await connect(gateway)
  await client.join('realtime:people', '1', gateway.tokenOf(ann))
  const row = { ...userRow(bob), email: 'bob@example.org' }
  gateway.publish(inserted(row, [ann]), deleted(row, [ann]))
  expect((await client.change()).record).toEqual(userRow(bob))
  expect((await client.change()).old_record).toEqual(userRow(bob))
})

test('listeners of a channel that see a change alike share one frame', async () => {
  const gateway = await startGateway()
  const client = await connect(gateway)
  const bindings = [anyUser, { ...anyUser, event: 'insert' }, { ...anyUser, filter: `id=eq.${eve}` }]
  const { payload } = await client.join('realtime:people', '1', gateway.tokenOf(ann), { postgres_changes: bindings })
  const { response } = payload as { response: { postgres_changes: { id: string }[] } }
  const ids = response.postgres_changes.map(({ id }) => id)

  gateway.publish(inserted(userRow(bob), [ann]))
  const frame = await client.next(({ event }) => event === 'postgres_changes')

  expect(frame).toEqual({
    joinRef: null,
    ref: null,
    topic: 'realtime:people',
    event: 'postgres_changes',
    payload: {
      ids: ids.slice(0, 2),
      data: {
        schema: 'public',
        table: 'users',
        commit_timestamp: '2026-11-21T12:00:00.000000000Z',
        type: 'INSERT',
        columns: [],
        record: userRow(bob),
        errors: null,
      },
    },
  })
  expect(await client.settle()).toEqual([])
})

test('binding ids are equal for equal parameters and differ otherwise', async () => {
  const gateway = await startGateway()
  const bindings = [
    anyUser,
    { ...anyUser, filter: `id=eq.${ann}` },
    { ...anyUser, event: 'INSERT' },
    { ...anyUser, table: 'friendships' },
  ]
  const echoes = []
  for (const userId of [ann, bob]) {
    const client = await connect(gateway)
    const config = { postgres_changes: bindings }
    const { payload } = await client.join('realtime:x', '1', gateway.tokenOf(userId), config)
    echoes.push((payload as { response: { postgres_changes: { id: string }[] } }).response.postgres_changes)
  }
  expect(echoes[0]).toEqual(echoes[1])
  expect(new Set(echoes[0]?.map(({ id }) => id)).size).toBe(bindings.length)
})

test('a listener with select receives the selected columns and the key', async () => {
  const gateway = await startGateway()
  const client = await connect(gateway)
  const config = { postgres_changes: [{ ...anyUser, select: ['username'] }] }
  await client.join('realtime:people', '1', gateway.tokenOf(ann), config)
  gateway.publish(inserted(userRow(bob), [ann]))
  expect((await client.change()).record).toEqual({ id: bob, username: 'ann' })
})

test('two tabs of one user both receive changes, and one that leaves does not affect the other', async () => {
  const gateway = await startGateway()
  const [one, two] = [await connect(gateway), await connect(gateway)]
  await one.join('realtime:people', '1', gateway.tokenOf(ann))
  await two.join('realtime:people', '1', gateway.tokenOf(ann))
  gateway.publish(inserted(userRow(bob), [ann]))
  expect([(await one.change()).type, (await two.change()).type]).toEqual(['INSERT', 'INSERT'])
  one.webSocket.close()
  await one.closed
  gateway.publish(deleted(userRow(bob), [ann]))
  expect((await two.change()).type).toBe('DELETE')
})

test('an ended session is disconnected at once, other sessions of the user stay connected', async () => {
  const gateway = await startGateway()
  const [ended, other] = [await connect(gateway), await connect(gateway)]
  await ended.join('realtime:people', '1', gateway.tokenOf(ann))
  await other.join('realtime:people', '1', gateway.tokenOf(ann, sessionOf(eve)))
  await ended.settle()
  gateway.tokens.revoke([sessionOf(ann)])
  gateway.announce({ kind: 'sessions_ended', sessionIds: [sessionOf(ann)] })
  gateway.publish(inserted(userRow(bob), [ann]))
  expect((await other.change()).type).toBe('INSERT')
  expect(await ended.closed).toBe(4001)
  expect(ended.received).toEqual([])
})

test('a socket that does not read is disconnected', async () => {
  const gateway = await startGateway()
  const [slow, quick] = [await connect(gateway), await connect(gateway)]
  await slow.join('realtime:people', '1', gateway.tokenOf(ann))
  await quick.join('realtime:people', '1', gateway.tokenOf(bob))
  slow.webSocket.pause()
  const large = userRow(eve, { username: 'x'.repeat(500_000) })
  for (let i = 0; i < 40; i++) {
    gateway.publish(inserted(large, [ann, bob]))
    await quick.change()
  }
  expect(gateway.gateway.stats()).toEqual({ sockets: 1, channels: 1 })
  slow.webSocket.resume()
  expect(await slow.closed).toBe(1006)
})

test('a change of unread counts reaches each member with their own row, and no subscriber of other tables', async () => {
  const gateway = await startGateway()
  const [annClient, bobClient, eveClient] = [await connect(gateway), await connect(gateway), await connect(gateway)]
  const ofChats = {
    postgres_changes: [{ event: '*', schema: 'public', table: 'chats', filter: `user_id=in.(${ann},${bob})` }],
  }
  await annClient.join('realtime:people', '1', gateway.tokenOf(ann), ofChats)
  await annClient.join('realtime:others', '2', gateway.tokenOf(ann), { postgres_changes: [anyUser] })
  await bobClient.join('realtime:people', '1', gateway.tokenOf(bob), ofChats)
  await eveClient.join('realtime:people', '1', gateway.tokenOf(eve), ofChats)
  await gateway.announce(countsChanged({ [ann]: 2, [bob]: 7 }))
  const received = async (client: Awaited<ReturnType<typeof connect>>) =>
    (await client.settle()).filter(({ event }) => event === 'postgres_changes')

  const common = { id: '0190a0a0-0000-7000-8000-0000000000c0', name: 'Friday', type: 'group', role: 'member' }
  const toAnn = await received(annClient)
  expect(toAnn.map(({ topic, payload }) => [topic, payload.data])).toMatchObject([
    [
      'realtime:people',
      { type: 'UPDATE', record: { ...common, user_id: ann, updated_at: committedAt, unread_count: 2 } },
    ],
  ])
  expect((await received(bobClient)).map(({ payload }) => payload.data)).toMatchObject([
    { table: 'chats', type: 'UPDATE', record: { ...common, user_id: bob, unread_count: 7 } },
  ])
  expect(await received(eveClient)).toEqual([])
})
