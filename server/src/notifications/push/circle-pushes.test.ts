import { createCircle } from '@hither/contract/circles.ts'
import { createPing } from '@hither/contract/pings.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Person } from '../../../test/harness.ts'
import { type Cast, startCast } from '../harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

beforeEach(() => cast.reset())

afterAll(() => cast.close())

it('a ping for overlapping circles is one push for each person, the same as for people who are named', async () => {
  const { ann, bob, cat } = cast
  const circle = async (name: string, members: readonly Person[]) => {
    const body = { name, member_ids: members.map(({ id }) => id) }
    return (await cast.server.call(createCircle, { body }, ann)).body.id
  }
  const circle_ids = [await circle('Nosy colleagues', [bob, cat]), await circle('Band', [cat])]
  expect(await cast.arrivals()).toEqual([])
  const place = { name: 'Coffee at Nero', latitude: 45.52, longitude: -122.68 }
  await cast.server.call(createPing, { body: { ...place, circle_ids, recipient_ids: [cat.id] } }, ann)
  const forCircles = await cast.arrivals()
  expect(forCircles.map(({ device }) => device)).toEqual(['bob', 'cat'])
  for (const { text } of forCircles) expect(text).not.toMatch(/circle|Nosy|Band|audience/i)
  await cast.server.call(createPing, { body: { ...place, recipient_ids: [bob.id, cat.id] } }, ann)
  const named = await cast.arrivals()
  const words = (pushes: typeof named) => pushes.map(({ payload: { kind, title, body } }) => [kind, title, body])
  expect(words(named)).toEqual(words(forCircles))
})
