import type { ConversationId } from '@hither/contract/ids.ts'
import { messageFaults } from '@hither/contract/runtime/messages/messages.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../test/harness.ts'
import { type Cast, friendsOnly, startCast, unknownId } from '../harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let id: ConversationId

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat } = cast)
})

beforeEach(async () => {
  id = (await cast.group(ann, [bob, cat])).id
})

afterEach(() => cast.clear())
afterAll(() => cast.server.close())

const nero = { latitude: 45.52, longitude: -122.68, name: 'Coffee at Nero', address: 'Main Street 5' }
const lastOf = async (who: Person) => (await cast.open(id, who)).body.message_details.messages.at(-1)

describe('a place', () => {
  it('is sent with a caption and read by every member, on the page and in the feed', async () => {
    const listener = await cast.server.listen(cat, ['messages'])
    const { status, body } = await cast.post(id, ann, { content: ' Here! ', place: nero })
    expect(status).toBe(201)
    const attachment = { type: 'place', caption: 'Here!', ...nero }
    expect(body.message).toMatchObject({ content: 'Here!', attachment })
    expect(await lastOf(bob)).toMatchObject({ content: 'Here!', attachment })
    expect((await listener.until(() => true)).new).toMatchObject({ content: 'Here!', attachment })
    await listener.close()
  })

  it('without a caption has a content that names it, and never its address', async () => {
    const contents: unknown[] = []
    const { name: _, ...unnamed } = nero
    for (const place of [nero, unnamed, { latitude: 90, longitude: -180, name: null, address: ' ' }]) {
      const { body } = await cast.post(id, ann, { place })
      const [listed] = await cast.list(bob)
      expect(listed?.last_message?.content).toBe(body.message.content)
      expect(JSON.stringify(listed)).not.toContain('Main Street')
      contents.push([body.message.content, (await lastOf(bob))?.content])
    }
    expect(contents).toEqual([
      ['📍 Coffee at Nero', '📍 Coffee at Nero'],
      ['📍 Place', '📍 Place'],
      ['📍 Place', '📍 Place'],
    ])
  })

  it('is quoted by its name', async () => {
    const { body } = await cast.post(id, ann, { place: nero })
    await cast.post(id, bob, { content: 'On my way', reply_to_id: body.message.id })
    expect((await lastOf(cat))?.reply_to).toMatchObject({ kind: 'place', excerpt: '📍 Coffee at Nero' })
  })

  it('is refused outside of the ranges, and together with a photo', async () => {
    const send = (place: unknown, more: object = {}) =>
      cast.server.request('POST', '/api/messages/send', { body: { conversation_id: id, place, ...more }, as: ann })
    for (const place of [
      { ...nero, latitude: 91 },
      { ...nero, latitude: '1' },
      { ...nero, latitude: 'NaN' },
      { ...nero, longitude: -181 },
      { longitude: 1 },
      { ...nero, name: 'x'.repeat(81) },
      { ...nero, name: '' },
      { ...nero, name: 'a\u0000b' },
      { ...nero, address: 'x'.repeat(301) },
      'Nero',
    ])
      expect((await send(place)).status).toBe(422)
    const blank = { loc: ['body', 'place', 'name'], msg: 'Please enter a name of 1 to 80 characters.' }
    expect(await send({ ...nero, name: '  ' })).toMatchObject({ status: 422, body: { detail: [blank] } })
    const fault = { loc: ['body'], msg: messageFaults.one_attachment, type: 'one_attachment' }
    expect(await send(nero, { photo_id: unknownId })).toMatchObject({ status: 422, body: { detail: [fault] } })
    expect(await lastOf(ann)).toBeUndefined()
  })

  it('is erased with its message', async () => {
    const { body } = await cast.post(id, ann, { content: 'Here!', place: nero })
    await cast.erase(body.message.id, ann)
    const [row] = await cast.server.db`
      select content, attachment, place_name, place_address, latitude, longitude, search::text as search from messages`
    const nothing = { attachment: null, place_name: null, place_address: null, latitude: null, longitude: null }
    expect(row).toEqual({ content: '', search: '', ...nothing })
  })

  it('is refused to former friends', async () => {
    const direct = await cast.make(bob, [cat])
    await cast.unfriend(bob, cat)
    expect(await cast.post(direct.id, cat, { place: nero })).toMatchObject(friendsOnly)
    await cast.server.befriend(bob, cat)
  })
})
