import type { Conversation } from '@hither/contract/messages/messages.ts'
import { exportAccountWithPassword } from '@hither/contract/users.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Listener, type Person, password, receivedBy } from '../../../test/harness.ts'
import { type Cast, dayMs, startCast } from '../erasure/harness.ts'
import { noConversation, unknownId } from '../harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let eve: Person

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat, eve } = cast)
})

afterEach(() => cast.clear())
afterAll(() => cast.server.close())

const noDate = { status: 409, body: { detail: "This chat isn't going to be deleted.", code: 'chat_has_no_date' } }

async function read(chat: Conversation, who: Person) {
  const { erase_at, kept_at, keep_requests } = (await cast.chats.open(chat.id, who)).body
  return { erase_at, kept_at, keep_requests }
}

/** How a chat looks with its date, with and without a request. */
const dated = ({ erase_at }: Conversation, count: 0 | 1, is_mine = false) => ({
  ...{ erase_at, kept_at: null, keep_requests: { count, is_mine } },
})
const kept = () => ({ erase_at: null, kept_at: cast.server.clock.now().toISOString(), keep_requests: null })

async function listenAll<T>(tables: Parameters<Cast['server']['listen']>[1], act: () => Promise<T>) {
  const people = [ann, bob, cat]
  const listeners: Listener[] = []
  for (const person of people) listeners.push(await cast.server.listen(person, [...tables, 'users']))
  const result = await act()
  const received = []
  for (const [index, person] of people.entries())
    received.push(await receivedBy(cast.server, person, listeners[index] as Listener))
  await Promise.all(listeners.map((listener) => listener.close()))
  return { result, received }
}

describe('a chat is kept', () => {
  it('at once if the owner of the ping asks, and its members see that it stays', async () => {
    const { chat } = await cast.pinChat()
    const { status, body } = await cast.chats.keep(chat.id, ann)
    expect([status, body]).toMatchObject([200, { id: chat.id, participants: chat.participants, ...kept() }])
    expect(body).toEqual((await cast.chats.list(ann))[0])
    for (const who of [ann, bob]) expect(await read(chat, who)).toEqual(kept())
    expect(await cast.server.db`select 1 from chat_keep_requests`).toEqual([])
  })

  it('if two members ask, and not if one does, also twice', async () => {
    const { chat } = await cast.pinChat()
    const { status, body } = await cast.chats.keep(chat.id, bob)
    expect([status, body]).toMatchObject([200, dated(chat, 1, true)])
    expect(body).toEqual((await cast.chats.list(bob))[0])
    expect((await cast.chats.keep(chat.id, bob)).body).toMatchObject(dated(chat, 1, true))
    expect(await read(chat, cat)).toEqual(dated(chat, 1))
    expect((await cast.chats.keep(chat.id, cat)).body).toMatchObject(kept())
    expect(await read(chat, bob)).toEqual(kept())
    expect(await cast.server.db`select 1 from chat_keep_requests`).toEqual([])
  })

  it('by the owner also after somebody else has asked', async () => {
    const { chat } = await cast.pinChat()
    await cast.chats.keep(chat.id, bob)
    expect((await cast.chats.keep(chat.id, ann)).body).toMatchObject(kept())
  })

  it('by an owner who is no admin of the chat, and by one whose ping is erased', async () => {
    const { ping, chat } = await cast.pinChat()
    await cast.server.db`update chat_members set role = case user_id when ${bob.id} then 'admin' else 'member' end`
    await cast.pings.remove(ping.id, ann)
    expect(await cast.server.db`select 1 from location_pins`).toEqual([])
    expect((await cast.chats.keep(chat.id, ann)).body).toMatchObject(kept())
  })

  it('for good: requests change nothing any more, and neither does the end of the ping', async () => {
    const { ping, chat } = await cast.pinChat()
    await cast.chats.keep(chat.id, ann)
    const before = await read(chat, bob)
    const { received } = await listenAll(['chats'], async () => {
      cast.server.clock.advance(1000)
      expect((await cast.chats.keep(chat.id, bob)).body).toMatchObject(before)
      expect((await cast.chats.takeKeepBack(chat.id, ann)).status).toBe(204)
      await cast.pings.change(ping.id, { end: true }, ann)
    })
    expect(received).toEqual([[], [], []])
    expect(await read(chat, bob)).toEqual(before)
  })
})

