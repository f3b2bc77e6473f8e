import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Listener, type Person, receivedBy } from '../../test/harness.ts'
import { type Cast, chatTables, startCast } from './harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let dan: Person
let eve: Person
let everyone: Person[]
let listeners: Listener[]

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat, dan, eve } = cast)
  everyone = [ann, bob, cat, dan, eve]
})

beforeEach(async () => {
  listeners = await Promise.all(everyone.map((person) => cast.server.listen(person, [...chatTables, 'users'])))
})

afterEach(async () => {
  await Promise.all(listeners.map((listener) => listener.close()))
  await cast.clear()
})

afterAll(() => cast.server.close())

/** What ann, bob, cat, dan and eve have received since the last call, or since the test began, shortened. */
async function received() {
  const all = await Promise.all(
    everyone.map((person, index) => receivedBy(cast.server, person, listeners[index] as Listener)),
  )
  for (const listener of listeners) (listener.received as unknown[]).length = 0
  return all.map((changes) =>
    changes.map(({ table, eventType, new: record, old }) => {
      const row = eventType === 'DELETE' ? old : record
      const who = everyone.find(({ id }) => id === row['user_id'])?.username
      if (table === 'messages') return `message ${eventType} ${row['seq']} ${row['content']}`
      if (table === 'chats') return `chat ${eventType} ${row['name']} ${row['role']} ${row['unread_count']}`
      if (table === 'message_read_receipts') return `read ${eventType} ${who} ${row['last_read_seq']}`
      return `ping ${eventType} ${row['conversation_id'] === null ? 'alone' : 'with chat'}`
    }),
  )
}

describe('a conversation', () => {
  it('is announced to its members when it is created, renamed and deleted, and to nobody else', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    const begun = (role: string) => [`chat INSERT Walks ${role} 0`]
    expect(await received()).toEqual([begun('admin'), begun('member'), begun('member'), [], []])
    await cast.create(ann, [bob, cat], { name: '' })
    await cast.rename(id, ann, 'Talks')
    await cast.rename(id, ann, 'Talks')
    await cast.rename(id, bob, 'Mine')
    const named = (role: string) => [`chat UPDATE Talks ${role} 0`]
    expect(await received()).toEqual([named('admin'), named('member'), named('member'), [], []])
    await cast.end(id, bob)
    await cast.end(id, ann)
    const ended = (role: string) => [`chat DELETE Talks ${role} 0`]
    expect(await received()).toEqual([ended('admin'), ended('member'), ended('member'), [], []])
  })

  it('with two members is announced once, to each as they see it', async () => {
    const { id } = await cast.make(ann, [bob])
    await cast.create(bob, [ann])
    for (const listener of listeners.slice(0, 2)) await listener.until(({ table }) => table === 'chats')
    expect(listeners.slice(0, 2).map((listener) => listener.received.map((change) => change.new))).toEqual(
      [ann, bob].map((person) => [
        {
          id,
          user_id: person.id,
          name: null,
          type: 'direct',
          role: 'member',
          updated_at: cast.server.clock.now().toISOString(),
          unread_count: 0,
          pinned_at: null,
          archived_at: null,
          erase_at: null,
          kept_at: null,
          keep_count: 0,
        },
      ]),
    )
    expect(await received()).toEqual([['chat INSERT null member 0'], ['chat INSERT null member 0'], [], [], []])
  })

  it('with two members disappears for both after a block, and returns to both after the last block ends', async () => {
    await cast.make(ann, [bob])
    await cast.make(ann, [cat])
    await received()
    await cast.block(ann, bob)
    await cast.block(ann, bob)
    expect(await received()).toEqual([['chat DELETE null member 0'], ['chat DELETE null member 0'], [], [], []])
    await cast.unblock(ann, bob)
    await cast.unblock(ann, bob)
    expect(await received()).toEqual([['chat INSERT null member 0'], ['chat INSERT null member 0'], [], [], []])
    await cast.server.befriend(ann, bob)
    await cast.unfriend(ann, bob)
    expect(await received()).toEqual([[], [], [], [], []])
    await cast.server.befriend(ann, bob)
  })
})

describe('a message', () => {
  it('is announced to every member as they would read it, with their unread count', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    await received()
    const { chat_id: _, read: __, reactions: ___, ...row } = await cast.say(id, bob, 'one')
    for (const listener of listeners.slice(0, 3)) {
      expect((await listener.until(({ table }) => table === 'messages')).new).toEqual(row)
    }
    await cast.send(id, eve, 'not in it')
    await cast.send(id, bob, ' ')
    const to = (role: string, unread: number) => ['message INSERT 1 one', `chat UPDATE Walks ${role} ${unread}`]
    expect(await received()).toEqual([to('admin', 1), to('member', 0), to('member', 1), [], []])
  })

  it('that is repeated is not announced again', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    const client_id = '01900000-0000-4000-8000-000000000001'
    await cast.send(id, bob, 'one', client_id)
    await received()
    await cast.send(id, bob, 'one', client_id)
    expect(await received()).toEqual([[], [], [], [], []])
  })

  it('that is read is announced to every member once, and the unread count to its reader', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    await cast.say(id, ann, 'one')
    await received()
    await cast.markRead(id, bob)
    await cast.markRead(id, bob)
    await cast.markRead(id, ann)
    await cast.markRead(id, eve)
    const read = 'read UPDATE bob 1'
    expect(await received()).toEqual([[read], [read, 'chat UPDATE Walks member 0'], [read], [], []])
  })

  it('that is deleted is announced to every member without its text, and the unread count to those who had not read it', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    const message = await cast.say(id, bob, 'secret')
    cast.server.clock.advance(1)
    await cast.say(id, bob, 'last')
    await cast.markRead(id, ann)
    await received()
    await cast.erase(message.id, cat)
    await cast.erase(message.id, bob)
    const gone = 'message DELETE 1 '
    expect(await received()).toEqual([[gone], [gone], [gone, 'chat UPDATE Walks member 1'], [], []])
  })

  it('that was the latest one and is deleted moves the conversation to its older position for everyone', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    const first = await cast.say(id, bob, 'first')
    cast.server.clock.advance(1)
    const last = await cast.say(id, bob, 'last')
    for (const who of [ann, cat]) await cast.markRead(id, who)
    await received()
    await cast.erase(last.id, bob)
    const update = await listeners[1]?.until(({ table, eventType }) => table === 'chats' && eventType === 'UPDATE')
    expect(update?.new['updated_at']).toBe(first.created_at)
    const announcements = (role: string) => ['message DELETE 2 ', `chat UPDATE Walks ${role} 0`]
    expect(await received()).toEqual([announcements('admin'), announcements('member'), announcements('member'), [], []])
  })
})

