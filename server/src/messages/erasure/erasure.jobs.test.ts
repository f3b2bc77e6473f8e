import type { ConversationId } from '@hither/contract/ids.ts'
import type { Conversation } from '@hither/contract/messages/messages.ts'
import { listMutes, muteConversation } from '@hither/contract/notifications.ts'
import { createReport, getReportPicture, listReports } from '@hither/contract/reports.ts'
import { filledPath } from '@hither/contract/runtime/address.ts'
import { getStoredData } from '@hither/contract/stored-data.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openNode } from '../../../test/changes.ts'
import { type Listener, type Person, receivedBy } from '../../../test/harness.ts'
import { taggedPicture } from '../../../test/pictures.ts'
import { openFolder, type TestStorage } from '../../../test/storages.ts'
import { contentOf } from '../../backups/harness.ts'
import { createLocalBus } from '../../events/bus.ts'
import { makeAdmin } from '../../moderation/harness.ts'
import { createChatErasureJobs } from './erasure.jobs.ts'
import { after, type Cast, dayMs, keepMs, startCast } from './harness.ts'

let storage: TestStorage
let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let eve: Person
let admin: Person

beforeAll(async () => {
  storage = await openFolder()
  cast = await startCast(storage.environment)
  ;({ ann, bob, cat, eve } = cast)
  admin = await makeAdmin(cast.server, await cast.signUp('root'))
})

afterEach(() => cast.clear())
afterAll(async () => {
  await cast.server.close()
  await storage.close()
})

/** Occur nowhere else in these tests. */
const traces = ['Meet me at the pier', 'Sunset at the pier', 'Pier 39', '37.80867', 'Yes, the pier', '🦭']

/** Fills a chat with a text, a photo, a place, a reaction, a quote, an unsent photo and a mute. */
async function fill({ id }: Conversation) {
  const { chats, server } = cast
  const text = await chats.say(id, ann, 'Meet me at the pier')
  const picture = await taggedPicture('jpeg')
  const { photo_id } = (await chats.upload(id, bob, picture)).body
  const photo = (await chats.post(id, bob, { photo_id, content: 'Sunset at the pier' })).body.message
  await chats.post(id, ann, { place: { latitude: 37.80867, longitude: -122.4098, name: 'Pier 39', address: null } })
  await chats.post(id, cat, { content: 'Yes, the pier', reply_to_id: text.id })
  await chats.react(text.id, cat, '🦭')
  await chats.upload(id, cat, picture)
  await server.call(muteConversation, { params: { conversationId: id }, body: { muted_until: null } }, bob)
  return { text, photo }
}

async function listenAll(people: readonly Person[], tables: Parameters<Cast['server']['listen']>[1]) {
  const listeners: Listener[] = []
  for (const person of people) listeners.push(await cast.server.listen(person, [...tables, 'users']))
  return async () => {
    const received = []
    for (const [index, person] of people.entries())
      received.push(await receivedBy(cast.server, person, listeners[index] as Listener))
    await Promise.all(listeners.map((listener) => listener.close()))
    return received
  }
}

/** All that the database stores, without the live events of the last minutes. */
async function stored(): Promise<string> {
  const { outbox: _, ...content } = await contentOf(cast.server.db)
  return JSON.stringify(content)
}

