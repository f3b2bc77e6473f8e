import type { ConversationId } from '@hither/contract/ids.ts'
import { conversationTopic, typingEvent } from '@hither/contract/runtime/messages/messages.ts'
import { RealtimeClient } from '@supabase/realtime-js'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Person } from '../../test/harness.ts'
import { type Cast, startCast } from './harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let eve: Person

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat, eve } = cast)
})

afterEach(() => cast.clear())
afterAll(() => cast.server.close())

/** A channel of the official client with both parts that depend on membership: the broadcast and a filter. */
async function open(person: Person, id: ConversationId) {
  const client = new RealtimeClient(`${cast.server.url.replace('http', 'ws')}/api/realtime/v1`, {
    params: { apikey: 'test' },
  })
  onTestFinished(async () => {
    await client.removeAllChannels()
    await client.disconnect()
  })
  await client.setAuth(person.session.access_token)
  const receivedEvents: string[] = []
  const states: string[] = []
  const channel = client.channel(conversationTopic(id))
  channel.on('broadcast', { event: typingEvent }, ({ payload }) => receivedEvents.push(`typing ${payload['user_id']}`))
  const filter = `conversation_id=eq.${id}`
  channel.on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'messages', filter }, (change) =>
    receivedEvents.push(`message ${change.new['content']}`),
  )
  channel.subscribe((status) => states.push(status))
  const settled = () => expect.poll(() => states.at(-1))
  const type = () => channel.send({ type: 'broadcast', event: typingEvent, payload: {} })
  return { receivedEvents, states, settled, type }
}

describe('the channel of a conversation', () => {
  it('is open to its members only', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    const [anns, bobs, eves] = [await open(ann, id), await open(bob, id), await open(eve, id)]
    await anns.settled().toBe('SUBSCRIBED')
    await bobs.settled().toBe('SUBSCRIBED')
    await eves.settled().toBe('CLOSED')
    expect(eves.states).not.toContain('SUBSCRIBED')
    await anns.type()
    await cast.say(id, ann, 'hi')
    await expect.poll(() => [...bobs.receivedEvents].sort()).toEqual(['message hi', `typing ${ann.id}`])
    expect(eves.receivedEvents).toEqual([])
  })

  it('closes at once for a member who is removed, leaves or is blocked, and for nobody else', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    const direct = await cast.make(ann, [bob])
    const [anns, bobs, cats] = [await open(ann, id), await open(bob, id), await open(cat, id)]
    const bobsDirect = await open(bob, direct.id)
    for (const one of [anns, bobs, cats, bobsDirect]) await one.settled().toBe('SUBSCRIBED')
    await cast.remove(id, ann, bob)
    await cast.leave(id, cat)
    await cast.block(ann, bob)
    for (const one of [bobs, cats, bobsDirect]) await one.settled().not.toBe('SUBSCRIBED')
    await cast.say(id, ann, 'alone')
    await expect.poll(() => anns.receivedEvents).toEqual(['message alone'])
    expect([...bobs.receivedEvents, ...cats.receivedEvents]).toEqual([])
    await cast.unblock(ann, bob)
    await cast.server.befriend(ann, bob)
  })

  it('refuses a join without a conversation', async () => {
    for (const name of ['x', '01900000-0000-7000-8000-000000000000', `'; select 1`]) {
      const nowhere = await open(ann, name as ConversationId)
      await nowhere.settled().toBe('CLOSED')
      expect(nowhere.states).not.toContain('SUBSCRIBED')
    }
  })
})
