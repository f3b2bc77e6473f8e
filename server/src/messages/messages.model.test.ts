import { randomUUID } from 'node:crypto'
import { type ConversationId, type MessageId } from '@hither/contract/ids.ts'
import { type Conversation } from '@hither/contract/messages.ts'
import { updateUser } from '@hither/contract/users.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Listener, type Person, startServer, type TestServer } from '../../test/harness.ts'
import { deedsOn } from './harness.ts'
import * as model from './messages.model.ts'
import { type ModelChat, type ModelMessage, type Name, names } from './messages.model.ts'

let server: TestServer
let cast: ReturnType<typeof deedsOn>
const people = new Map<Name, Person>()
/** A friend of everyone and in no conversation, by whose renaming all know that they have heard what was before it. */
let max: Person
let renames = 0

beforeAll(async () => {
  server = await startServer()
  cast = deedsOn(server)
  max = await server.signUp('max')
  for (const name of names) {
    const person = await server.signUp(name)
    for (const other of [max, ...people.values()]) await server.befriend(other, person)
    people.set(name, person)
  }
})

afterAll(() => server.close())

const personOf = (name: Name) => people.get(name) as Person

/** What one device holds: read once as it connects, and from then on what it is told. */
interface Device {
  listener: Listener
  heard: number
  chats: Map<ConversationId, { unread: number; messages: Map<MessageId, string> }>
}

async function connect(name: Name): Promise<Device> {
  const listener = await server.listen(personOf(name), ['messages', 'chats', 'users'])
  const device: Device = { listener, heard: 0, chats: new Map() }
  for (const { id } of await cast.summaries(personOf(name))) await read(device, name, id)
  device.heard = listener.heard.length
  return device
}

async function read(device: Device, name: Name, id: ConversationId) {
  const { status, body } = await cast.open(id, personOf(name), { limit: 100 })
  if (status !== 200) return
  const messages = new Map(body.message_details.messages.map((one) => [one.id, `${one.seq} ${one.content}`]))
  device.chats.set(id, { unread: body.unread_count, messages })
}

/** Everything that was said up to now has arrived and is applied. */
async function hear(devices: Map<Name, Device>) {
  const username = `max-${++renames}`
  await server.call(updateUser, { params: { id: max.id }, body: { username } }, max)
  for (const [name, device] of devices) {
    await device.listener.until(({ table, new: row }) => table === 'users' && row['username'] === username)
    const changes = device.listener.heard.slice(device.heard)
    device.heard = device.listener.heard.length
    for (const { table, eventType, new: row, old } of changes) {
      const chat = device.chats.get((row['conversation_id'] ?? row['id']) as ConversationId)
      if (table === 'messages' && eventType === 'INSERT')
        chat?.messages.set(row['id'] as MessageId, `${row['seq']} ${row['content']}`)
      if (table === 'messages' && eventType === 'DELETE')
        for (const { messages } of device.chats.values()) messages.delete(old['id'] as MessageId)
      if (table === 'chats' && eventType === 'INSERT') await read(device, name, row['id'] as ConversationId)
      if (table === 'chats' && eventType === 'DELETE') device.chats.delete(old['id'] as ConversationId)
      if (table === 'chats' && eventType === 'UPDATE' && chat) chat.unread = row['unread_count'] as number
    }
  }
}

async function begin(): Promise<ModelChat[]> {
  await cast.clear()
  const [ann, bob, cat, dan] = names.map(personOf) as [Person, Person, Person, Person]
  const ping = await cast.drop(ann, [bob, cat, dan])
  const made: Conversation[] = []
  for (const make of [
    () => cast.make(ann, [bob]),
    () => cast.group(ann, [bob, cat]),
    () => cast.make(ann, [bob, cat], { name: 'Coffee Chat', ping_id: ping.id, system_created: true }),
  ]) {
    server.clock.advance(1)
    made.push(await make())
  }
  return made.map((conversation) => ({
    id: conversation.id,
    type: conversation.type,
    name: conversation.name,
    hasPing: conversation.ping_id !== null,
    madeAt: new Date(conversation.created_at).getTime(),
    isOver: false,
    members: conversation.participants.map(({ username, role }) => ({
      who: username as Name,
      isAdmin: role === 'admin',
    })),
    removed: new Set(),
    messages: [],
  }))
}

