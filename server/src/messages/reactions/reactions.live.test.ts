import type { ConversationId, MessageId } from '@hither/contract/ids.ts'
import { RealtimeClient } from '@supabase/realtime-js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Listener, type Person, type ReceivedChange, receivedBy } from '../../../test/harness.ts'
import { race } from '../../../test/race.ts'
import { type Cast, chatTables, startCast } from '../harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let eve: Person
let id: ConversationId
let message: MessageId
let listeners: [Person, Listener][]

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat, eve } = cast)
})

beforeEach(async () => {
  id = (await cast.group(ann, [bob, cat])).id
  message = (await cast.say(id, ann)).id
  listeners = await Promise.all(
    [ann, bob, cat, eve].map(
      async (who) => [who, await cast.server.listen(who, [...chatTables, 'users'])] as [Person, Listener],
    ),
  )
})

afterEach(async () => {
  await Promise.all(listeners.map(([, listener]) => listener.close()))
  await cast.clear()
})
afterAll(() => cast.server.close())

const receivedByAll = () => Promise.all(listeners.map(([who, listener]) => receivedBy(cast.server, who, listener)))
const shown = ({ table, eventType, new: row, old }: ReceivedChange) => [table, eventType, row['emoji'], old]

describe('a reaction', () => {
  it('is announced to all members and to nobody else: set, changed and removed', async () => {
    await cast.react(message, bob, '👍')
    await cast.react(message, bob, '👍')
    await cast.react(message, bob, '❤️')
    await cast.unreact(message, bob)
    await cast.unreact(message, bob)
    await cast.react(message, eve, '👍')
    const key = { message_id: message, user_id: bob.id }
    const changes = [
      ['message_reactions', 'INSERT', '👍', {}],
      ['message_reactions', 'UPDATE', '❤️', key],
      ['message_reactions', 'DELETE', undefined, expect.objectContaining(key)],
    ]
    const [byAnn, byBob, byCat, byEve] = (await receivedByAll()).map((changes) => changes.map(shown))
    expect([byAnn, byBob, byCat, byEve]).toEqual([changes, changes, changes, []])
  })

  it('has the row that the call returned', async () => {
    const { body } = await cast.react(message, cat, '🙏')
    const [, byBob] = listeners[1] ?? []
    expect((await byBob?.until(({ table }) => table === 'message_reactions'))?.new).toEqual(body)
  })

  it('of two devices at once is the last one, as the page has it', async () => {
    const lock = (tx: Parameters<Parameters<typeof race>[1]>[0]) => tx`select 1 from chats where id = ${id} for update`
    await race(
      cast.server.db,
      lock,
      () => cast.react(message, bob, '😮'),
      () => cast.react(message, bob, '😢'),
    )
    const changes = (await receivedByAll())[0]?.map(shown)
    const [group] = (await cast.open(id, ann)).body.message_details.messages.at(-1)?.reactions ?? []
    expect(changes?.map(([, type]) => type)).toEqual(['INSERT', 'UPDATE'])
    expect(changes?.at(-1)?.[2]).toBe(group?.emoji)
    expect(group?.user_ids).toEqual([bob.id])
  })
})

describe('a deleted message', () => {
  it('is announced without its reactions', async () => {
    await cast.react(message, bob)
    await cast.erase(message, ann)
    const changes = (await receivedByAll())[2]
    expect(changes?.filter(({ table }) => table !== 'chats').map(({ table, eventType }) => [table, eventType])).toEqual(
      [
        ['message_reactions', 'INSERT'],
        ['messages', 'DELETE'],
      ],
    )
  })
})

describe('a channel with a filter on the conversation', () => {
  it('is refused to others than members', async () => {
    const stateOf = async (person: Person) => {
      const url = `${cast.server.url.replace('http', 'ws')}/api/realtime/v1`
      const client = new RealtimeClient(url, { params: { apikey: 'test' } })
      onTestFinished(async () => {
        await client.removeAllChannels()
        await client.disconnect()
      })
      await client.setAuth(person.session.access_token)
      const binding = {
        event: '*',
        schema: 'public',
        table: 'message_reactions',
        filter: `conversation_id=eq.${id}`,
      } as const
      const channel = client.channel('reactions').on('postgres_changes', binding, () => undefined)
      return new Promise((resolve) => {
        channel.subscribe((state) => resolve(state))
      })
    }
    expect(await stateOf(bob)).toBe('SUBSCRIBED')
    expect(await stateOf(eve)).not.toBe('SUBSCRIBED')
  })
})
