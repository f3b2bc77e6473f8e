import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '../../test/harness.ts'
import { type Cast, invitees, startCast } from './harness.ts'

let cast: Cast
let friends: Record<Name, Person>

const names = ['bob', 'cat', 'dan'] as const
const circleNames = ['Work', 'Band'] as const
type Name = (typeof names)[number]
type CircleName = (typeof circleNames)[number]

beforeAll(async () => {
  cast = await startCast()
  friends = { bob: cast.bob, cat: cast.cat, dan: cast.dan }
})

afterAll(() => cast.server.close())

const someNames = fc.uniqueArray(fc.constantFrom(...names))
const step = fc.oneof(
  fc.record({ deed: fc.constant('put' as const), circle: fc.constantFrom(...circleNames), members: someNames }),
  fc.record({ deed: fc.constant('erase' as const), circle: fc.constantFrom(...circleNames) }),
  fc.record({ deed: fc.constantFrom('unfriend' as const, 'befriend' as const), friend: fc.constantFrom(...names) }),
  fc.record({
    deed: fc.constant('drop' as const),
    circles: fc.uniqueArray(fc.constantFrom(...circleNames)),
    named: someNames,
  }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

interface Model {
  readonly friends: Set<Name>
  readonly circles: Map<CircleName, Set<Name>>
}

it('lists and invites exactly the members who are friends, in any order of actions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      await cast.clear()
      await cast.clearCircles()
      const model: Model = { friends: new Set(names), circles: new Map() }
      for (const name of names) await cast.server.befriend(cast.ann, friends[name])
      for (const one of steps) await take(model, one)
      const listed = (await cast.circles(cast.ann)).map(({ name, member_ids }) => [
        name,
        member_ids.map((id) => names.find((friend) => friends[friend].id === id)),
      ])
      expect(listed).toEqual([...model.circles].map(([name, members]) => [name, [...members].sort()]).sort())
    }),
    { numRuns: 8 },
  )
})

async function take(model: Model, one: Step): Promise<void> {
  switch (one.deed) {
    case 'put':
      return put(model, one.circle, one.members)
    case 'erase': {
      const known = (await cast.circles(cast.ann)).find(({ name }) => name === one.circle)
      if (known) await cast.erase(known.id, cast.ann)
      model.circles.delete(one.circle)
      return
    }
    case 'unfriend':
      await cast.unfriend(cast.ann, friends[one.friend])
      model.friends.delete(one.friend)
      for (const members of model.circles.values()) members.delete(one.friend)
      return
    case 'befriend':
      await cast.server.befriend(cast.ann, friends[one.friend])
      model.friends.add(one.friend)
      return
    case 'drop':
      return drop(model, one.circles, one.named)
  }
}

async function put(model: Model, name: CircleName, members: readonly Name[]): Promise<void> {
  const member_ids = members.map((member) => friends[member].id)
  const known = (await cast.circles(cast.ann)).find((circle) => circle.name === name)
  const { status } = known
    ? await cast.edit(known.id, { member_ids }, cast.ann)
    : await cast.createCircle({ name, member_ids }, cast.ann)
  const isValid = members.length > 0 && members.every((member) => model.friends.has(member))
  expect(status).toBe(isValid ? (known ? 200 : 201) : 422)
  if (isValid) model.circles.set(name, new Set(members))
}

async function drop(model: Model, chosen: readonly CircleName[], named: readonly Name[]): Promise<void> {
  const mine = await cast.circles(cast.ann)
  const known = chosen.flatMap((name) => mine.filter((circle) => circle.name === name))
  const circle_ids = known.map(({ id }) => id)
  const recipient_ids = named.map((name) => friends[name].id)
  const { status, body } = await cast.create(cast.ann, { circle_ids, recipient_ids })
  const expected = new Set([
    ...named,
    ...known.flatMap(({ name }) => [...(model.circles.get(name as CircleName) ?? [])]),
  ])
  const isValid = expected.size > 0 && named.every((name) => model.friends.has(name))
  expect(status).toBe(isValid ? 201 : 422)
  if (!isValid) return
  expect(invitees(body)).toEqual([...expected].sort())
  expect(body.audience.circle_ids).toEqual(circle_ids.toSorted())
  expect(new Set(body.audience.recipient_ids)).toEqual(new Set(recipient_ids))
}
