import type { ConversationId, MessageId } from '@hither/contract/ids.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Listener, type Person, receivedBy } from '../../../test/harness.ts'
import { connect, type TestGateway } from '../../realtime/harness.ts'
import { type Cast, friendsOnly, noMessage, startCast, unknownId } from '../harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let eve: Person
let id: ConversationId
let message: MessageId

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat, eve } = cast)
})

beforeEach(async () => {
  id = (await cast.group(ann, [bob, cat])).id
  message = (await cast.say(id, bob, 'See you at 8')).id
})

afterEach(() => cast.clear())
afterAll(() => cast.server.close())

const minuteMs = 60_000
const lastOf = async (who: Person) => (await cast.open(id, who)).body.message_details.messages.at(-1)

/** Every table whose rows contain a text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await cast.server.db<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const { db } = cast.server
      return (await db`select 1 from ${db(name)} t where strpos(t::text, ${text}) > 0 limit 1`).length > 0 ? [name] : []
    }),
  )
  return found.flat()
}

describe('an edit', () => {
  it('by the sender replaces the text for everybody, and keeps position and order', async () => {
    await cast.say(id, ann, 'Fine')
    const before = await cast.list(ann)
    cast.server.clock.advance(minuteMs)
    const edited_at = cast.server.clock.now().toISOString()
    const { status, body } = await cast.edit(message, bob, ' See you at 9 ')
    expect([status, body.message]).toMatchObject([200, { id: message, seq: 1, content: 'See you at 9', edited_at }])
    const { messages } = (await cast.open(id, ann)).body.message_details
    expect(messages.map(({ content, edited_at }) => [content, edited_at])).toEqual([
      ['See you at 9', edited_at],
      ['Fine', null],
    ])
    expect(await cast.list(ann)).toEqual(before)
  })

  it('is allowed for fifteen minutes', async () => {
    cast.server.clock.advance(15 * minuteMs - 1000)
    expect((await cast.edit(message, bob, 'See you at 9')).status).toBe(200)
    cast.server.clock.advance(2000)
    const detail = 'Messages can be edited for 15 minutes after sending.'
    expect(await cast.edit(message, bob, 'See you at 10')).toMatchObject({ status: 409, body: { detail } })
    expect((await lastOf(ann))?.content).toBe('See you at 9')
  })

  it('is refused to members and admins, and strangers get the refusal of an unknown message', async () => {
    const refused = {
      status: 403,
      body: { detail: 'Only the sender can edit a message', code: 'message_not_editable' },
    }
    expect(await cast.edit(message, cat, 'x')).toMatchObject(refused)
    expect(await cast.edit(message, ann, 'x')).toMatchObject(refused)
    const deleted = (await cast.say(id, bob)).id
    await cast.erase(deleted, bob)
    await cast.leave(id, cat)
    for (const [who, target] of [
      [eve, message],
      [cat, message],
      [bob, deleted],
      [bob, unknownId as MessageId],
    ] as const)
      expect(await cast.edit(target, who, 'x')).toMatchObject(noMessage)
  })

  it('to an empty or too long text is refused', async () => {
    for (const content of ['', ' \n ', 'x'.repeat(4001), 'x'.repeat(8001)])
      expect(await cast.edit(message, bob, content)).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', 'content'], type: 'message_invalid' }] },
      })
  })

  it('of a caption may remove it, and keeps the place', async () => {
    const place = { latitude: 45.5, longitude: -122.6, name: 'Nero', address: null }
    const { body } = await cast.post(id, bob, { content: 'Here!', place })
    const attachment = { type: 'place', caption: '', ...place }
    const edited = await cast.edit(body.message.id, bob, '')
    expect(edited.body.message).toMatchObject({ content: '📍 Nero', attachment })
    expect(await lastOf(ann)).toMatchObject({ content: '📍 Nero', attachment })
  })

  it('by a former friend is refused', async () => {
    const direct = await cast.make(bob, [cat])
    const said = (await cast.say(direct.id, bob)).id
    await cast.unfriend(bob, cat)
    expect(await cast.edit(said, bob, 'x')).toMatchObject(friendsOnly)
    await cast.block(cat, bob)
    expect(await cast.edit(said, bob, 'x')).toMatchObject(noMessage)
    await cast.unblock(cat, bob)
    await cast.server.befriend(bob, cat)
  })
})

describe('the former text of an edited message', () => {
  let listener: Listener

  beforeEach(async () => {
    listener = await cast.server.listen(cat, ['messages', 'chats', 'users'])
  })
  afterEach(() => listener.close())

  it('is in no table, answer or later event', async () => {
    // No other test has this text: the outbox keeps the events of all of them.
    const former = 'at a quarter past'
    message = (await cast.say(id, bob, `See you ${former}`)).id
    await cast.post(id, ann, { content: 'Yes!', reply_to_id: message })
    expect((await tablesWith(former)).sort()).toEqual(['messages', 'outbox'])
    const before = (await receivedBy(cast.server, cat, listener)).length
    await cast.edit(message, bob, 'See you at 9')
    expect(await tablesWith(former)).toEqual([])
    expect(JSON.stringify((await cast.open(id, ann)).body)).not.toContain(former)
    const later = (await receivedBy(cast.server, cat, listener)).slice(before)
    expect(later.map(({ table, eventType }) => [table, eventType])).toEqual([['messages', 'UPDATE']])
    expect(JSON.stringify(later)).not.toContain(former)
    expect(later[0]?.old).toEqual({ id: message, conversation_id: id })
    expect(later[0]?.new).toMatchObject({ content: 'See you at 9', edited_at: expect.any(String) })
  })

  it('is not replaced by the same text, and nothing is announced', async () => {
    const before = (await receivedBy(cast.server, cat, listener)).length
    expect(await cast.edit(message, bob, ' See you at 8 ')).toMatchObject({
      status: 200,
      body: { message: { edited_at: null } },
    })
    expect((await receivedBy(cast.server, cat, listener)).slice(before)).toEqual([])
  })
})

describe('a device that was offline does not receive in a quote the text of a message that was', () => {
  /** Connects a device of cat, which has handled everything up to `after`. */
  async function join(after?: unknown) {
    const device = await connect({ origin: cast.server.url.replace('http', 'ws') } as TestGateway)
    const config = { postgres_changes: [{ event: '*', schema: 'public', table: 'messages' }] }
    await device.join('realtime:chat', '1', cat.session.access_token, config, { resume: { after } })
    return device
  }

  /** What the device receives after an absence, in which a message is sent, quoted and then changed. */
  async function receivedAfter(text: string, change: (message: MessageId) => Promise<unknown>) {
    const before = await join()
    await cast.say(id, ann, 'Before')
    const { commit_timestamp: handled } = await before.change()
    before.webSocket.terminate()
    await before.closed
    const place = { latitude: 45.5, longitude: -122.6 }
    for (const fields of [{ content: text }, { content: text, place }]) {
      const quoted = (await cast.post(id, bob, fields)).body.message.id
      await cast.post(id, ann, { content: 'Yes!', reply_to_id: quoted })
      await change(quoted)
    }
    await cast.server.app.catchUp()
    const after = await join(handled)
    const frames = await after.settle()
    expect(frames.filter(({ event }) => event === 'system').map(({ payload }) => payload.extension)).not.toContain(
      'resync',
    )
    after.webSocket.terminate()
    return frames
      .filter(({ event }) => event === 'postgres_changes')
      .map(({ payload }) => payload.data as { type: string; record?: { content: string; reply_to: unknown } })
  }

  it('edited', async () => {
    const former = 'at a quarter to'
    const received = await receivedAfter(former, (quoted) => cast.edit(quoted, bob, 'See you at 9'))
    expect(JSON.stringify(received)).not.toContain(former)
    expect(received.map(({ type, record }) => [type, record?.content, record?.reply_to])).toEqual(
      ['text', 'place'].flatMap((kind) => [
        ['INSERT', 'See you at 9', null],
        ['INSERT', 'Yes!', expect.objectContaining({ kind, excerpt: 'See you at 9' })],
        ['UPDATE', 'See you at 9', null],
      ]),
    )
    expect(await tablesWith(former)).toEqual([])
  })

  it('deleted', async () => {
    const former = 'at a quarter of'
    const received = await receivedAfter(former, (quoted) => cast.erase(quoted, bob))
    expect(JSON.stringify(received)).not.toContain(former)
    expect(received.map(({ type, record }) => [type, record?.content, record?.reply_to])).toEqual(
      [0, 1].flatMap(() => [
        ['INSERT', 'Yes!', expect.objectContaining({ kind: 'deleted', excerpt: null })],
        ['DELETE', undefined, undefined],
      ]),
    )
    expect(await tablesWith(former)).toEqual([])
  })
})
