import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { taggedPicture } from '../../../test/pictures.ts'
import { openFolder, type TestStorage } from '../../../test/storages.ts'
import { type Cast, secondMs, startCast } from '../harness.ts'

let storage: TestStorage
let cast: Cast

beforeAll(async () => {
  storage = await openFolder()
  cast = await startCast(undefined, storage.environment)
})

beforeEach(async () => {
  await cast.reset()
  await cast.prefer(cast.ann, { kinds: { message_reaction: true } })
})

afterAll(async () => {
  await cast.close()
  await storage.close()
})

describe('the notification of a reaction', () => {
  it('is off by default', async () => {
    const { ann, bob } = cast
    const { id } = await cast.make(ann, [bob])
    const message = await cast.say(id, bob)
    await cast.arrivals()
    await cast.react(message.id, ann)
    expect(await cast.notified()).toEqual([])
  })

  it('is sent to the author, with the start of the message', async () => {
    const { ann, bob, cat } = cast
    const { id } = await cast.group(ann, [bob, cat])
    const message = await cast.say(id, ann, 'See you at 8')
    await cast.arrivals()
    const { body } = await cast.react(message.id, bob, '❤️')
    const [push, ...others] = await cast.arrivals()
    expect(others).toEqual([])
    expect([push?.device, push?.payload]).toEqual([
      'ann',
      {
        kind: 'message_reaction',
        title: 'bob reacted ❤️',
        body: 'See you at 8',
        tag: `reaction:${message.id}`,
        url: `/chat/${id}`,
        timestamp: Date.parse(body.created_at),
        actions: [],
        conversation_id: id,
      },
    ])
  })

  it('has the same tag if the client writes the id of the message in upper case', async () => {
    const { ann, bob } = cast
    const { id } = await cast.make(ann, [bob])
    const message = await cast.say(id, ann)
    await cast.arrivals()
    await cast.react(message.id.toUpperCase() as typeof message.id, bob)
    expect((await cast.arrivals()).map(({ payload }) => payload.tag)).toEqual([`reaction:${message.id}`])
  })

  it('has the current emoji of the latest reaction, and is not sent for a removed one', async () => {
    const { ann, bob, cat } = cast
    const { id } = await cast.group(ann, [bob, cat])
    const message = await cast.say(id, ann)
    await cast.arrivals()
    await cast.react(message.id, cat, '👍')
    cast.server.clock.advance(1)
    await cast.react(message.id, bob, '👍')
    await cast.react(message.id, bob, '😂')
    expect(await cast.notified()).toEqual(['ann: bob reacted 😂 | Hello'])
    await cast.unreact(message.id, bob)
    await cast.react(message.id, bob, '😮')
    await cast.unreact(message.id, bob)
    expect(await cast.notified()).toEqual([])
  })

  it('is sent for a reaction that arrives while the previous one is being sent', async () => {
    const { ann, bob, cat, server } = cast
    const { id } = await cast.group(ann, [bob, cat])
    const message = await cast.say(id, ann)
    await cast.arrivals()
    await cast.react(message.id, bob, '👍')
    server.clock.advance(3 * secondMs)
    await cast.whileSending(() => cast.react(message.id, cat, '😂'))
    expect(await cast.notified()).toEqual(['ann: cat reacted 😂 | Hello'])
  })

  it('is not sent for own reactions, from blocked people, in muted chats and about deleted messages', async () => {
    const { ann, bob, cat } = cast
    const { id } = await cast.group(ann, [bob, cat])
    const message = await cast.say(id, ann)
    await cast.arrivals()
    await cast.react(message.id, ann)
    await cast.block(ann, cat)
    await cast.react(message.id, cat)
    expect(await cast.notified()).toEqual([])
    await cast.mute(ann, id, null)
    await cast.react(message.id, bob)
    expect(await cast.notified()).toEqual([])
    const other = await cast.group(bob, [ann, cast.dan])
    const gone = await cast.say(other.id, ann)
    await cast.arrivals()
    await cast.react(gone.id, bob)
    await cast.erase(gone.id, ann)
    expect(await cast.notified()).toEqual([])
  })

  it('hides who reacted, and to what', async () => {
    const { ann, bob } = cast
    await cast.prefer(ann, { hide_details: true })
    const { id } = await cast.make(ann, [bob])
    const message = await cast.say(id, ann, 'Secret')
    await cast.arrivals()
    await cast.react(message.id, bob)
    expect(await cast.notified()).toEqual(['ann: New reaction | '])
  })
})

describe('the notification of a message', () => {
  it('with a place names it, without address and coordinates', async () => {
    const { ann, bob, cat } = cast
    const { id } = await cast.group(ann, [bob, cat])
    const place = { latitude: 45.5231, longitude: -122.6765, name: 'Coffee at Nero', address: 'Main Street 5' }
    await cast.post(id, ann, { place })
    const pushes = await cast.arrivals()
    expect(pushes.map(({ payload }) => payload.body)).toEqual(['ann: 📍 Coffee at Nero', 'ann: 📍 Coffee at Nero'])
    expect(JSON.stringify(pushes.map(({ payload }) => payload))).not.toMatch(/Main Street|45\.5|122\.6/)
    await cast.post(id, ann, { place: { latitude: 45.5231, longitude: -122.6765, address: 'Main Street 5' } })
    expect(await cast.notified()).toEqual(['bob: Walks | ann: 📍 Place', 'cat: Walks | ann: 📍 Place'])
  })

  it('with a photo has its caption or else the word Photo, without the picture', async () => {
    const { ann, bob, cat } = cast
    const { id } = await cast.group(ann, [bob, cat])
    const picture = await taggedPicture('jpeg')
    for (const [content, text] of [
      [undefined, 'ann: 📷 Photo'],
      ['Sunset', 'ann: Sunset'],
    ] as const) {
      const uploaded = await cast.upload(id, ann, picture)
      await cast.post(id, ann, { photo_id: uploaded.body.photo_id, ...(content && { content }) })
      const pushes = await cast.arrivals()
      expect(pushes.map(({ device, payload }) => [device, payload.body])).toEqual([
        ['bob', text],
        ['cat', text],
      ])
      for (const { payload } of pushes) expect(payload).not.toHaveProperty('image')
    }
  })

  it('that is edited before it is sent has the new text, and a later edit sends nothing', async () => {
    const { ann, bob } = cast
    const { id } = await cast.make(ann, [bob])
    const message = await cast.say(id, ann, 'See you at 8')
    await cast.edit(message.id, ann, 'See you at 9')
    expect(await cast.notified()).toEqual(['bob: ann | See you at 9'])
    await cast.edit(message.id, ann, 'See you at 10')
    expect(await cast.notified()).toEqual([])
  })
})
