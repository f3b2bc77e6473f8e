import { randomBytes } from 'node:crypto'
import { createGuest } from '@hither/contract/guests.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Listener, type Person, receivedBy } from '../../../test/harness.ts'
import { type Cast, startCast } from '../harness.ts'
import { rowOf } from '../pings.rules.ts'

let cast: Cast
let people: readonly Person[]
let listeners: Listener[]

beforeAll(async () => {
  cast = await startCast()
  people = [cast.ann, cast.bob, cast.cat, cast.eve]
})

afterAll(() => cast.server.close())

beforeEach(async () => {
  const tables = ['location_pins', 'ping_responses', 'ping_guests', 'users'] as const
  listeners = await Promise.all(people.map((person) => cast.server.listen(person, tables)))
})

afterEach(async () => {
  await Promise.all(listeners.map((listener) => listener.close()))
  await cast.clear()
})

/** What ann, bob, cat and eve have received since the last call, as `TYPE ping`, `TYPE response of bob` or `TYPE guest`. */
async function received(): Promise<string[][]> {
  const all = []
  for (const [index, person] of people.entries()) {
    const listener = listeners[index] as Listener
    const changes = await receivedBy(cast.server, person, listener)
    all.push(
      changes.map(({ table, eventType, new: row, old }) => {
        const whose = people.find(({ id }) => id === (row['user_id'] ?? old['user_id']))?.username
        const what = { location_pins: 'ping', ping_responses: `response of ${whose}`, ping_guests: 'guest' }[table]
        return `${eventType} ${what}`
      }),
    )
    ;(listener.received as unknown[]).length = 0
  }
  return all
}

const nothing: string[] = []

describe('an edit', () => {
  it('is one UPDATE with the complete row to everybody who sees the ping', async () => {
    const { id } = await cast.drop(cast.ann, { recipient_ids: [cast.bob.id], is_public: true })
    await received()
    const change = { name: 'Tea', message: 'Cake', latitude: 1, longitude: 2, is_public: true }
    const { body } = await cast.change(id, change, cast.ann)
    const update = await (listeners[1] as Listener).until(({ eventType }) => eventType === 'UPDATE')
    expect(update.new).toEqual(rowOf(body))
    expect(await received()).toEqual([['UPDATE ping'], ['UPDATE ping'], nothing, nothing])
    await cast.change(id, change, cast.ann)
    expect(await received()).toEqual([nothing, nothing, nothing, nothing])
  })

  it('that hides or shows the responses takes those of others from the invitees, or returns them', async () => {
    const { id } = await cast.drop(cast.ann, { is_public: true, guest_policy: 'open' })
    await cast.respond(id, 'accepted', cast.bob)
    const body = { token: randomBytes(32).toString('base64url'), name: 'Mia', response_type: 'accepted' } as const
    await cast.server.call(createGuest, { params: { id }, body })
    await received()
    await cast.change(id, { responses_visible: false }, cast.ann)
    expect(await received()).toEqual([
      ['UPDATE ping'],
      ['UPDATE ping', 'DELETE guest'],
      ['UPDATE ping', 'DELETE response of bob', 'DELETE guest'],
      nothing,
    ])
    await cast.change(id, { responses_visible: true }, cast.ann)
    expect(await received()).toEqual([
      ['UPDATE ping'],
      ['UPDATE ping', 'INSERT guest'],
      ['UPDATE ping', 'INSERT response of bob', 'INSERT guest'],
      nothing,
    ])
  })

  it('that lets anyone respond approves the guests who wait, also together with other fields', async () => {
    const { id } = await cast.drop(cast.ann, { is_public: true, guest_policy: 'approval' })
    await cast.respond(id, 'accepted', cast.eve)
    await received()
    const { body } = await cast.change(id, { guest_policy: 'open', name: 'Tea' }, cast.ann)
    expect(body).toMatchObject({ name: 'Tea', guests: [{ state: 'approved' }] })
    expect(await received()).toEqual([
      ['UPDATE ping', 'UPDATE guest'],
      ['UPDATE ping', 'INSERT guest'],
      ['UPDATE ping', 'INSERT guest'],
      nothing,
    ])
  })

  it('shows people who may know only the area nothing of the exact place', async () => {
    const { id } = await cast.drop(cast.ann, { recipient_ids: [cast.bob.id, cast.cat.id] })
    await cast.respond(id, 'accepted', cast.cat)
    await received()
    const place = { latitude: 40.758912, longitude: -73.985123, address: '1 Secret St' }
    await cast.change(id, { ...place, exact_place_for: 'going', area_km: 5 }, cast.ann)
    const [bob, cat] = await Promise.all(
      [1, 2].map((index) => (listeners[index] as Listener).until(({ eventType }) => eventType === 'UPDATE')),
    )
    expect(cat?.new).toMatchObject({ ...place, place_radius_m: null })
    expect(bob?.new).toMatchObject({ latitude: 40.775, longitude: -73.987528, place_radius_m: 5000 })
    expect(JSON.stringify(bob)).not.toMatch(/758912|985123|Secret/)
    expect((await cast.read(id, cast.bob)).body).toMatchObject({ latitude: 40.775, place_radius_m: 5000 })
  })
})

it('an invitation is an INSERT to the new people and an UPDATE to the others', async () => {
  const { id } = await cast.drop(cast.ann, { recipient_ids: [cast.bob.id] })
  await cast.respond(id, 'accepted', cast.bob)
  await received()
  await cast.invite(id, [cast.cat], cast.ann)
  expect(await received()).toEqual([
    ['UPDATE ping'],
    ['UPDATE ping'],
    ['INSERT ping', 'INSERT response of bob'],
    nothing,
  ])
  await cast.invite(id, [cast.cat], cast.ann)
  expect(await received()).toEqual([nothing, nothing, nothing, nothing])
})

it('a removed person receives DELETEs and nothing more of the ping', async () => {
  const { id } = await cast.drop(cast.ann)
  await cast.respond(id, 'accepted', cast.bob)
  await cast.respond(id, 'tentative', cast.cat)
  await received()
  await cast.uninvite(id, cast.bob, cast.ann)
  const [ann, bob, cat, eve] = await received()
  expect([ann, cat, eve]).toEqual([
    ['DELETE response of bob', 'UPDATE ping'],
    ['DELETE response of bob', 'UPDATE ping'],
    nothing,
  ])
  expect(bob?.toSorted()).toEqual(['DELETE ping', 'DELETE response of bob', 'DELETE response of cat'])
  expect(bob?.at(-1)).toBe('DELETE ping')
  for (let round = 0; round < 5; round++) {
    await cast.change(id, { name: `Tea ${round}` }, cast.ann)
    await cast.respond(id, round % 2 ? 'accepted' : 'declined', cast.cat)
  }
  await cast.cancel(id, cast.ann)
  expect((await received())[1]).toEqual([])
})
