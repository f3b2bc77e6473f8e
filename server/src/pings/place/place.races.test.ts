import type { ResponseType } from '@hither/contract/pings.ts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type Listener, type Person, receivedBy } from '../../../test/harness.ts'
import { race } from '../../../test/race.ts'
import type { Tx } from '../../platform/db/database.ts'
import { area, type Cast, exactPlace, placeIn, placeInReply, startCast } from './harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let listener: Listener

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob } = cast)
  listener = await cast.server.listen(bob, ['location_pins', 'users'])
})

afterAll(() => cast.server.close())
afterEach(() => cast.clear())

const answers = ['accepted', 'tentative', 'declined'] as const satisfies ResponseType[]
const placeAfter = (type: ResponseType) => (type === 'accepted' ? exactPlace : area)

it('an answer during a change to people who are going leaves the place that belongs to the answer, in 100 rounds', async () => {
  const last = new Map<string, unknown>()
  for (let round = 0; round < 100; round++) {
    const { id } = await cast.place('everyone')
    const type = answers[round % answers.length] ?? 'accepted'
    const [changed, answered] = await Promise.all([
      cast.change(id, { exact_place_for: 'going' }, ann),
      cast.respond(id, type, bob),
    ])
    expect([changed.status, answered.status]).toEqual([200, 200])
    const read = placeInReply(await cast.read(id, bob))
    expect([round, read]).toEqual([round, placeAfter(type)])
    last.set(id, read)
    await cast.remove(id, ann)
  }
  const places = new Map<string, unknown>()
  for (const { eventType, new: row } of await receivedBy(cast.server, bob, listener))
    if (eventType !== 'DELETE') places.set(row['id'] as string, placeIn(row))
  expect(places).toEqual(last)
})

it.each(['the answer', 'the change'] as const)('%s waits for the other one', async (second) => {
  const { id } = await cast.place('everyone')
  const answer = () => cast.respond(id, 'tentative', bob) as Promise<{ status: number }>
  const change = () => cast.change(id, { exact_place_for: 'going' }, ann) as Promise<{ status: number }>
  const lockAnn = (tx: Tx) => tx`select id from users where id = ${ann.id} for update`
  const calls = second === 'the answer' ? [change, answer] : [answer, change]
  expect((await race(cast.server.db, lockAnn, ...calls)).map(({ status }) => status)).toEqual([200, 200])
  expect(placeInReply(await cast.read(id, bob))).toEqual(area)
})
