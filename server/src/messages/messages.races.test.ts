import { randomUUID } from 'node:crypto'
import type { ConversationId } from '@hither/contract/ids.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../test/harness.ts'
import { race } from '../../test/race.ts'
import type { Tx } from '../platform/db/database.ts'
import { type Cast, startCast } from './harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let dan: Person

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat, dan } = cast)
})

afterEach(() => cast.clear())
afterAll(() => cast.server.close())

const lockConversation = (id: ConversationId) => (tx: Tx) => tx`select 1 from chats where id = ${id} for update`
const lockPeople = (tx: Tx) => tx`select 1 from users order by id for update`

type Call = () => Promise<{ status: number }>

async function statusesOf(lock: (tx: Tx) => Promise<unknown>, ...calls: Call[]) {
  return (await race(cast.server.db, lock, ...calls)).map(({ status }) => status)
}

const seqs = async (id: ConversationId, who: Person) =>
  (await cast.open(id, who)).body.message_details.messages.map(({ seq, content }) => `${seq} ${content}`)
const unread = async (id: ConversationId, who: Person) =>
  (await cast.summaries(who)).find((one) => one.id === id)?.unread_count

/** Delays the first insert of its kind, so that the second one starts before the first is committed. */
async function atOnce(...calls: Call[]) {
  return (await race(cast.server.db, (tx) => tx`lock table chat_members in share row exclusive mode`, ...calls)).map(
    ({ status }) => status,
  )
}

describe('two concurrent creations', () => {
  it('of a direct conversation by both users make one conversation', async () => {
    const create = (who: Person, other: Person) => () => cast.create(who, [other])
    expect((await atOnce(create(ann, bob), create(bob, ann))).sort()).toEqual([200, 201])
    const [[first], [second]] = [await cast.list(ann), await cast.list(bob)]
    expect(first?.id).toBe(second?.id)
    expect([await cast.list(ann), await cast.list(bob)].map((list) => list.length)).toEqual([1, 1])
    expect(first?.participants).toHaveLength(2)
  })

  it('of the chat of a ping make one conversation', async () => {
    const ping = await cast.drop(ann, [bob, cat])
    const create = () => cast.create(ann, [bob, cat], { name: 'Coffee Chat', ping_id: ping.id })
    expect((await atOnce(create, create)).sort()).toEqual([200, 201])
    expect(await cast.list(bob)).toHaveLength(1)
    expect(await cast.server.db`select 1 from chats`).toHaveLength(1)
  })
})

describe('two concurrent messages', () => {
  it('get consecutive positions without a gap', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    const send = (who: Person, text: string) => () => cast.send(id, who, text)
    expect(await statusesOf(lockConversation(id), send(ann, 'a'), send(bob, 'b'), send(ann, 'c'))).toEqual([
      201, 201, 201,
    ])
    const places = (await seqs(id, cat)).map((place) => place.split(' '))
    expect(places.map(([seq]) => seq)).toEqual(['1', '2', '3'])
    // The database may change the order of the second and the third waiting call.
    expect(places.map(([, text]) => text).sort()).toEqual(['a', 'b', 'c'])
    expect([await unread(id, ann), await unread(id, bob), await unread(id, cat)]).toEqual([1, 2, 3])
  })

  it('with one client_id are stored once', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    const client_id = randomUUID()
    const send = () => cast.send(id, ann, 'once', client_id)
    const [first, second] = await race(cast.server.db, lockConversation(id), send, send)
    expect([first?.status, second?.status]).toEqual([201, 200])
    expect(second?.body).toEqual(first?.body)
    expect(await seqs(id, bob)).toEqual(['1 once'])
  })

  it('with one client_id in two conversations are stored once', async () => {
    const [a, b] = [(await cast.group(ann, [bob, cat])).id, (await cast.group(ann, [bob, cat])).id]
    const client_id = randomUUID()
    // Both have looked for the first message before they reach the messages.
    const lock = (tx: Tx) => tx`lock table messages in share row exclusive mode`
    const [first, second] = await race(
      cast.server.db,
      lock,
      () => cast.send(a, ann, 'once', client_id),
      () => cast.send(b, ann, 'once', client_id),
    )
    expect([first?.status, second?.status].sort()).toEqual([200, 201])
    expect(second?.body).toEqual(first?.body)
    expect([...(await seqs(a, bob)), ...(await seqs(b, bob))]).toEqual(['1 once'])
    const rows = await cast.server.db<{ last_seq: number }[]>`select last_seq from chats order by last_seq`
    expect(rows.map(({ last_seq }) => last_seq)).toEqual([0, 1])
  })
})