describe('a chat whose date has come', () => {
  it('accepts a message one second before, and none from the date on', async () => {
    const { chat } = await cast.pinChat()
    const params = { conversationId: chat.id }
    await cast.server.call(muteConversation, { params, body: { muted_until: null } }, bob)
    expect((await cast.server.call(listMutes, {}, bob)).body).toHaveLength(1)
    cast.advanceTo(chat, 1000)
    expect((await cast.chats.send(chat.id, bob, 'Last words')).status).toBe(201)
    const before = (await cast.server.call(getStoredData, {}, bob)).body.items
    expect(before.map(({ kind, count }) => `${kind} ${count}`)).toEqual(
      expect.arrayContaining(['ending_messages 1', 'chats 1']),
    )
    expect((await cast.chats.summaries(cat))[0]).toMatchObject({ id: chat.id, unread_count: 1 })
    cast.advanceTo(chat)
    expect(await cast.chats.send(chat.id, bob)).toMatchObject({ status: 404, body: { code: 'conversation_not_found' } })
    expect(await cast.chats.summaries(cat)).toEqual([])
    expect((await cast.pings.read(chat.ping_id as never, ann)).body).toMatchObject({ conversation_id: null })
    expect((await cast.server.call(listMutes, {}, bob)).body).toEqual([])
    const { items } = (await cast.server.call(getStoredData, {}, bob)).body
    expect(items.filter(({ kind }) => ['chats', 'ending_messages', 'messages'].includes(kind))).toEqual([])
  })

  it('is erased by the job with all its contents and files', async () => {
    const { chat } = await cast.pinChat()
    await fill(chat)
    await cast.chats.keep(chat.id, bob)
    const before = await stored()
    for (const trace of traces) expect(before).toContain(trace)
    expect(await storage.listFiles()).toHaveLength(4)
    cast.advanceTo(chat)
    await cast.eraseDue()
    await cast.server.app.fileJobs.runDue()
    const content = await stored()
    for (const trace of [...traces, chat.id]) expect(content).not.toContain(trace)
    expect(await storage.listFiles()).toEqual([])
    const { db } = cast.server
    const empty = [
      'messages',
      'message_reactions',
      'chat_members',
      'chat_keep_requests',
      'chat_mutes',
      'push_deliveries',
    ]
    for (const table of [...empty, 'images', 'chats'])
      expect([table, await db`select 1 from ${db(table)}`]).toEqual([table, []])
    const [tombstone] = await db`
      select 1 as found from tombstones where kind = 'chats' and id_hash = hash_of_id(${chat.id}::text)`
    expect(tombstone).toEqual({ found: 1 })
  })

  it('is announced as deleted once to each member, and its ping to its audience without the chat', async () => {
    const dan = await cast.signUp('dan')
    await cast.server.befriend(ann, dan)
    const { ping, chat } = await cast.pinChat()
    await fill(chat)
    await cast.chats.keep(chat.id, cat)
    cast.advanceTo(chat)
    const tables = ['chats', 'messages', 'message_reactions', 'message_read_receipts', 'location_pins'] as const
    const received = await listenAll([ann, bob, cat, dan, eve], tables)
    await cast.eraseDue()
    await cast.eraseDue()
    const gone = ['chats DELETE', 'location_pins UPDATE']
    const all = await received()
    expect(all.map((changes) => changes.map(({ table, eventType }) => `${table} ${eventType}`))).toEqual([
      ...[gone, gone, gone, ['location_pins UPDATE'], []],
    ])
    for (const changes of all.slice(0, 3)) expect(changes[0]).toMatchObject({ old: { id: chat.id } })
    for (const changes of all.slice(0, 4))
      expect(changes.at(-1)?.new).toMatchObject({ id: ping.id, conversation_id: null })
    await cast.server.app.pushJobs.runDue()
    expect(await cast.server.db`select 1 from push_deliveries`).toEqual([])
    expect(await cast.server.db`select 1 from deliveries`).toEqual([])
  })

  it('is announced once to the others if a member deletes the account before the job runs', async () => {
    const dan = await cast.signUp('dan2')
    await cast.server.befriend(ann, dan)
    const { id } = await cast.pings.drop(ann)
    const fields = { name: 'Coffee Chat', ping_id: id, system_created: true }
    const chat = await cast.chats.make(ann, [bob, dan], fields)
    cast.advanceTo(chat)
    const received = await listenAll([ann, bob], ['chats'])
    expect((await cast.chats.eraseAccount(dan)).status).toBeLessThan(300)
    await cast.eraseDue()
    for (const changes of await received()) expect(changes.map(({ eventType }) => eventType)).toEqual(['DELETE'])
    expect(await cast.server.db`select 1 from chats`).toEqual([])
  })

  it('of an erased ping is announced to its members alone', async () => {
    const { ping, chat } = await cast.pinChat()
    await cast.pings.remove(ping.id, ann)
    const date = await cast.dateOf(chat)
    cast.advanceTo({ ...chat, erase_at: date })
    const received = await listenAll([ann, bob], ['chats', 'location_pins'])
    await cast.eraseDue()
    for (const changes of await received())
      expect(changes.map(({ table, eventType }) => `${table} ${eventType}`)).toEqual(['chats DELETE'])
  })

  it('leaves the copies of reports, with text and photo, and nothing else', async () => {
    const { chat } = await cast.pinChat()
    const { text, photo } = await fill(chat)
    for (const { id } of [text, photo]) {
      const body = { subject: 'message', subject_id: id, reason: 'spam' } as const
      expect((await cast.server.call(createReport, { body }, cat)).status).toBe(201)
    }
    cast.advanceTo(chat)
    await cast.eraseDue()
    await cast.server.app.fileJobs.runDue()
    const { body } = await cast.server.call(listReports, { query: { state: 'open' } }, admin)
    expect(body.map(({ content, has_picture }) => [content, has_picture])).toEqual([
      ['Sunset at the pier', true],
      ['Meet me at the pier', false],
    ])
    const path = `/api${filledPath(getReportPicture.address, { id: body[0]?.id ?? '' })}`
    expect((await cast.server.request('GET', path, { as: admin })).status).toBe(200)
    expect(await storage.listFiles()).toHaveLength(1)
    await cast.server.db`delete from reports`
    const content = await stored()
    for (const trace of traces) expect(content).not.toContain(trace)
    await cast.server.app.fileJobs.runDue()
  })
})

