import { randomUUID } from 'node:crypto'
import type { ConversationId, MessageId } from '@hither/contract/ids.ts'
import type { Conversation } from '@hither/contract/messages/messages.ts'
import { updateUser } from '@hither/contract/users.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Listener, type Person, runsFor, startServer, type TestServer } from '../../test/harness.ts'
import { actionsOn, lastMessageOf } from './harness.ts'
import * as model from './messages.model.ts'
import { type ModelChat, type ModelMessage, type Name, names } from './messages.model.ts'

let server: TestServer
let cast: ReturnType<typeof actionsOn>
const people = new Map<Name, Person>()
/**
 * A friend of everyone without conversations. When they change their name, everyone has received all earlier changes.
 */
let max: Person
let renames = 0

beforeAll(async () => {
  server = await startServer()
  cast = actionsOn(server)
  max = await server.signUp('max')
  for (const name of names) {
    const person = await server.signUp(name)
    for (const other of [max, ...people.values()]) await server.befriend(other, person)
    people.set(name, person)
  }
})

afterAll(() => server.close())

const personOf = (name: Name) => people.get(name) as Person

/** The state of one device: read once when it connects, and updated by the changes it receives. */
interface Device {
  listener: Listener
  appliedCount: number
  chats: Map<ConversationId, { unread: number; messages: Map<MessageId, string> }>
}

async function connect(name: Name): Promise<Device> {
  const listener = await server.listen(personOf(name), ['messages', 'chats', 'users'])
  const device: Device = { listener, appliedCount: 0, chats: new Map() }
  for (const { id } of await cast.summaries(personOf(name))) await read(device, name, id)
  device.appliedCount = listener.received.length
  return device
}

async function read(device: Device, name: Name, id: ConversationId) {
  const { status, body } = await cast.open(id, personOf(name), { limit: 100 })
  if (status !== 200) return
  const messages = new Map(body.message_details.messages.map((one) => [one.id, `${one.seq} ${one.content}`]))
  device.chats.set(id, { unread: body.unread_count, messages })
}

/** Waits until everything published so far has been received and applied. */
async function applyReceived(devices: Map<Name, Device>) {
  const username = `max-${++renames}`
  await server.call(updateUser, { params: { id: max.id }, body: { username } }, max)
  for (const [name, device] of devices) {
    await device.listener.until(({ table, new: row }) => table === 'users' && row['username'] === username)
    const changes = device.listener.received.slice(device.appliedCount)
    device.appliedCount = device.listener.received.length
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
    isDeleted: false,
    members: conversation.participants.map(({ username, role }) => ({
      who: username as Name,
      isAdmin: role === 'admin',
    })),
    removed: new Set(),
    left: new Set(),
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

/** The actual status and the expected one. */
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

/**
 * Reading everything takes twenty calls. The devices show each step at once; a difference over HTTP lasts for some steps.
 * It divides the number of steps, so that the end is compared.
 */
const stepsBetweenReads = 4

/** Compares the lists, counts and histories of everyone from the server with the expected ones. */
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
      expect(body.last_message).toEqual(lastMessageOf(messages.at(-1)))
    }
  }
}

function assertDevicesAgree(devices: Map<Name, Device>, chats: readonly ModelChat[]) {
  for (const [name, device] of devices) {
    const mine = model.listOf(chats, name)
    expect([...device.chats.keys()].sort()).toEqual(mine.map(({ id }) => id).sort())
    for (const chat of mine) {
      const state = device.chats.get(chat.id)
      expect(state?.unread).toBe(model.unreadOf(chat, name))
      const said = model.historyOf(chat, name).map(({ seq, content }) => `${seq} ${content}`)
      expect([...(state?.messages.values() ?? [])].sort()).toEqual(said.sort())
    }
  }
}

it('shows four people in three conversations what the rules allow, by HTTP and live, in any order of actions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 60 }), async (steps) => {
      const chats = await begin()
      const devices = new Map<Name, Device>()
      for (const name of names) devices.set(name, await connect(name))
      try {
        for (const [index, one] of steps.entries()) {
          server.clock.advance(1)
          const device = devices.get(one.who)
          if (one.deed === 'reconnect') {
            if (device) await device.listener.close()
            if (!device || !devices.delete(one.who)) devices.set(one.who, await connect(one.who))
          }
          const [status, expected] = await take(one, chats[one.at] as ModelChat)
          expect([one, status]).toEqual([one, expected])
          await applyReceived(devices)
          assertDevicesAgree(devices, chats)
          if (index % stepsBetweenReads === stepsBetweenReads - 1) await assertAgreed(chats)
        }
      } finally {
        for (const { listener } of devices.values()) await listener.close()
      }
    }),
    // Without shrinking, which would take longer than reading a failure.
    { numRuns: runsFor(5), endOnFailure: true },
  )
}, 400_000)
