import type { Conversation } from '@hither/contract/messages/messages.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openNode, type TestNode } from '../../../test/changes.ts'
import { type Listener, type Person, receivedBy } from '../../../test/harness.ts'
import { race } from '../../../test/race.ts'
import { createLocalBus } from '../../events/bus.ts'
import type { Job } from '../../platform/async/job.ts'
import type { Tx } from '../../platform/db/database.ts'
import { createChatErasureJobs } from './erasure.jobs.ts'
import { after, type Cast, minuteMs, startCast } from './harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let node: TestNode
let chat: Conversation
let listener: Listener

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat } = cast)
  node = await openNode(
    cast.server.db,
    createLocalBus(() => undefined),
  )
})

beforeEach(async () => {
  ;({ chat } = await cast.pinChat())
  await cast.chats.say(chat.id, ann, 'Meet me at the pier')
  listener = await cast.server.listen(bob, ['chats', 'messages', 'users'])
})

afterEach(async () => {
  await listener.close()
  await cast.clear()
})

afterAll(async () => {
  await node.outbox.stop()
  await cast.server.close()
})

/** The job of another node, whose clock is ahead by this much. */
function jobOfOther(aheadMs = 0): Job {
  const now = () => new Date(cast.server.clock.now().getTime() + aheadMs)
  const { log } = cast.server.app.http
  return createChatErasureJobs({ pool: cast.server.db, changes: node.changesAt(now), now, log })
}

const lockChat = (tx: Tx) => tx`select 1 from chats where id = ${chat.id} for update`
const lockAnn = (tx: Tx) => tx`select id from users where id = ${ann.id} for update`
const received = async () =>
  (await receivedBy(cast.server, bob, listener)).map(({ table, eventType }) => `${table} ${eventType}`)
const contents = async () => (await cast.server.db`select content from messages`).map((row) => row['content'])

/** In the last second, on a node whose clock is slow, while the other node already erases the chat. */
const inOrder = (isJobFirst: boolean, call: () => Promise<{ status: number }>) => {
  cast.advanceTo(chat, 1000)
  const calls: (() => Promise<unknown>)[] = [call, () => jobOfOther(1000).runDue()]
  return race<unknown>(cast.server.db, lockChat, ...(isJobFirst ? calls.reverse() : calls))
}

describe('in the last second of a chat, on two nodes', () => {
  it('a request of the owner that commits before the erasure keeps the complete chat', async () => {
    const [kept] = await inOrder(false, () => cast.chats.keep(chat.id, ann))
    expect(kept).toMatchObject({ status: 200, body: { erase_at: null } })
    cast.advanceTo(chat)
    await cast.eraseDue()
    expect(await contents()).toEqual(['Meet me at the pier'])
    expect((await cast.chats.open(chat.id, bob)).body.message_details.messages).toHaveLength(1)
    expect(await received()).toEqual(['chats UPDATE'])
  })

  it('one that comes after the erasure is answered with 404, and the chat is gone', async () => {
    const [, kept] = await inOrder(true, () => cast.chats.keep(chat.id, ann))
    expect(kept).toMatchObject({ status: 404, body: { code: 'conversation_not_found' } })
    expect(await contents()).toEqual([])
    expect(await received()).toEqual(['chats DELETE'])
  })

  it('the second request of two that commits before the erasure keeps the chat, and one after it does not', async () => {
    for (const isJobFirst of [false, true]) {
      await cast.clear()
      ;({ chat } = await cast.pinChat())
      await cast.chats.keep(chat.id, bob)
      const results = await inOrder(isJobFirst, () => cast.chats.keep(chat.id, cat))
      expect(results[isJobFirst ? 1 : 0]).toMatchObject({ status: isJobFirst ? 404 : 200 })
      expect((await cast.server.db`select 1 from chats`).length).toBe(isJobFirst ? 0 : 1)
    }
  })

  it.each([false, true])(
    'a message is erased with the chat or refused, if the job is first: %s',
    async (isJobFirst) => {
      const results = await inOrder(isJobFirst, () => cast.chats.send(chat.id, cat, 'Last words'))
      expect(results[isJobFirst ? 1 : 0]).toMatchObject({ status: isJobFirst ? 404 : 201 })
      expect(await contents()).toEqual([])
      expect((await received()).at(-1)).toBe('chats DELETE')
      expect(await cast.server.db`select 1 from push_deliveries`).toEqual([])
    },
  )
})

describe('when two nodes run the job at the same moment', () => {
  it('each member receives one event for each chat', async () => {
    const others = [await cast.pinChat(), await cast.pinChat()]
    cast.advanceTo(chat)
    await race<unknown>(
      cast.server.db,
      lockChat,
      () => cast.eraseDue(),
      () => jobOfOther().runDue(),
    )
    expect(await cast.server.db`select 1 from chats`).toEqual([])
    const gone = ['chats DELETE', 'chats DELETE', 'chats DELETE']
    expect(await received()).toEqual(['chats INSERT', 'chats INSERT', ...gone])
    expect(others).toHaveLength(2)
  })
})

describe('a ping that gets more time while the job of a node with a fast clock runs', () => {
  /** The date is moved to the last minute of the ping, which the setting does not allow, so that both can happen at once. */
  async function raceWithJob(isJobFirst: boolean) {
    const { ping } = await cast.pinChat()
    const [row] = await cast.server.db<{ id: Conversation['id'] }[]>`
      update chats set erase_at = ${ping.expires_at} where ping_id = ${ping.id} returning id`
    const id = row?.id as Conversation['id']
    const extend = () => cast.pings.change(ping.id, { extend_minutes: 15 }, ann)
    const run = () => jobOfOther(30 * minuteMs).runDue()
    const calls: (() => Promise<unknown>)[] = isJobFirst ? [run, extend] : [extend, run]
    await race<unknown>(cast.server.db, lockAnn, ...calls)
    return { ping, open: await cast.chats.open(id, bob) }
  }

  it('keeps its chat until the new date, if it is first', async () => {
    const { ping, open } = await raceWithJob(false)
    expect(open).toMatchObject({ status: 200, body: { erase_at: after(ping.expires_at, 15 * minuteMs) } })
  })

  it('loses its chat by the old date, if the job is first', async () => {
    const { open } = await raceWithJob(true)
    expect(open.status).toBe(404)
  })
})