describe('membership', () => {
  it('that begins is announced to the new member, and with the read position to every member', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    await cast.say(id, bob, 'before')
    await received()
    await cast.add(id, ann, eve)
    await cast.add(id, ann, dan)
    await cast.add(id, ann, dan)
    const joined = 'read INSERT dan 1'
    expect(await received()).toEqual([[joined], [joined], [joined], ['chat INSERT Walks member 0', joined], []])
    await cast.say(id, dan, 'hi')
    expect((await received())[3]).toEqual(['message INSERT 2 hi', 'chat UPDATE Walks member 0'])
  })

  it('that ends stops the changes to its member at once, and is announced to the remaining members', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    await received()
    await cast.remove(id, ann, bob)
    const message = await cast.say(id, ann, 'without bob')
    await cast.markRead(id, cat)
    await cast.erase(message.id, ann)
    await cast.rename(id, ann, 'Without')
    const [toAnn, toBob, toCat] = await received()
    expect(toBob).toEqual(['chat DELETE Walks member 0'])
    expect(toAnn?.[0]).toBe('read DELETE bob 0')
    expect(toCat?.[0]).toBe('read DELETE bob 0')
    expect([toAnn?.length, toCat?.length]).toEqual([6, 7])
  })

  it('of the last admin that ends makes another admin, who alone receives the new role', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    await cast.server.db`update chat_members set joined_at = joined_at - interval '1 s' where user_id = ${cat.id}`
    await received()
    await cast.leave(id, ann)
    const went = 'read DELETE ann 0'
    expect(await received()).toEqual([
      ['chat DELETE Walks admin 0'],
      [went],
      [went, 'chat UPDATE Walks admin 0'],
      [],
      [],
    ])
  })

  it('of a deleted account is announced as if the user had left', async () => {
    const gus = await cast.server.signUp('gus')
    await cast.server.befriend(ann, gus)
    await cast.server.befriend(cat, gus)
    const { id } = await cast.group(gus, [ann, cat])
    await cast.make(gus, [ann])
    await cast.say(id, ann)
    await received()
    await cast.eraseAccount(gus)
    const [toAnn, toBob, toCat] = await received()
    expect(toBob).toEqual([])
    const ended = 'read DELETE undefined 0'
    expect([...(toAnn ?? []), ...(toCat ?? [])].filter((what) => what === ended)).toHaveLength(3)
    expect(
      [...(toAnn ?? []), ...(toCat ?? [])].filter((what) => what.startsWith('chat UPDATE Walks admin')),
    ).toHaveLength(1)
  })
})

describe('the chat of a ping', () => {
  it('is announced with the ping to the users who see it, when it is created and deleted, and to nobody else', async () => {
    const ping = await cast.drop(ann, [bob, cat, dan], { is_public: true })
    await cast.unfriend(ann, dan)
    await received()
    const fields = { name: 'Coffee Chat', ping_id: ping.id, system_created: true }
    const { id } = await cast.make(ann, [bob, cat], fields)
    await cast.create(ann, [bob, cat], fields)
    const begun = (role: string) => ['ping UPDATE with chat', `chat INSERT Coffee Chat ${role} 0`]
    expect(await received()).toEqual([begun('admin'), begun('member'), begun('member'), [], []])
    await cast.leave(id, bob)
    await received()
    await cast.end(id, ann)
    const ended = (role: string) => [`chat DELETE Coffee Chat ${role} 0`, 'ping UPDATE alone']
    expect(await received()).toEqual([ended('admin'), ['ping UPDATE alone'], ended('member'), [], []])
    await cast.server.befriend(ann, dan)
  })

  it('is announced as deleted when its last member leaves', async () => {
    const ping = await cast.drop(ann, [bob, cat])
    const { id } = await cast.make(ann, [bob, cat], { name: 'Coffee Chat', ping_id: ping.id })
    for (const who of [ann, bob]) await cast.leave(id, who)
    await received()
    await cast.leave(id, cat)
    const alone = 'ping UPDATE alone'
    expect(await received()).toEqual([[alone], [alone], ['chat DELETE Coffee Chat admin 0', alone], [], []])
  })
})
