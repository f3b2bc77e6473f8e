import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Listener, type Person, receivedBy } from '../../test/harness.ts'
import { type Cast, startCast } from './harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let dan: Person
const listeners: Listener[] = []

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat, dan } = cast)
})

afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.close()))
  await cast.clear()
  await cast.clearCircles()
})

afterAll(() => cast.server.close())

async function listen(person: Person) {
  const listener = await cast.server.listen(person, ['circles', 'friendships', 'location_pins', 'users'])
  listeners.push(listener)
  return async () => (await receivedBy(cast.server, person, listener)).filter(({ table }) => table !== 'users')
}

describe('the feed of circles', () => {
  it('has each change of a circle, for its owner only', async () => {
    const [toAnn, toBob] = [await listen(ann), await listen(bob)]
    const made = await cast.circle('Work', [bob])
    const edited = (await cast.edit(made.id, { name: 'Band', emoji: '☕', member_ids: [bob.id, cat.id] }, ann)).body
    await cast.edit(made.id, { name: 'Band' }, ann)
    await cast.erase(made.id, ann)
    await cast.erase(made.id, ann)
    const row = { id: made.id, user_id: ann.id }
    const before = { ...row, name: 'Work', emoji: null, member_count: 1, updated_at: made.updated_at }
    const after = { ...row, name: 'Band', emoji: '☕', member_count: 2, updated_at: edited.updated_at }
    expect(
      (await toAnn()).map(({ eventType, new: record, old }) => [eventType, eventType === 'DELETE' ? old : record]),
    ).toEqual([
      ['INSERT', before],
      ['UPDATE', after],
      ['DELETE', after],
    ])
    expect(await toBob()).toEqual([])
  })

  it.each([
    [
      'removed friend',
      (other: Person) => cast.unfriend(other, ann),
      (other: Person) => cast.server.befriend(ann, other),
    ],
    [
      'blocked person',
      (other: Person) => cast.block(other, ann),
      async (other: Person) => {
        await cast.unblock(other, ann)
        await cast.server.befriend(ann, other)
      },
    ],
  ])('has an UPDATE of the circles of both after the end of the friendship with a %s', async (_name, end, restore) => {
    const anns = await cast.circle('Work', [bob, cat])
    await cast.circle('Band', [cat])
    const bobs = await cast.circle('Club', [ann], bob)
    const [toAnn, toBob, toCat] = [await listen(ann), await listen(bob), await listen(cat)]
    await end(bob)
    const words = (changes: Awaited<ReturnType<typeof toAnn>>) =>
      changes.map(({ table, eventType, new: record }) => [table, eventType, record['id'], record['member_count']])
    expect(words(await toAnn())).toEqual([
      ['friendships', 'DELETE', undefined, undefined],
      ['circles', 'UPDATE', anns.id, 1],
    ])
    expect(words(await toBob())).toEqual([
      ['friendships', 'DELETE', undefined, undefined],
      ['circles', 'UPDATE', bobs.id, 0],
    ])
    expect(await toCat()).toEqual([])
    await restore(bob)
    expect((await cast.circles(ann)).map(({ member_ids }) => member_ids)).toEqual([[cat.id], [cat.id]])
  })
})

describe('a ping for overlapping circles', () => {
  it('is one event for each person, which has nothing of the circles', async () => {
    const secret = 'Nosy colleagues'
    const work = await cast.circle(secret, [bob, cat])
    const band = await cast.circle('Band', [cat, dan])
    const people = [ann, bob, cat, dan]
    const received = []
    for (const person of people) received.push(await listen(person))
    const input = { circle_ids: [work.id, band.id], recipient_ids: [cat.id] }
    await cast.drop(ann, input)
    for (const changes of received) {
      const all = await changes()
      expect(all.map(({ table, eventType }) => [table, eventType])).toEqual([['location_pins', 'INSERT']])
      for (const word of [secret, work.id, 'circle', 'audience', 'invited_all', 'is_individual'])
        expect(JSON.stringify(all)).not.toContain(word)
    }
  })
})
