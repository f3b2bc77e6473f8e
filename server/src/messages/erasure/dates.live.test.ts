import type { Conversation } from '@hither/contract/messages/messages.ts'
import type { Ping } from '@hither/contract/pings.ts'
import { conversationTopic } from '@hither/contract/runtime/messages/messages.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Person, receivedBy } from '../../../test/harness.ts'
import { connect, type TestGateway } from '../../realtime/harness.ts'
import { after, type Cast, dayMs, keepMs, minuteMs, startCast } from './harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat } = cast)
})

afterEach(() => cast.clear())
afterAll(() => cast.server.close())

/** Changes a ping with a chat, and returns the changes of its chat that ann and bob have received. */
async function changesDuring(change: () => Promise<{ status: number }>) {
  const people = [ann, bob]
  const listeners = await Promise.all(people.map((person) => cast.server.listen(person, ['chats', 'users'])))
  expect((await change()).status).toBeLessThan(300)
  const received = []
  for (const [index, person] of people.entries()) {
    const listener = listeners[index]
    if (!listener) continue
    received.push(await receivedBy(cast.server, person, listener))
    await listener.close()
  }
  return received
}

/** Expects that the date of the chat has moved by `ms`, with one UPDATE for each member. */
async function expectMove(chat: Conversation, ms: number, change: () => Promise<{ status: number }>) {
  const received = await changesDuring(change)
  const moved = after(chat.erase_at ?? '', ms)
  for (const changes of received) {
    expect(changes).toHaveLength(1)
    expect(changes[0]).toMatchObject({
      eventType: 'UPDATE',
      new: { id: chat.id, erase_at: moved, kept_at: null, keep_count: 0 },
    })
  }
  expect(await cast.dateOf(chat)).toBe(moved)
}

describe('a new chat', () => {
  it('of a ping is erased seven days after the end of the ping, and says so in every answer and row', async () => {
    const ping = await cast.pings.drop(ann)
    const listener = await cast.server.listen(bob, ['chats', 'users'])
    const chat = await cast.chatOf(ping)
    const date = { erase_at: after(ping.expires_at, keepMs), kept_at: null }
    const fields = { ...date, keep_requests: { count: 0, is_mine: false } }
    expect(chat).toMatchObject(fields)
    expect((await cast.chats.open(chat.id, bob)).body).toMatchObject(fields)
    expect((await cast.chats.list(bob))[0]).toMatchObject(fields)
    expect((await cast.chats.summaries(bob))[0]).toMatchObject(fields)
    expect((await receivedBy(cast.server, bob, listener))[0]?.new).toMatchObject({ ...date, keep_count: 0 })
    await cast.chats.say(chat.id, ann)
    expect((await receivedBy(cast.server, bob, listener))[1]?.new).toMatchObject({ ...date, unread_count: 1 })
    await listener.close()
  })

  it('that has no ping, that two people have, or that a person made for a ping has no date', async () => {
    const none = { erase_at: null, kept_at: null, keep_requests: null }
    expect(await cast.chats.make(ann, [bob])).toMatchObject(none)
    expect(await cast.chats.group(ann, [bob, cat])).toMatchObject(none)
    expect(await cast.chats.group(ann, [bob, cat], { system_created: true })).toMatchObject(none)
    const { id } = await cast.pings.drop(ann)
    expect(await cast.chats.group(ann, [bob, cat], { ping_id: id })).toMatchObject(none)
  })

  it('of a ping that ended long ago is refused, because its date has passed', async () => {
    const { id } = await cast.pings.drop(ann)
    cast.server.clock.advance(30 * minuteMs + keepMs)
    const made = await cast.chats.create(ann, [bob, cat], { name: 'Late', ping_id: id, system_created: true })
    expect([made.status, made.body]).toMatchObject([404, { code: 'conversation_not_found' }])
    expect(await cast.server.db`select 1 from chats`).toEqual([])
  })
})