describe('sending a message concurrently', () => {
  it('with the removal of its sender succeeds or is refused, depending on the order', async () => {
    for (const isSentFirst of [true, false]) {
      const { id } = await cast.group(ann, [bob, cat])
      const calls: Call[] = [() => cast.send(id, bob), () => cast.remove(id, ann, bob)]
      const statuses = await statusesOf(lockConversation(id), ...(isSentFirst ? calls : calls.reverse()))
      expect(statuses).toEqual(isSentFirst ? [201, 200] : [200, 404])
      expect(await seqs(id, cat)).toHaveLength(isSentFirst ? 1 : 0)
      expect(await cast.list(bob)).toEqual([])
    }
  })

  it('with the end of the friendship or a block never stores a message after it', async () => {
    for (const end of [() => cast.unfriend(ann, bob), () => cast.block(ann, bob)]) {
      const { id } = (await cast.create(ann, [bob])).body
      const before = (await seqs(id, ann)).length
      const [, sent] = await race<unknown>(cast.server.db, lockConversation(id), end, () => cast.send(id, bob))
      expect([403, 404]).toContain((sent as { status: number }).status)
      await cast.unblock(ann, bob)
      expect(await seqs(id, ann)).toHaveLength(before)
      await cast.server.befriend(ann, bob)
    }
  })

  it('with reading by its sender never makes an own message unread', async () => {
    for (const isSentFirst of [true, false]) {
      const { id } = await cast.group(ann, [bob, cat])
      await cast.say(id, ann)
      const calls: Call[] = [() => cast.send(id, bob), () => cast.markRead(id, bob)]
      await statusesOf(lockConversation(id), ...(isSentFirst ? calls : calls.reverse()))
      expect([await unread(id, ann), await unread(id, bob), await unread(id, cat)]).toEqual([1, 0, 2])
    }
  })

  it('with the deletion of the conversation or of the sender’s account succeeds or is refused', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    expect(
      await statusesOf(
        lockConversation(id),
        () => cast.end(id, ann),
        () => cast.send(id, bob),
      ),
    ).toEqual([204, 404])
    const gus = await cast.server.signUp('gus')
    await cast.server.befriend(ann, gus)
    const group = await cast.group(ann, [bob, gus])
    expect(
      await statusesOf(
        lockConversation(group.id),
        () => cast.send(group.id, gus, 'last words'),
        () => cast.eraseAccount(gus),
      ),
    ).toEqual([201, 204])
    expect((await cast.open(group.id, bob)).body.message_details.messages).toMatchObject([
      { content: 'last words', sender_id: null },
    ])
  })
})

