import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Cast, minuteMs, secondMs, startCast } from './harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

beforeEach(() => cast.reset())

afterAll(() => cast.close())

describe('a message', () => {
  it('is told to the other one of a direct conversation', async () => {
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

  it('is told to everyone else in a group, under its name', async () => {
    const { ann, bob, cat } = cast
    const { id } = await cast.group(ann, [bob, cat])
    await cast.say(id, bob, 'Who brings the map?')
    expect(await cast.told()).toEqual([
      'ann: Walks | bob: Who brings the map?',
      'cat: Walks | bob: Who brings the map?',
    ])
  })

  it('waits a moment; of several in one go the last is told', async () => {
    const { ann, bob, server } = cast
    const { id } = await cast.make(ann, [bob])
    const other = await cast.group(ann, [bob, cast.cat])
    for (const text of ['One', 'Two', 'Three']) await cast.say(id, ann, text)
    await cast.say(other.id, ann, 'Elsewhere')
    await cast.say(id, bob, 'My own')
    server.clock.advance(3 * secondMs - 1)
    await server.app.pushJobs.runDue()
    expect(cast.service.attempts).toBe(0)
    expect(await cast.told()).toEqual([
      'ann: bob | My own',
      'bob: Walks | ann: Elsewhere',
      'bob: ann | Three',
      'cat: Walks | ann: Elsewhere',
    ])
  })

  it('is told again with each that comes later, each in the place of the one before', async () => {
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

  it('is not told to whoever has read it meanwhile', async () => {
    const { ann, bob, cat } = cast
    const { id } = await cast.group(ann, [bob, cat])
    await cast.say(id, ann)
    await cast.markRead(id, bob)
    expect(await cast.told()).toEqual(['cat: Walks | ann: Hello'])
  })

  it('that was deleted is not told, nor what came before it told again', async () => {
    const { ann, bob } = cast
    const { id } = await cast.make(ann, [bob])
    await cast.say(id, ann, 'One')
    expect(await cast.told()).toEqual(['bob: ann | One'])
    cast.server.clock.advance(1)
    const message = await cast.say(id, ann, 'Two')
    await cast.erase(message.id, ann)
    expect(await cast.told()).toEqual([])
  })

  it('is not told to whoever has left, was removed or is blocked by then', async () => {
    const { ann, bob, cat } = cast
    const { id } = await cast.group(ann, [bob, cat])
    await cast.say(id, ann)
    await cast.leave(id, bob)
    await cast.remove(id, ann, cat)
    const direct = await cast.make(ann, [bob])
    await cast.say(direct.id, ann)
    await cast.block(bob, ann)
    expect(await cast.told()).toEqual([])
  })

  it('of someone whom a member of a group has blocked is not told to that member', async () => {
    const { ann, bob, cat } = cast
    const { id } = await cast.group(ann, [bob, cat])
    await cast.block(cat, bob)
    await cast.say(id, bob, 'Hello?')
    expect(await cast.told()).toEqual(['ann: Walks | bob: Hello?'])
    await cast.say(id, ann, 'Hello!')
    expect(await cast.told()).toEqual(['bob: Walks | ann: Hello!', 'cat: Walks | ann: Hello!'])
  })

  it('is cut short where it is long, and fits whatever it is made of', async () => {
    const { ann, bob } = cast
    const { id } = await cast.make(ann, [bob])
    for (const character of ['x', '🧭', '\u0001']) {
      await cast.say(id, ann, `a${character.repeat(3998)}b`)
      const [push] = await cast.arrivals()
      expect([...(push?.payload.body ?? '')]).toHaveLength(200)
      expect(push?.payload.body).toMatch(/…$/)
    }
  })

  it('that repeats a client_id is not told twice', async () => {
    const { ann, bob } = cast
    const { id } = await cast.make(ann, [bob])
    const clientId = '01900000-0000-4000-8000-000000000001'
    await cast.send(id, ann, 'Once', clientId)
    expect(await cast.told()).toEqual(['bob: ann | Once'])
    await cast.send(id, ann, 'Once', clientId)
    expect(await cast.told()).toEqual([])
  })

  it('that comes while the one before it is on its way is told too', async () => {
    const { ann, bob, server, service } = cast
    const { id } = await cast.make(ann, [bob])
    await cast.say(id, ann, 'One')
    server.clock.advance(3 * secondMs)
    const held = Promise.withResolvers<void>()
    service.answer = { status: 201, hold: held.promise }
    const sent = server.app.pushJobs.runDue()
    await expect.poll(() => service.attempts).toBe(1)
    await cast.say(id, ann, 'Two')
    held.resolve()
    await sent
    const before = service.received.length
    expect(service.received.at(-1)?.payload.body).toBe('One')
    await cast.arrivals()
    expect(service.received.slice(before).map(({ payload }) => payload.body)).toEqual(['Two'])
    expect(await cast.waiting()).toEqual([])
  })
})

describe('a muted conversation', () => {
  it('is silent until its time, for whoever muted it', async () => {
    const { ann, bob, cat, server } = cast
    const { id } = await cast.group(ann, [bob, cat])
    const until = new Date(server.clock.now().getTime() + 10 * minuteMs).toISOString()
    expect(await cast.mute(bob, id, until)).toMatchObject({
      status: 200,
      body: { conversation_id: id, muted_until: until },
    })
    await cast.say(id, ann)
    expect(await cast.told()).toEqual(['cat: Walks | ann: Hello'])
    const direct = await cast.make(ann, [bob])
    await cast.say(direct.id, ann)
    expect(await cast.told()).toEqual(['bob: ann | Hello'])
    server.clock.advance(10 * minuteMs)
    await cast.say(id, ann)
    expect(await cast.told()).toEqual(['bob: Walks | ann: Hello', 'cat: Walks | ann: Hello'])
  })
})
