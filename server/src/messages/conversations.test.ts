import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../test/harness.ts'
import { adminsOnly, type Cast, friendsOnly, lastMessageOf, noConversation, startCast, unknownId } from './harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let dan: Person
let eve: Person

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat, dan, eve } = cast)
})

afterEach(() => cast.clear())
afterAll(() => cast.server.close())

const fieldError = (at: string, msg: string) => ({
  status: 422,
  body: { detail: [{ loc: ['body', at], msg, type: 'value_error' }] },
})
const incomplete = 'Group chat requires a name and at least 2 friends'
const groupsOnly = { status: 403, body: { detail: 'Only group chats can be changed', code: 'direct_unmanageable' } }

const roles = async (id: ConversationId, who: Person) =>
  (await cast.open(id, who)).body.participants.map(({ username, role }) => `${username} ${role}`).sort()

describe('a direct conversation', () => {
  it('has two members, no name and no admin, and looks the same to both', async () => {
    const made = await cast.make(ann, [bob])
    const now = cast.server.clock.now().toISOString()
    const one = (person: Person) => ({
      user_id: person.id,
      username: person.username,
      display_name: null,
      has_image: false,
      role: 'member',
      last_read_seq: 0,
    })
    const common = {
      id: expect.any(String),
      name: null,
      type: 'direct',
      ping_id: null,
      system_created: false,
      created_at: now,
      updated_at: now,
      unread_count: 0,
      last_message: null,
      pinned_at: null,
      archived_at: null,
      erase_at: null,
      kept_at: null,
      keep_requests: null,
    }
    const other = (person: Person) => ({
      user_id: person.id,
      username: person.username,
      display_name: null,
      has_image: false,
    })
    const people = { participants: expect.arrayContaining([one(ann), one(bob)]) }
    expect(made).toEqual({ ...common, ...people, direct_participant: other(bob) })
    expect(await cast.list(bob)).toEqual([{ ...common, ...people, direct_participant: other(ann) }])
    expect(await cast.summaries(bob)).toEqual([{ ...common, direct_participant: other(ann) }])
    expect(await cast.list(cat)).toEqual([])
    expect(await cast.open(made.id, cat)).toMatchObject(noConversation)
  })

  it('is created once, whichever member requests it again', async () => {
    const { id } = await cast.make(ann, [bob])
    expect(await cast.create(ann, [bob])).toMatchObject({ status: 200, body: { id } })
    expect(await cast.create(bob, [ann], { name: null, ping_id: null })).toMatchObject({ status: 200, body: { id } })
    const loud = { participant_ids: [bob.id.toUpperCase() as UserId, bob.id, ann.id] }
    expect(await cast.create(ann, [], loud)).toMatchObject({ status: 200, body: { id } })
    expect((await cast.create(ann, [cat])).body.id).not.toBe(id)
  })

  it('requires friendship, and does not reveal who exists', async () => {
    expect(await cast.create(ann, [eve])).toMatchObject(friendsOnly)
    expect(await cast.create(ann, [{ ...eve, id: unknownId as UserId }])).toMatchObject(friendsOnly)
    await cast.make(ann, [bob])
    await cast.unfriend(ann, bob)
    expect(await cast.create(ann, [bob])).toMatchObject(friendsOnly)
    expect(await cast.list(ann)).toHaveLength(1)
    await cast.server.befriend(ann, bob)
  })

  it('cannot be managed or left', async () => {
    const { id } = await cast.make(ann, [bob])
    expect(await cast.rename(id, ann, 'Name')).toMatchObject(groupsOnly)
    expect(await cast.add(id, ann, cat)).toMatchObject(groupsOnly)
    expect(await cast.remove(id, ann, bob)).toMatchObject(groupsOnly)
    expect(await cast.end(id, ann)).toMatchObject(groupsOnly)
    const notLeft = { status: 400, body: { detail: 'You can only leave a group chat', code: 'direct_not_left' } }
    expect(await cast.leave(id, ann)).toMatchObject(notLeft)
    for (const call of [cast.leave(id, eve), cast.end(id, eve), cast.rename(id, eve, 'Name')])
      expect(await call).toMatchObject(noConversation)
  })

  it('disappears for both after a block, and returns after the last block ends', async () => {
    const { id } = await cast.make(ann, [bob])
    const message = await cast.say(id, bob, 'kept')
    await cast.block(bob, ann)
    for (const who of [ann, bob]) {
      expect(await cast.list(who)).toEqual([])
      expect(await cast.summaries(who)).toEqual([])
      expect(await cast.open(id, who)).toMatchObject(noConversation)
      expect(await cast.send(id, who)).toMatchObject(noConversation)
      expect(await cast.markRead(id, who)).toMatchObject(noConversation)
      expect((await cast.erase(message.id, who)).status).toBe(404)
    }
    await cast.unblock(ann, bob)
    expect(await cast.list(ann)).toEqual([])
    await cast.unblock(bob, ann)
    for (const who of [ann, bob]) {
      expect((await cast.open(id, who)).body.message_details.messages).toMatchObject([{ content: 'kept' }])
      expect(await cast.send(id, who)).toMatchObject(friendsOnly)
    }
    await cast.server.befriend(ann, bob)
    await cast.say(id, ann)
  })
})

