import { randomUUID } from 'node:crypto'
import type { ConversationId, MessageId } from '@hither/contract/ids.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../test/harness.ts'
import { type Cast, friendsOnly, noConversation, noMessage, startCast, unknownId } from '../harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let eve: Person
let id: ConversationId

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat, eve } = cast)
})

beforeEach(async () => {
  id = (await cast.group(ann, [bob, cat])).id
})

afterEach(() => cast.clear())
afterAll(() => cast.server.close())

const contents = async (who: Person) => (await cast.open(id, who)).body.message_details.messages.map((m) => m.content)
const unread = async (who: Person) => (await cast.summaries(who)).find((one) => one.id === id)?.unread_count

describe('sending a message', () => {
  it('returns the message with its position, trimmed, and every member reads it', async () => {
    await cast.say(id, ann, 'first')
    const client_id = randomUUID()
    const { status, body } = await cast.send(id, bob, '  two\nlines \n', client_id)
    expect(status).toBe(201)
    expect(body.message).toEqual({
      id: expect.any(String),
      conversation_id: id,
      chat_id: id,
      seq: 2,
      sender_id: bob.id,
      sender_username: 'bob',
      sender_display_name: null,
      content: 'two\nlines',
      created_at: cast.server.clock.now().toISOString(),
      read: false,
      client_id,
      edited_at: null,
      reply_to: null,
      reactions: [],
      attachment: null,
    })
    for (const who of [ann, bob, cat]) {
      const { messages } = (await cast.open(id, who)).body.message_details
      expect(messages.map(({ content }) => content)).toEqual(['first', 'two\nlines'])
      expect(messages[1]).toEqual({ ...body.message, read: false })
    }
  })

  it('refuses an empty message, and text that is one character too long', async () => {
    const fieldError = {
      loc: ['body', 'content'],
      msg: 'Please enter a message of 1 to 4000 characters.',
      type: 'message_invalid',
    }
    for (const content of ['', ' \n\t ', '𝄞'.repeat(4001), '𝄞'.repeat(8001), 'a\0b']) {
      expect(await cast.send(id, ann, content)).toMatchObject({ status: 422, body: { detail: [fieldError] } })
    }
    expect((await cast.send(id, ann, ` ${'𝄞'.repeat(4000)} `)).status).toBe(201)
    for (const body of [
      {},
      { conversation_id: id },
      { conversation_id: id, content: 5 },
      { conversation_id: 'x', content: 'a' },
    ]) {
      expect((await cast.server.request('POST', '/api/messages/send', { body, as: ann })).status).toBe(422)
    }
    expect(await contents(ann)).toHaveLength(1)
  })

  it('requires authentication and membership', async () => {
    expect(await cast.send(id, eve)).toMatchObject(noConversation)
    expect(await cast.send(unknownId as ConversationId, ann)).toMatchObject(noConversation)
    const body = { conversation_id: id, content: 'Hello' }
    expect((await cast.server.request('POST', '/api/messages/send', { body })).status).toBe(401)
    expect(await contents(ann)).toEqual([])
  })

  it('twice with one client_id stores it once, in any case of the id', async () => {
    const client_id = randomUUID()
    const first = await cast.send(id, ann, 'once', client_id)
    const again = await cast.send(id, ann, 'another text', client_id.toUpperCase())
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    expect(await contents(bob)).toEqual(['once'])
    expect(await unread(bob)).toBe(1)
  })

  it('with the client_id of another user, or without one, stores a new message', async () => {
    const client_id = randomUUID()
    expect((await cast.send(id, ann, 'a', client_id)).status).toBe(201)
    expect((await cast.send(id, bob, 'b', client_id)).status).toBe(201)
    for (const given of [{}, { client_id: null }]) {
      const body = { conversation_id: id, content: 'c', ...given }
      expect((await cast.server.request('POST', '/api/messages/send', { body, as: ann })).status).toBe(201)
    }
    expect(await contents(ann)).toEqual(['a', 'b', 'c', 'c'])
  })

  it('again does not restore a deleted message', async () => {
    const client_id = randomUUID()
    const { body } = await cast.send(id, ann, 'gone', client_id)
    await cast.erase(body.message.id, ann)
    expect(await cast.send(id, ann, 'gone', client_id)).toMatchObject(noMessage)
    expect(await contents(ann)).toEqual([])
  })

  it('again returns the message only if its sender may still see it', async () => {
    const client_id = randomUUID()
    await cast.send(id, bob, 'then', client_id)
    const other = await cast.group(bob, [ann, cat])
    expect(await cast.send(other.id, bob, 'now', client_id)).toMatchObject({
      status: 200,
      body: { message: { conversation_id: id, content: 'then' } },
    })
    await cast.remove(id, ann, bob)
    expect(await cast.send(id, bob, 'then', client_id)).toMatchObject(noConversation)
    expect(await cast.send(other.id, bob, 'now', client_id)).toMatchObject(noMessage)
  })

  it('to a former friend is refused, keeps earlier messages, and a retry of those adds none', async () => {
    const direct = await cast.make(ann, [bob])
    const client_id = randomUUID()
    const first = await cast.send(direct.id, ann, 'before', client_id)
    await cast.unfriend(bob, ann)
    for (const who of [ann, bob]) expect(await cast.send(direct.id, who)).toMatchObject(friendsOnly)
    expect(await cast.send(direct.id, ann, 'before', client_id)).toMatchObject({ status: 200, body: first.body })
    for (const who of [ann, bob]) {
      expect((await cast.open(direct.id, who)).body.message_details.messages).toHaveLength(1)
    }
    // In a group both users stay members.
    await cast.say(id, bob)
    await cast.server.befriend(ann, bob)
    await cast.say(direct.id, bob)
  })
})

