import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../test/harness.ts'
import { type Cast, dayMs, minuteMs, pinNotFound, startCast } from './harness.ts'

let cast: Cast
let ann: Person
let bob: Person

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob } = cast)
})

afterAll(() => cast.server.close())
afterEach(() => cast.clear())

describe('a repeated creation with the same client_id', () => {
  it('returns the first ping and announces nothing', async () => {
    const listener = await cast.server.listen(bob, ['location_pins'])
    const client_id = randomUUID()
    const first = await cast.create(ann, { client_id })
    const second = await cast.create(ann, { client_id, name: 'Another' })
    const third = await cast.create(ann, { client_id: client_id.toUpperCase() })
    expect([first.status, second.status, third.status]).toEqual([201, 200, 200])
    expect([second.body, third.body]).toEqual([first.body, first.body])
    expect((await cast.mine(ann)).body).toHaveLength(1)

    const last = await cast.drop(ann, { name: 'Last' })
    await listener.until((change) => change.new['id'] === last.id)
    expect(listener.received.map((change) => change.new['id'])).toEqual([first.body.id, last.id])
    await listener.close()
  })

  it('creates one ping for two concurrent requests', async () => {
    const client_id = randomUUID()
    const answers = await Promise.all(Array.from({ length: 4 }, () => cast.create(ann, { client_id })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect((await cast.mine(ann)).body).toHaveLength(1)
  })

  it('returns the first ping after its start has passed and after it has expired', async () => {
    const asked = { client_id: randomUUID(), activates_at: cast.ahead(10), duration_minutes: 15 } as const
    const { body } = await cast.create(ann, asked)
    cast.server.clock.advance(12 * minuteMs)
    expect(await cast.create(ann, asked)).toMatchObject({ status: 200, body: { id: body.id, status: 'active' } })
    cast.server.clock.advance(20 * minuteMs)
    expect(await cast.create(ann, asked)).toMatchObject({ status: 200, body: { id: body.id, status: 'expired' } })
  })

  it('does not restore a deleted ping', async () => {
    const client_id = randomUUID()
    const { body } = await cast.create(ann, { client_id })
    await cast.remove(body.id, ann)
    expect(await cast.create(ann, { client_id })).toMatchObject(pinNotFound)
    expect((await cast.mine(ann)).body).toEqual([])
  })

  it('creates another ping for another owner and for a request without client_id', async () => {
    const client_id = randomUUID()
    const anns = await cast.create(ann, { client_id })
    const bobs = await cast.create(bob, { client_id })
    expect([anns.status, bobs.status]).toEqual([201, 201])
    expect(bobs.body).toMatchObject({ user_id: bob.id })
    expect((await cast.create(ann)).status).toBe(201)
    expect((await cast.create(ann, { client_id: null })).status).toBe(201)
    expect((await cast.mine(ann)).body).toHaveLength(3)
  })

  it('creates a ping if the first request was refused', async () => {
    const client_id = randomUUID()
    expect((await cast.create(ann, { client_id, name: ' ' })).status).toBe(422)
    expect((await cast.create(ann, { client_id })).status).toBe(201)
  })

  it('is recognized for thirty days', async () => {
    const client_id = randomUUID()
    await cast.create(ann, { client_id })
    cast.server.clock.advance(31 * dayMs)
    await cast.create(ann, { client_id: randomUUID() })
    expect((await cast.create(ann, { client_id })).status).toBe(201)
  })

  it.each(['', 'x', 7])('is refused with the client_id %j', async (client_id) => {
    const answer = await cast.create(ann, { client_id: client_id as string })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'client_id'] }] } })
  })
})