const step = fc.record({
  deed: fc.oneof(
    { weight: 12, arbitrary: fc.constant('send' as const) },
    { weight: 6, arbitrary: fc.constantFrom('read' as const, 'erase' as const) },
    { weight: 4, arbitrary: fc.constantFrom('join' as const, 'add' as const, 'reconnect' as const) },
    { weight: 4, arbitrary: fc.constantFrom('repeat' as const, 'eraseOwn' as const) },
    { weight: 2, arbitrary: fc.constantFrom('leave' as const, 'remove' as const, 'rename' as const) },
  ),
  at: fc.constantFrom(0, 1, 2),
  who: fc.constantFrom(...names),
  whom: fc.constantFrom(...names),
  which: fc.nat(5),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** The status as it was, and as it must be. */
async function take({ deed, who, whom, which }: Step, chat: ModelChat): Promise<[number, number]> {
  const [me, you] = [personOf(who), personOf(whom)]
  const message = chat.messages.at(-1 - (which % Math.max(1, chat.messages.length)))
  const own = chat.messages.filter(({ sender }) => sender === who).at(-1)
  switch (deed) {
    case 'send': {
      const [clientId, content] = [randomUUID(), `from ${who} ${which}`]
      const { status, body } = await cast.send(chat.id, me, content, clientId)
      const sentAt = server.clock.now().getTime()
      const sent = { id: body.message?.id, clientId, sender: who, content, sentAt, isDeleted: false }
      return [status, model.send(chat, { ...sent, readBy: new Set() } satisfies ModelMessage)]
    }
    case 'repeat':
      if (!own) return [0, 0]
      return [(await cast.send(chat.id, me, 'again', own.clientId)).status, model.repeat(chat, own)]
    case 'read':
      return [(await cast.markRead(chat.id, me)).status, model.markRead(chat, who)]
    case 'eraseOwn':
      return own ? [(await cast.erase(own.id, me)).status, model.erase(chat, who, own)] : [0, 0]
    case 'erase':
      return message ? [(await cast.erase(message.id, me)).status, model.erase(chat, who, message)] : [0, 0]
    case 'join':
      return [(await cast.join(chat.id, me)).status, model.join(chat, who)]
    case 'add':
      return [(await cast.add(chat.id, me, you)).status, model.add(chat, who, whom)]
    case 'remove':
      return [(await cast.remove(chat.id, me, you)).status, model.remove(chat, who, whom)]
    case 'leave':
      return [(await cast.leave(chat.id, me)).status, model.leave(chat, who)]
    case 'rename':
      return [(await cast.rename(chat.id, me, `Name ${which}`)).status, model.rename(chat, who, `Name ${which}`)]
    case 'reconnect':
      return [0, 0]
  }
}

/** The lists, counts and histories of everyone, as the server gives them and as they must be. */
async function assertAgreed(chats: readonly ModelChat[]) {
  for (const name of names) {
    const [list, summaries] = await Promise.all([cast.list(personOf(name)), cast.summaries(personOf(name))])
    const mine = model.listOf(chats, name)
    expect(list.map(({ id, name, unread_count }) => [id, name, unread_count])).toEqual(
      mine.map((chat) => [chat.id, chat.name, model.unreadOf(chat, name)]),
    )
    expect(summaries).toEqual(list.map(({ participants: _, ...summary }) => summary))
    expect(list.map(({ participants }) => participants.map(({ username, role }) => `${username} ${role}`))).toEqual(
      mine.map(({ members }) => members.map(({ who, isAdmin }) => `${who} ${isAdmin ? 'admin' : 'member'}`)),
    )
    for (const chat of chats) {
      const { status, body } = await cast.open(chat.id, personOf(name), { limit: 100 })
      expect(status).toBe(model.isIn(chat, name) ? 200 : 404)
      if (status !== 200) continue
      const history = model.historyOf(chat, name)
      const { messages, total, has_more } = body.message_details
      expect([total, has_more]).toEqual([history.length, false])
      expect(
        messages.map(({ seq, sender_username: sender, content, read }) => ({ seq, sender, content, read })),
      ).toEqual(history)
      expect(body.last_message).toEqual(messages.at(-1) ?? null)
    }
  }
}

function assertHeld(devices: Map<Name, Device>, chats: readonly ModelChat[]) {
  for (const [name, device] of devices) {
    const mine = model.listOf(chats, name)
    expect([...device.chats.keys()].sort()).toEqual(mine.map(({ id }) => id).sort())
    for (const chat of mine) {
      const held = device.chats.get(chat.id)
      expect(held?.unread).toBe(model.unreadOf(chat, name))
      const said = model.historyOf(chat, name).map(({ seq, content }) => `${seq} ${content}`)
      expect([...(held?.messages.values() ?? [])].sort()).toEqual(said.sort())
    }
  }
}

it('whatever four people do in three conversations, everyone has what the rules say, read or heard', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 60 }), async (steps) => {
      const chats = await begin()
      const devices = new Map<Name, Device>()
      for (const name of names) devices.set(name, await connect(name))
      try {
        for (const one of steps) {
          server.clock.advance(1)
          const device = devices.get(one.who)
          if (one.deed === 'reconnect') {
            if (device) await device.listener.close()
            if (!device || !devices.delete(one.who)) devices.set(one.who, await connect(one.who))
          }
          const [status, expected] = await take(one, chats[one.at] as ModelChat)
          expect([one, status]).toEqual([one, expected])
          await hear(devices)
          assertHeld(devices, chats)
          await assertAgreed(chats)
        }
      } finally {
        for (const { listener } of devices.values()) await listener.close()
      }
    }),
    // To shrink a failure would take longer than to read it.
    { numRuns: 5, endOnFailure: true },
  )
}, 400_000)