describe('the unread count', () => {
  it('counts messages of others since the last read, and own messages do not change it', async () => {
    await cast.say(id, ann)
    await cast.say(id, ann)
    await cast.say(id, bob)
    await cast.say(id, bob)
    expect([await unread(ann), await unread(bob), await unread(cat)]).toEqual([2, 2, 4])
    expect(await cast.markRead(id, bob)).toMatchObject({ status: 200, body: { unread_count: 0 } })
    expect([await unread(ann), await unread(bob), await unread(cat)]).toEqual([2, 0, 4])
    await cast.say(id, bob)
    await cast.say(id, cat)
    expect([await unread(ann), await unread(bob), await unread(cat)]).toEqual([4, 1, 5])
  })

  it('can be reset again without an error, and only for oneself', async () => {
    await cast.say(id, ann)
    for (let again = 0; again < 2; again++) expect((await cast.markRead(id, bob)).body).toEqual({ unread_count: 0 })
    expect(await cast.markRead(id, eve)).toMatchObject(noConversation)
    expect(await unread(cat)).toBe(1)
  })

  it('marks a message as read for its readers, and for its sender once all others have read it', async () => {
    const { id: message } = await cast.say(id, ann)
    const read = async (who: Person) =>
      (await cast.open(id, who)).body.message_details.messages.find((one) => one.id === message)?.read
    expect([await read(ann), await read(bob), await read(cat)]).toEqual([false, false, false])
    await cast.markRead(id, bob)
    expect([await read(ann), await read(bob), await read(cat)]).toEqual([false, true, false])
    await cast.markRead(id, cat)
    expect([await read(ann), await read(bob), await read(cat)]).toEqual([true, true, true])
    expect((await cast.list(ann))[0]?.last_message).toMatchObject({ id: message, read: true })
    await cast.leave(id, bob)
    expect(await read(ann)).toBe(true)
    await cast.leave(id, cat)
    expect(await read(ann)).toBe(false)
  })
})