describe('the job that erases chats', () => {
  it('erases more chats than one batch contains in one run, and none before its date', async () => {
    const { chat } = await cast.pinChat()
    await cast.server.db`
      insert into chats (id, type, name, system_created, created_at, updated_at, erase_at)
      select gen_random_uuid(), 'group', 'Chat', true, created_at, updated_at, erase_at - interval '1 second'
      from chats, generate_series(1, 65)`
    cast.advanceTo(chat, 1)
    await cast.eraseDue()
    expect(await cast.server.db`select id from chats`).toEqual([{ id: chat.id }])
  })

  it('erases a chat whose date comes while it sleeps', async () => {
    const { chat } = await cast.pinChat()
    const listener = await cast.server.listen(bob, ['chats'])
    const node = await openNode(
      cast.server.db,
      createLocalBus(() => undefined),
    )
    const [asleepAt, since] = [Date.parse(chat.erase_at ?? '') - 300, performance.now()]
    const now = () => new Date(asleepAt + performance.now() - since)
    const { log } = cast.server.app.http
    const job = createChatErasureJobs({ pool: cast.server.db, changes: node.changesAt(now), now, log })
    job.start()
    await job.runDue()
    await listener.until(({ eventType }) => eventType === 'DELETE')
    expect(performance.now() - since).toBeGreaterThanOrEqual(300)
    await job.stop()
    await node.outbox.stop()
    await listener.close()
  })
})

describe('a kept chat', () => {
  it('survives its date and the job, and an admin of it can delete it', async () => {
    const { ping, chat } = await cast.pinChat({ activates_at: cast.pings.ahead(60) })
    const { text } = await fill(chat)
    await cast.chats.keep(chat.id, ann)
    await cast.pings.change(ping.id, { activates_at: after(ping.activates_at ?? '', dayMs) }, ann)
    cast.server.clock.advance(keepMs + 10 * dayMs)
    await cast.server.app.pingJobs.runDue()
    await cast.eraseDue()
    expect((await cast.chats.open(chat.id, bob)).body).toMatchObject({ erase_at: null, ping_id: null })
    expect((await cast.chats.react(text.id, bob)).status).toBeLessThan(300)
    expect(await storage.listFiles()).toHaveLength(4)
    expect((await cast.chats.end(chat.id as ConversationId, ann)).status).toBe(204)
    expect((await cast.chats.open(chat.id, bob)).status).toBe(404)
    await cast.server.app.fileJobs.runDue()
    expect(await storage.listFiles()).toEqual([])
  })
})
