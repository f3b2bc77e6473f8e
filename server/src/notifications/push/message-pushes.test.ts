import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Cast, minuteMs, secondMs, startCast } from '../harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

beforeEach(() => cast.reset())

afterAll(() => cast.close())

describe('the notification of a message', () => {
  it('is sent to the other member of a direct conversation', async () => {
    const { ann, bob } = cast
    const { id } = await cast.make(ann, [bob])
    const message = await cast.say(id, ann, 'Where are you?')
    const [push, ...others] = await cast.arrivals()
    expect(others).toEqual([])
    expect([push?.device, push?.payload]).toEqual([
      'bob',
      {
        kind: 'message',
        title: 'ann',
        body: 'Where are you?',
        tag: `chat:${id}`,
        url: `/chat/${id}`,
        timestamp: Date.parse(message.created_at),
        actions: [],
        conversation_id: id,
      },
    ])
  })

  it('is sent to every other member of a group, with the name of the group', async () => {
    const { ann, bob, cat } = cast
    const { id } = await cast.group(ann, [bob, cat])
    await cast.say(id, bob, 'Who brings the map?')
    expect(await cast.notified()).toEqual([
      'ann: Walks | bob: Who brings the map?',
      'cat: Walks | bob: Who brings the map?',
    ])
  })

  it('is delayed for a moment; of several messages in a row the last one is sent', async () => {
    const { ann, bob, server } = cast
    const { id } = await cast.make(ann, [bob])
    const other = await cast.group(ann, [bob, cast.cat])
    for (const text of ['One', 'Two', 'Three']) await cast.say(id, ann, text)
    await cast.say(other.id, ann, 'Elsewhere')
    await cast.say(id, bob, 'My own')
    server.clock.advance(3 * secondMs - 1)
    await server.app.pushJobs.runDue()
    expect(cast.service.attempts).toBe(0)
    expect(await cast.notified()).toEqual([
      'ann: bob | My own',
      'bob: Walks | ann: Elsewhere',
      'bob: ann | Three',
      'cat: Walks | ann: Elsewhere',
    ])
  })

  it('is sent again for each later message, and replaces the one before', async () => {
    const { ann, bob } = cast
    const { id } = await cast.make(ann, [bob])
    const pushes = []
    for (const text of ['One', 'Two']) {
      await cast.say(id, ann, text)
      pushes.push(...(await cast.arrivals()))
    }
    expect(pushes.map(({ payload }) => payload.body)).toEqual(['One', 'Two'])
    const topics = pushes.map(({ headers }) => headers['topic'])
    expect(topics[0]).toMatch(/^[\w-]{32}$/)
    expect(topics[1]).toBe(topics[0])
  })

  it('is not sent to a member who has read the message meanwhile', async () => {
    const { ann, bob, cat } = cast
    const { id } = await cast.group(ann, [bob, cat])
    await cast.say(id, ann)
    await cast.markRead(id, bob)
    expect(await cast.notified()).toEqual(['cat: Walks | ann: Hello'])
  })

  it('is not sent for a deleted message, nor repeated for an earlier one', async () => {
    const { ann, bob } = cast
    const { id } = await cast.make(ann, [bob])
    await cast.say(id, ann, 'One')
    expect(await cast.notified()).toEqual(['bob: ann | One'])
    cast.server.clock.advance(1)
    const message = await cast.say(id, ann, 'Two')
    await cast.erase(message.id, ann)
    expect(await cast.notified()).toEqual([])
  })

  it('is not sent to a user who has left, was removed or is blocked meanwhile', async () => {
    const { ann, bob, cat } = cast
    const { id } = await cast.group(ann, [bob, cat])
    await cast.say(id, ann)
    await cast.leave(id, bob)
    await cast.remove(id, ann, cat)
    const direct = await cast.make(ann, [bob])
    await cast.say(direct.id, ann)
    await cast.block(bob, ann)
    expect(await cast.notified()).toEqual([])
  })

  it('is not sent to a member of a group who has blocked the sender', async () => {
    const { ann, bob, cat } = cast
    const { id } = await cast.group(ann, [bob, cat])
    await cast.block(cat, bob)
    await cast.say(id, bob, 'Hello?')
    expect(await cast.notified()).toEqual(['ann: Walks | bob: Hello?'])
    await cast.say(id, ann, 'Hello!')
    expect(await cast.notified()).toEqual(['bob: Walks | ann: Hello!', 'cat: Walks | ann: Hello!'])
  })

  it('is shortened for a long text, and fits the size limit with any characters', async () => {
    const { ann, bob } = cast
    const { id } = await cast.make(ann, [bob])
    for (const character of ['x', '🧭', '"']) {
      await cast.say(id, ann, `a${character.repeat(3998)}b`)
      const [push] = await cast.arrivals()
      expect([...(push?.payload.body ?? '')]).toHaveLength(200)
      expect(push?.payload.body).toMatch(/…$/)
    }
  })

  it('is not sent twice for a repeated client_id', async () => {
    const { ann, bob } = cast
    const { id } = await cast.make(ann, [bob])
    const clientId = '01900000-0000-4000-8000-000000000001'
    await cast.send(id, ann, 'Once', clientId)
    expect(await cast.notified()).toEqual(['bob: ann | Once'])
    await cast.send(id, ann, 'Once', clientId)
    expect(await cast.notified()).toEqual([])
  })

  it('is sent for a message that arrives while the previous one is being sent', async () => {
    const { ann, bob, server, service } = cast
    const { id } = await cast.make(ann, [bob])
    await cast.say(id, ann, 'One')
    server.clock.advance(3 * secondMs)
    const delivery = Promise.withResolvers<void>()
    service.answer = { status: 201, until: delivery.promise }
    const sent = server.app.pushJobs.runDue()
    await expect.poll(() => service.attempts).toBe(1)
    await cast.say(id, ann, 'Two')
    delivery.resolve()
    await sent
    const before = service.received.length
    expect(service.received.at(-1)?.payload.body).toBe('One')
    await cast.arrivals()
    expect(service.received.slice(before).map(({ payload }) => payload.body)).toEqual(['Two'])
    expect(await cast.waiting()).toEqual([])
  })

  it('is sent for a message that arrives while a slow push service takes the previous one, and is not repeated', async () => {
    const { ann, bob, server } = cast
    const { id } = await cast.make(ann, [bob])
    await cast.say(id, ann, 'One')
    server.clock.advance(3 * secondMs)
    await cast.whileSending(() => cast.say(id, ann, 'Two'))
    expect(await cast.notified()).toEqual(['bob: ann | Two'])
    await cast.say(id, ann, 'Three')
    server.clock.advance(3 * secondMs)
    await cast.whileSending(async () => {
      const { id: message } = await cast.say(id, ann, 'Four')
      await cast.erase(message, ann)
    })
    expect(await cast.notified()).toEqual([])
    expect(await cast.waiting()).toEqual([])
  })

  it('is sent for a message of a node whose clock is behind', async () => {
    const { ann, bob, server } = cast
    const { id } = await cast.make(ann, [bob])
    await cast.say(id, ann, 'One')
    server.clock.advance(3 * secondMs)
    await cast.whileSending(async () => {
      const { id: message, created_at } = await cast.say(id, ann, 'Two')
      const at = new Date(Date.parse(created_at) - 2 * secondMs)
      await server.db`update messages set created_at = ${at} where id = ${message}`
    })
    expect(await cast.notified()).toEqual(['bob: ann | Two'])
  })
})

describe('a muted conversation', () => {
  it('sends no notifications until its end, to the member who muted it', async () => {
    const { ann, bob, cat, server } = cast
    const { id } = await cast.group(ann, [bob, cat])
    const until = new Date(server.clock.now().getTime() + 10 * minuteMs).toISOString()
    expect(await cast.mute(bob, id, until)).toMatchObject({
      status: 200,
      body: { conversation_id: id, muted_until: until },
    })
    await cast.say(id, ann)
    expect(await cast.notified()).toEqual(['cat: Walks | ann: Hello'])
    const direct = await cast.make(ann, [bob])
    await cast.say(direct.id, ann)
    expect(await cast.notified()).toEqual(['bob: ann | Hello'])
    server.clock.advance(10 * minuteMs)
    await cast.say(id, ann)
    expect(await cast.notified()).toEqual(['bob: Walks | ann: Hello', 'cat: Walks | ann: Hello'])
  })
})