describe('with PING_CHAT_KEEP_DAYS=0', () => {
  it('a new chat of a ping has no date, and clients learn the setting', async () => {
    const forever = await startCast({ PING_CHAT_KEEP_DAYS: '0' })
    try {
      const { chat } = await forever.pinChat()
      expect(chat).toMatchObject({ erase_at: null, kept_at: null, keep_requests: null })
      const { body } = await forever.server.request('GET', '/api/config')
      expect(body).toMatchObject({ erasure: { chat_days: 0 } })
    } finally {
      await forever.server.close()
    }
  })

  it('a chat of before the setting goes at its date all the same', async () => {
    const { chat } = await cast.pinChat()
    cast.advanceTo(chat)
    expect((await cast.chats.open(chat.id, bob)).status).toBe(404)
  })
})

describe('the date of a chat moves by as much as the end of its ping', () => {
  const quarterMs = 15 * minuteMs

  it('if the ping gets more time', async () => {
    const { ping, chat } = await cast.pinChat()
    await expectMove(chat, quarterMs, () => cast.pings.change(ping.id, { extend_minutes: 15 }, ann))
  })

  it('if a scheduled ping starts at another time', async () => {
    const { ping, chat } = await cast.pinChat({ activates_at: cast.pings.ahead(60) })
    const activates_at = after(ping.activates_at ?? '', 2 * dayMs)
    await expectMove(chat, 2 * dayMs, () => cast.pings.change(ping.id, { activates_at }, ann))
  })

  it('if the ping is ended early', async () => {
    const { ping, chat } = await cast.pinChat()
    cast.server.clock.advance(20 * minuteMs)
    await expectMove(chat, -10 * minuteMs, () => cast.pings.change(ping.id, { end: true }, ann))
  })

  it('if the ping is canceled', async () => {
    const { ping, chat } = await cast.pinChat({ activates_at: cast.pings.ahead(60) })
    await expectMove(chat, -90 * minuteMs, () => cast.pings.cancel(ping.id, ann))
  })

  const deletions: [string, (ping: Ping) => Promise<{ status: number }>][] = [
    ['the ping is deleted while it is live', ({ id }) => cast.pings.remove(id, ann)],
    ['the newest ping is deleted', () => cast.server.request('DELETE', '/api/pings/my-ping', { as: ann })],
  ]
  it.each(deletions)('if %s', async (_how, remove) => {
    const { ping, chat } = await cast.pinChat()
    cast.server.clock.advance(20 * minuteMs)
    await expectMove(chat, -10 * minuteMs, () => remove(ping))
  })
})

describe('the date of a chat stays', () => {
  it('if the ping is deleted after its end, also by the job', async () => {
    const { ping, chat } = await cast.pinChat()
    cast.server.clock.advance(2 * dayMs)
    expect(await changesDuring(() => cast.pings.remove(ping.id, ann))).toEqual([[], []])
    expect(await cast.dateOf(chat)).toBe(chat.erase_at)
  })

  it('if other fields of the ping change, people are invited, or the chat gets messages, members and names', async () => {
    const { ping, chat } = await cast.pinChat()
    const dan = await cast.signUp('dan')
    await cast.server.befriend(ann, dan)
    await cast.pings.change(ping.id, { name: 'Tea' }, ann)
    await cast.pings.invite(ping.id, [dan], ann)
    await cast.chats.say(chat.id, ann)
    await cast.chats.rename(chat.id, ann, 'Tea Chat')
    await cast.chats.leave(chat.id, cat)
    cast.server.clock.advance(dayMs)
    await cast.server.app.pingJobs.runDue()
    expect(await cast.dateOf(chat)).toBe(chat.erase_at)
  })
})

describe('the channel of a chat', () => {
  it('is closed for its members by the erasure, and opens for nobody from the date on', async () => {
    const gateway = { origin: cast.server.url.replace('http', 'ws') } as TestGateway
    const join = async (person: Person, { id }: Conversation) => {
      const device = await connect(gateway)
      const topic = `realtime:${conversationTopic(id)}`
      const reply = await device.join(topic, '1', person.session.access_token, { broadcast: {} })
      return { device, topic, status: reply.payload['status'] }
    }
    const { chat } = await cast.pinChat()
    const bobs = await join(bob, chat)
    expect(bobs.status).toBe('ok')
    cast.advanceTo(chat)
    const late = await join(cat, chat)
    expect(late.status).toBe('error')
    await cast.eraseDue()
    const closed = await bobs.device.next(({ topic, event }) => topic === bobs.topic && event === 'phx_close')
    expect(closed.event).toBe('phx_close')
    for (const { device } of [bobs, late]) device.webSocket.terminate()
  })
})