describe('a group', () => {
  it('is created by its admin with friends, without duplicates', async () => {
    const fields = { name: '  Walks ', participant_ids: [bob.id, cat.id, bob.id.toUpperCase() as UserId, ann.id] }
    const made = await cast.make(ann, [], fields)
    expect(made).toMatchObject({ name: 'Walks', type: 'group', system_created: false, direct_participant: null })
    for (const who of [ann, bob, cat])
      expect(await roles(made.id, who)).toEqual(['ann admin', 'bob member', 'cat member'])
    expect((await cast.make(ann, [bob, cat], { name: '𝄞'.repeat(80) })).name).toHaveLength(160)
    expect(await cast.list(bob)).toHaveLength(2)
  })

  it('requires a name and two other members, and names the error', async () => {
    for (const name of ['', '   ', 'x'.repeat(81), null])
      expect(await cast.create(ann, [bob, cat], { name })).toMatchObject(fieldError('name', incomplete))
    expect(await cast.create(ann, [bob], { name: 'Two' })).toMatchObject(fieldError('participant_ids', incomplete))
    const self = { name: 'Two', participant_ids: [ann.id, bob.id, bob.id] }
    expect(await cast.create(ann, [], self)).toMatchObject(fieldError('participant_ids', incomplete))
    expect((await cast.create(ann, [])).status).toBe(422)
    for (const body of [
      {},
      { participant_ids: 'x' },
      { participant_ids: ['x'] },
      { participant_ids: [bob.id], name: 5 },
    ])
      expect((await cast.server.request('POST', '/api/messages/conversations', { body, as: ann })).status).toBe(422)
    expect(await cast.list(ann)).toEqual([])
  })

  it('accepts only friends of its creator', async () => {
    expect(await cast.create(ann, [bob, eve], { name: 'Walks' })).toMatchObject(friendsOnly)
    expect(await cast.create(dan, [ann, bob], { name: 'Walks' })).toMatchObject(friendsOnly)
    expect(await cast.list(ann)).toEqual([])
  })

  it('is renamed by its admin', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    expect(await cast.rename(id, ann, ' Talks ')).toMatchObject({ status: 200, body: { name: 'Talks' } })
    expect(await cast.rename(id, bob, 'Mine')).toMatchObject(adminsOnly)
    expect(await cast.rename(id, eve, 'Mine')).toMatchObject(noConversation)
    const invalid = fieldError('name', 'Please enter a name of 1 to 80 characters.')
    for (const name of ['', ' \n', 'x'.repeat(81)]) expect(await cast.rename(id, ann, name)).toMatchObject(invalid)
    expect((await cast.list(bob))[0]?.name).toBe('Talks')
  })

  it('is deleted by its admin with all messages', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    await cast.say(id, bob)
    expect(await cast.end(id, bob)).toMatchObject(adminsOnly)
    expect(await cast.end(id, eve)).toMatchObject(noConversation)
    expect(await cast.end(id, ann)).toMatchObject({ status: 204, body: null })
    expect(await cast.end(id, ann)).toMatchObject(noConversation)
    expect(await cast.list(bob)).toEqual([])
    expect(await cast.server.db`select 1 from messages`).toHaveLength(0)
  })

  it('stays unchanged when two members stop being friends or block each other', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    await cast.block(bob, ann)
    await cast.say(id, ann, 'still here')
    expect((await cast.open(id, bob)).body.message_details.messages).toHaveLength(1)
    await cast.unblock(bob, ann)
    await cast.server.befriend(ann, bob)
  })

  it('refuses a body that names another conversation than the path', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    const differs = fieldError('conversation_id', 'The conversation is not the one of the address.')
    for (const [method, path, body] of [
      ['POST', 'participants/add', { user_id: dan.id }],
      ['POST', 'participants/remove', { user_id: bob.id }],
      ['PUT', 'name', { name: 'Talks' }],
    ] as const) {
      const at = `/api/messages/conversations/${id}/${path}`
      const ask = (conversation_id: string) =>
        cast.server.request(method, at, { body: { ...body, conversation_id }, as: ann })
      expect(await ask(unknownId)).toMatchObject(differs)
      expect((await ask(id.toUpperCase())).status).toBe(200)
      expect((await cast.server.request(method, at, { body, as: eve })).status).toBe(404)
      expect((await cast.server.request(method, at, { body })).status).toBe(401)
    }
  })
})

describe('the list of conversations', () => {
  it('has exactly the fields of the contract, latest message first, as each conversation has them alone', async () => {
    const direct = await cast.make(ann, [bob])
    const group = await cast.group(ann, [bob, cat])
    await cast.say(group.id, cat)
    cast.server.clock.advance(1000)
    await cast.say(direct.id, bob, 'A "quoted" line\nand ü')
    const alone = await Promise.all(
      [direct, group].map(async ({ id }) => {
        // A serializer removes all other fields from this response, but not from the list.
        const { message_details, ...conversation } = (await cast.open(id, ann)).body
        return { ...conversation, last_message: lastMessageOf(message_details.messages.at(-1)) }
      }),
    )
    expect(await cast.list(ann)).toStrictEqual(alone)
    expect(await cast.summaries(ann)).toStrictEqual(alone.map(({ participants: _, ...summary }) => summary))
  })

  it('is sorted by the latest message, or by creation without messages', async () => {
    const names = async (who: Person) => (await cast.list(who)).map(({ name }) => name)
    const first = await cast.group(ann, [bob, cat], { name: 'first' })
    cast.server.clock.advance(1000)
    await cast.group(ann, [bob, cat], { name: 'second' })
    expect(await names(bob)).toEqual(['second', 'first'])
    cast.server.clock.advance(1000)
    const message = await cast.say(first.id, cat, 'news')
    for (const list of [await cast.list(bob), await cast.summaries(bob)]) {
      expect(list.map(({ name }) => name)).toEqual(['first', 'second'])
      expect(list[0]).toMatchObject({
        updated_at: message.created_at,
        unread_count: 1,
        last_message: lastMessageOf(message),
      })
    }
    expect(await names(eve)).toEqual([])
    for (const path of ['', '/summaries', `/${first.id}`]) {
      expect((await cast.server.request('GET', `/api/messages/conversations${path}`)).status).toBe(401)
    }
  })
})