describe('a chat keeps its date', () => {
  it('if a member takes the request back before another asks', async () => {
    const { chat } = await cast.pinChat()
    await cast.chats.keep(chat.id, bob)
    expect((await cast.chats.takeKeepBack(chat.id, bob)).status).toBe(204)
    expect(await read(chat, bob)).toEqual(dated(chat, 0))
    await cast.chats.keep(chat.id, cat)
    expect(await read(chat, cat)).toEqual(dated(chat, 1, true))
  })

  const departures: [string, (chat: Conversation) => Promise<{ status: number }>][] = [
    ['leaves', (chat: Conversation) => cast.chats.leave(chat.id, bob)],
    ['is removed', (chat: Conversation) => cast.chats.remove(chat.id, ann, bob)],
    ['is not invited any more', (chat: Conversation) => cast.pings.uninvite(chat.ping_id as never, bob, ann)],
  ]
  it.each(departures)('if a member who has asked %s before another asks, which the others see', async (_how, leave) => {
    const { chat } = await cast.pinChat()
    await cast.chats.keep(chat.id, bob)
    const { received } = await listenAll(['chats'], () => leave(chat))
    const updates = received.map((changes) => changes.map(({ eventType, new: row }) => [eventType, row['keep_count']]))
    expect(updates).toEqual([[['UPDATE', 0]], [['DELETE', undefined]], [['UPDATE', 0]]])
    await cast.chats.keep(chat.id, cat)
    expect(await read(chat, cat)).toEqual(dated(chat, 1, true))
  })

  it('if a member who has asked deletes the account before another asks', async () => {
    const dan = await cast.signUp('dan')
    await cast.server.befriend(ann, dan)
    const ping = await cast.pings.drop(ann)
    const fields = { name: 'Coffee Chat', ping_id: ping.id, system_created: true }
    const chat = await cast.chats.make(ann, [bob, cat, dan], fields)
    await cast.chats.keep(chat.id, dan)
    const { received } = await listenAll(['chats'], () => cast.chats.eraseAccount(dan))
    expect(received.map((changes) => changes.map(({ new: row }) => row['keep_count']))).toEqual([[0], [0], [0]])
    await cast.chats.keep(chat.id, bob)
    expect(await read(chat, bob)).toEqual(dated(chat, 1, true))
  })

  it('and is not kept by one request if its owner deletes the account', async () => {
    const dan = await cast.signUp('dan')
    for (const friend of [bob, cat]) await cast.server.befriend(dan, friend)
    const ping = await cast.pings.drop(dan)
    const fields = { name: 'Coffee Chat', ping_id: ping.id, system_created: true }
    const chat = await cast.chats.make(dan, [bob, cat], fields)
    cast.server.clock.advance(dayMs)
    expect((await cast.chats.eraseAccount(dan)).status).toBeLessThan(300)
    expect((await cast.chats.keep(chat.id, bob)).body).toMatchObject(dated(chat, 1, true))
  })
})

describe('a request to keep a chat', () => {
  it('is refused to strangers, removed members and an owner who left, as for an unknown chat', async () => {
    const { chat } = await cast.pinChat()
    await cast.chats.remove(chat.id, ann, bob)
    await cast.chats.leave(chat.id, ann)
    for (const who of [eve, bob, ann])
      for (const call of [cast.chats.keep, cast.chats.takeKeepBack])
        expect(await call(chat.id, who)).toMatchObject(noConversation)
    expect(await cast.chats.keep(unknownId as Conversation['id'], ann)).toMatchObject(noConversation)
    expect(await read(chat, cat)).toEqual(dated(chat, 0))
  })

  it('is refused for a chat that never had a date, where it can be taken back', async () => {
    const direct = await cast.chats.make(ann, [bob])
    const group = await cast.chats.group(ann, [bob, cat])
    for (const { id } of [direct, group]) {
      expect(await cast.chats.keep(id, bob)).toMatchObject(noDate)
      expect((await cast.chats.takeKeepBack(id, bob)).status).toBe(204)
    }
  })

  it('is announced once to each member, as its end and the keeping are, and repeated calls are not', async () => {
    const { chat } = await cast.pinChat()
    const { received } = await listenAll(['chats'], async () => {
      await cast.chats.keep(chat.id, bob)
      await cast.chats.keep(chat.id, bob)
      await cast.chats.takeKeepBack(chat.id, bob)
      await cast.chats.takeKeepBack(chat.id, bob)
      await cast.chats.keep(chat.id, ann)
      await cast.chats.keep(chat.id, ann)
    })
    const { erase_at } = chat
    const kept_at = cast.server.clock.now().toISOString()
    for (const changes of received)
      expect(changes.map(({ eventType, new: row }) => ({ eventType, ...row }))).toMatchObject([
        { eventType: 'UPDATE', erase_at, kept_at: null, keep_count: 1 },
        { eventType: 'UPDATE', erase_at, kept_at: null, keep_count: 0 },
        { eventType: 'UPDATE', erase_at: null, kept_at, keep_count: 0 },
      ])
  })

  it('does not say who asked in any answer, event, push or export of others', async () => {
    const { chat } = await cast.pinChat()
    const before = await cast.chats.open(chat.id, ann)
    const { received } = await listenAll(['chats', 'messages', 'message_read_receipts', 'location_pins'], () =>
      cast.chats.keep(chat.id, bob),
    )
    for (const [index, changes] of received.entries()) {
      const [row, ...others] = changes.map(({ new: record }) => record)
      expect(others).toEqual([])
      expect(row).toMatchObject({ keep_count: 1, user_id: [ann, bob, cat][index]?.id })
      // The row of each member names that member, and nobody else.
      const traces = [bob.id, 'bob'].filter((trace) => JSON.stringify({ ...row, user_id: null }).includes(trace))
      expect(traces).toEqual([])
    }
    const after = await cast.chats.open(chat.id, ann)
    expect(after.body).toEqual({ ...before.body, keep_requests: { count: 1, is_mine: false } })
    expect(await cast.server.db`select 1 from push_deliveries`).toEqual([])
    expect(await cast.server.db`select 1 from deliveries`).toEqual([])
    const exported = async (who: Person) =>
      (await cast.server.call(exportAccountWithPassword, { body: { password } }, who)).body.conversations[0]
    const { erase_at } = chat
    expect(await exported(ann)).toMatchObject({ id: chat.id, erase_at, kept_at: null, asked_to_keep: false })
    expect(await exported(bob)).toMatchObject({ id: chat.id, erase_at, kept_at: null, asked_to_keep: true })
  })
})