describe('two members who leave concurrently', () => {
  it('as the last two admins leave another admin behind', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    await cast.server.db`update chat_members set role = 'admin' where user_id = ${bob.id}`
    expect(
      await statusesOf(
        lockConversation(id),
        () => cast.leave(id, ann),
        () => cast.leave(id, bob),
      ),
    ).toEqual([204, 204])
    expect((await cast.open(id, cat)).body.participants).toMatchObject([{ username: 'cat', role: 'admin' }])
  })

  it('as admin and next admin leave another admin behind, and as the last two members leave nothing', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    await cast.server.db`update chat_members set joined_at = joined_at - interval '1 s' where user_id = ${bob.id}`
    await statusesOf(
      lockConversation(id),
      () => cast.leave(id, ann),
      () => cast.leave(id, bob),
    )
    expect((await cast.open(id, cat)).body.participants).toMatchObject([{ username: 'cat', role: 'admin' }])
    await cast.add(id, cat, ann)
    await statusesOf(
      lockConversation(id),
      () => cast.leave(id, ann),
      () => cast.leave(id, cat),
    )
    expect(await cast.server.db`select 1 from chats`).toHaveLength(0)
  })

  it('by deleting their accounts, after they stopped being friends, both succeed', async () => {
    const [gus, hal] = [await cast.server.signUp('gus1'), await cast.server.signUp('hal1')]
    for (const who of [gus, hal]) await cast.server.befriend(ann, who)
    const groups = [await cast.group(ann, [gus, hal]), await cast.group(ann, [hal, gus])]
    const lock = (tx: Tx) => tx`select 1 from chats order by id for update`
    const erase = (who: Person) => () => cast.eraseAccount(who)
    // ann is a friend of both, so that one waits for the other before it reaches the conversations.
    const erased = await race(cast.server.db, lock, erase(gus), erase(hal))
    expect(erased.map(({ status }) => status)).toEqual([204, 204])
    for (const { id } of groups) expect((await cast.open(id, ann)).body.participants).toHaveLength(1)
  })
})

describe('joining concurrently', () => {
  it('with being removed keeps the removed user out', async () => {
    const ping = await cast.drop(ann, [bob, cat, dan])
    const { id } = await cast.make(ann, [bob, cat], { name: 'Coffee Chat', ping_id: ping.id })
    expect(
      await statusesOf(
        lockConversation(id),
        () => cast.remove(id, ann, bob),
        () => cast.join(id, bob),
      ),
    ).toEqual([200, 404])
  })

  it('twice and with being added makes one membership', async () => {
    const ping = await cast.drop(ann, [bob, cat, dan])
    const { id } = await cast.make(ann, [bob, cat], { name: 'Coffee Chat', ping_id: ping.id })
    const join = () => cast.join(id, dan)
    expect(await statusesOf(lockConversation(id), join, join, () => cast.add(id, ann, dan))).toEqual([200, 200, 200])
    expect((await cast.open(id, dan)).body.participants).toHaveLength(4)
  })

  it('with the end of the friendship with the ping’s owner is refused afterwards', async () => {
    const ping = await cast.drop(ann, [bob, cat, dan])
    const { id } = await cast.make(ann, [bob, cat], { name: 'Coffee Chat', ping_id: ping.id })
    // Only ann is locked. The end of the friendship locks both people in the order of their ids: if it waited for dan first,
    // the other call could be first at ann.
    const [, joined] = await race<unknown>(
      cast.server.db,
      (tx) => tx`select 1 from users where id = ${ann.id} for update`,
      () => cast.unfriend(ann, dan),
      () => cast.join(id, dan),
    )
    expect(joined).toMatchObject({ status: 404 })
    await cast.server.befriend(ann, dan)
  })
})

it('shows the direct conversation to two users again after concurrent unblocks, and announces it', async () => {
  await cast.make(ann, [bob])
  await cast.block(ann, bob)
  await cast.server.db`
    insert into blocks (blocker_id, blocked_id, created_at) values (${bob.id}, ${ann.id}, ${cast.server.clock.now()})`
  const listener = await cast.server.listen(ann, ['chats'])
  await statusesOf(
    lockPeople,
    () => cast.unblock(ann, bob),
    () => cast.unblock(bob, ann),
  )
  await listener.until(({ eventType }) => eventType === 'INSERT')
  expect(await cast.list(bob)).toHaveLength(1)
  await listener.close()
  await cast.server.befriend(ann, bob)
})