describe('deleting a message', () => {
  it('is allowed for its sender and the admin of a group, and keeps its position', async () => {
    const sent = [await cast.say(id, bob, 'one'), await cast.say(id, cat, 'two'), await cast.say(id, ann, 'three')]
    const [one, two, three] = sent.map((message) => message.id) as [MessageId, MessageId, MessageId]
    const notYours = {
      status: 403,
      body: { detail: 'Only its sender or a group admin can delete a message', code: 'message_not_yours' },
    }
    expect(await cast.erase(one, cat)).toMatchObject(notYours)
    expect(await cast.erase(three, cat)).toMatchObject(notYours)
    expect(await cast.erase(one, eve)).toMatchObject(noMessage)
    expect(await cast.erase(unknownId as MessageId, ann)).toMatchObject(noMessage)
    expect(await cast.erase(one, bob)).toMatchObject({ status: 204, body: null })
    expect(await cast.erase(one, bob)).toMatchObject(noMessage)
    expect((await cast.erase(two, ann)).status).toBe(204)
    const { body } = await cast.open(id, cat)
    expect(body.message_details.messages.map(({ seq }) => seq)).toEqual([3])
    expect(body.message_details.total).toBe(1)
    expect((await cast.say(id, bob)).seq).toBe(4)
    const rows = await cast.server.db`select content from messages where chat_id = ${id} order by seq`
    expect(rows.map((row) => row['content'])).toEqual(['', '', 'three', 'Hello'])
  })

  it('is allowed for its sender only in a direct conversation', async () => {
    const direct = await cast.make(ann, [bob])
    const message = await cast.say(direct.id, bob)
    expect((await cast.erase(message.id, ann)).status).toBe(403)
    await cast.unfriend(ann, bob)
    expect((await cast.erase(message.id, bob)).status).toBe(204)
    await cast.server.befriend(ann, bob)
  })

  it('reduces the unread count of members who had not read it, and of nobody else', async () => {
    const first = await cast.say(id, ann)
    await cast.markRead(id, bob)
    const second = await cast.say(id, ann)
    expect([await unread(bob), await unread(cat)]).toEqual([1, 2])
    await cast.erase(first.id, ann)
    expect([await unread(bob), await unread(cat)]).toEqual([1, 1])
    await cast.say(id, cat)
    await cast.erase(second.id, ann)
    expect([await unread(ann), await unread(bob), await unread(cat)]).toEqual([1, 1, 0])
    await cast.markRead(id, bob)
    await cast.say(id, ann)
    expect([await unread(ann), await unread(bob), await unread(cat)]).toEqual([1, 1, 1])
  })

  it('that is the latest one makes the previous one the latest and moves the conversation in the list', async () => {
    const other = await cast.group(ann, [bob, cat], { name: 'Other' })
    const first = await cast.say(id, ann, 'first')
    cast.server.clock.advance(1000)
    await cast.say(other.id, ann, 'middle')
    cast.server.clock.advance(1000)
    const last = await cast.say(id, bob, 'last')
    const order = async () => (await cast.list(ann)).map((one) => [one.name, one.last_message?.content])
    expect(await order()).toEqual([
      ['Walks', 'last'],
      ['Other', 'middle'],
    ])
    await cast.erase(last.id, bob)
    expect(await order()).toEqual([
      ['Other', 'middle'],
      ['Walks', 'first'],
    ])
    await cast.erase(first.id, ann)
    expect(await order()).toEqual([
      ['Other', 'middle'],
      ['Walks', undefined],
    ])
  })
})

describe('pages of messages', () => {
  const page = async (query: Parameters<Cast['open']>[2]) => {
    const { messages, ...rest } = (await cast.open(id, ann, query)).body.message_details
    return [messages.map(({ content }) => content).join(''), rest.total, rest.has_more]
  }
  let ids: MessageId[]

  beforeEach(async () => {
    ids = []
    for (const letter of 'abcdefg') ids.push((await cast.say(id, bob, letter)).id)
  })

  it('contain the newest in ascending order, and say exactly whether there are more', async () => {
    expect(await page({})).toEqual(['abcdefg', 7, false])
    expect(await page({ limit: 7 })).toEqual(['abcdefg', 7, false])
    expect(await page({ limit: 3 })).toEqual(['efg', 7, true])
    expect(await page({ limit: 3, offset: 3 })).toEqual(['bcd', 7, true])
    expect(await page({ limit: 3, offset: 4 })).toEqual(['abc', 7, false])
    expect(await page({ limit: 3, offset: 7 })).toEqual(['', 7, false])
  })

  it('before a message do not shift when others arrive or when that message is deleted', async () => {
    expect(await page({ limit: 2, before: ids[4] as MessageId })).toEqual(['cd', 7, true])
    await cast.say(id, ann, 'h')
    await cast.erase(ids[4] as MessageId, bob)
    expect(await page({ limit: 2, before: ids[4] as MessageId })).toEqual(['cd', 7, true])
    expect(await page({ limit: 4, before: ids[4] as MessageId })).toEqual(['abcd', 7, false])
    expect(await page({ before: ids[0] as MessageId })).toEqual(['', 7, false])
  })

  it('before an unknown message and one of another conversation get the same refusal', async () => {
    const other = await cast.group(ann, [bob, cat])
    const elsewhere = await cast.say(other.id, ann)
    for (const before of [elsewhere.id, unknownId as MessageId]) {
      expect(await cast.open(id, ann, { before })).toMatchObject(noMessage)
      expect(await cast.open(id, eve, { before })).toMatchObject(noConversation)
    }
  })

  it('have a size between 1 and 100', async () => {
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=x',
      'offset=-1',
      'offset=1.5',
      'before=x',
      'offset=99999999999',
    ]) {
      const { status } = await cast.server.request('GET', `/api/messages/conversations/${id}?${query}`, { as: ann })
      expect([query, status]).toEqual([query, 422])
    }
  })
})
