import { listBytesMax } from '@hither/contract/operation.ts'
import { refusals } from '@hither/contract/refusals.ts'
import { pingTexts } from '@hither/contract/runtime/pings.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../test/harness.ts'
import { type Cast, dayMs, minuteMs, place, startCast, unknownPingId } from './harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let eve: Person

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat, eve } = cast)
})

afterAll(() => cast.server.close())
afterEach(() => cast.clear())

function postText(body: string) {
  return cast.server.request('POST', '/api/pings/', { body, as: ann })
}

function locsOf({ body }: { body: unknown }) {
  return (body as { detail: { loc: string[] }[] }).detail.map(({ loc }) => loc.join('.'))
}

describe('the location of a ping', () => {
  it.each([
    [90, 180],
    [-90, -180],
    [0, 0],
  ])('is accepted at %d, %d', async (latitude, longitude) => {
    expect(await cast.create(ann, { latitude, longitude })).toMatchObject({
      status: 201,
      body: { latitude, longitude },
    })
  })

  it.each([
    ['latitude', '90.000001'],
    ['latitude', '-90.000001'],
    ['longitude', '180.000001'],
    ['longitude', '-180.000001'],
    // JSON has no infinite numbers, but a number may be too large for a double.
    ['latitude', '1e999'],
    ['longitude', '-1e999'],
    ['latitude', 'true'],
    ['longitude', '[]'],
  ])('is refused with the %s %s', async (field, value) => {
    const fields = Object.entries({ ...place, [field]: '?' }).map(([key, it]) => `"${key}":${JSON.stringify(it)}`)
    const answer = await postText(`{${fields.join()}}`.replace('"?"', value))
    expect(answer.status).toBe(422)
    expect(new Set(locsOf(answer))).toEqual(new Set([`body.${field}`]))
  })

  it.each(['NaN', 'Infinity'])('written as %s is invalid JSON', async (value) => {
    const answer = await postText(`{"name":"Coffee","latitude":${value},"longitude":0}`)
    expect(answer.status).toBe(422)
    expect(locsOf(answer)).toEqual(['body'])
  })
})

describe('the texts of a ping', () => {
  it('are limited in code points', async () => {
    const [message, address] = ['📍'.repeat(500), '字'.repeat(300)]
    expect(await cast.create(ann, { message, address })).toMatchObject({ status: 201, body: { message, address } })
    expect(locsOf(await cast.create(ann, { message: `${message}x` }))).toEqual(['body.message'])
    expect(locsOf(await cast.create(ann, { address: `${address}x` }))).toEqual(['body.address'])
  })

  it('of a name get the same refusal however much too long they are', async () => {
    for (const length of [51, 1001, 4000]) {
      const { status, body } = await cast.create(ann, { name: 'x'.repeat(length) })
      expect([status, body]).toEqual([
        422,
        {
          detail: [
            { loc: ['body', 'name'], msg: pingTexts.nameTooLong, type: 'value_error', code: 'ping_name_too_long' },
          ],
          code: 'invalid_input',
        },
      ])
    }
    expect((await cast.create(ann, { name: 'x'.repeat(listBytesMax) })).status).toBe(413)
    expect((await cast.create(ann, { name: `${' '.repeat(2000)}Tea` })).status).toBe(201)
  })

  it('with several errors get one refusal that lists all of them', async () => {
    const answer = await cast.create(ann, { name: ' ', activates_at: cast.ahead(0) })
    expect(locsOf(answer)).toEqual(['body.name', 'body.activates_at'])
  })
})

describe('a recipient list', () => {
  it('with an invalid id is refused with its position', async () => {
    const answer = await cast.server.request('POST', '/api/pings/', {
      body: { ...place, recipient_ids: [bob.id, 'bob'] },
      as: ann,
    })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'recipient_ids', 1] }] } })
  })

  it('does not restore a former friend or a blocked user', async () => {
    await cast.unfriend(bob, ann)
    expect(locsOf(await cast.create(ann, { recipient_ids: [bob.id] }))).toEqual(['body.recipient_ids'])
    expect((await cast.create(ann)).body.recipients.map(({ recipient_id }) => recipient_id)).toEqual([cat.id])
    await cast.block(bob, ann)
    expect(locsOf(await cast.create(ann, { recipient_ids: [bob.id] }))).toEqual(['body.recipient_ids'])
    await cast.unblock(bob, ann)
    await cast.server.befriend(ann, bob)
  })
})

describe('the refusal of a 51st ping', () => {
  it('has the text of the contract and lasts until the oldest ping expires, to the millisecond', async () => {
    const { status, detail } = refusals.too_many_pings
    await cast.drop(ann, { duration_minutes: 15 })
    for (let n = 1; n < 50; n++) await cast.drop(ann, { duration_minutes: 60 })
    cast.server.clock.advance(15 * minuteMs - 1)
    expect(await cast.create(ann)).toMatchObject({ status, body: { detail } })
    cast.server.clock.advance(1)
    expect((await cast.create(ann)).status).toBe(201)
  })
})

describe('a user who may not see a ping', () => {
  it.each([
    ['a stranger', () => eve],
    ['a friend who is not invited', () => cat],
  ])('as %s gets the same answer to every call as for an unknown ping', async (_name, person) => {
    const { id } = await cast.drop(ann, { recipient_ids: [bob.id] })
    await cast.respond(id, 'accepted', bob)
    for (const attempt of [cast.read, cast.remove, cast.answers, cast.takeBack, respondAs]) {
      const [hidden, missing] = [await attempt(id, person()), await attempt(unknownPingId, person())]
      expect({ status: hidden.status, body: hidden.body }).toEqual({ status: missing.status, body: missing.body })
    }
    expect((await cast.answers(id, ann)).body).toHaveLength(1)
  })

  it('as a blocked invitee can only remove their response from a public ping', async () => {
    const { id } = await cast.drop(ann, { is_public: true })
    await cast.respond(id, 'accepted', bob)
    await cast.block(bob, ann)
    for (const attempt of [cast.read, cast.remove, cast.answers, respondAs]) {
      expect(await attempt(id, bob)).toMatchObject({
        status: 404,
        body: { detail: refusals.ping_not_found.detail, code: 'ping_not_found' },
      })
    }
    expect((await cast.takeBack(id, bob)).status).toBe(204)
    await cast.unblock(bob, ann)
    await cast.server.befriend(ann, bob)
    expect((await cast.answers(id, bob)).body).toEqual([])
  })
})

describe('a friend who is not invited to a public ping', () => {
  it('sees what a stranger sees and is not listed among those who have seen it', async () => {
    const { id } = await cast.drop(ann, { is_public: true, recipient_ids: [bob.id] })
    const seen = await cast.read(id, cat)
    expect(seen.status).toBe(200)
    expect(seen.body).toEqual((await cast.read(id, eve)).body)
    expect(seen.body).not.toHaveProperty('recipients')
    expect((await cast.read(id, ann)).body).toMatchObject({ recipients: [{ recipient_id: bob.id, has_seen: false }] })
  })
})

describe('marking a ping as seen', () => {
  it('needs opening the ping: neither lists, responses nor an own response are enough', async () => {
    const { id } = await cast.drop(ann, { recipient_ids: [bob.id] })
    await cast.list(bob)
    await cast.answers(id, bob)
    await cast.respond(id, 'accepted', bob)
    const seen = async () => (await cast.mine(ann)).body[0]?.recipients.map(({ has_seen }) => has_seen)
    expect(await seen()).toEqual([false])
    await cast.read(id, bob)
    expect(await seen()).toEqual([true])
  })

  it('also happens for an expired ping, and survives the end of a friendship', async () => {
    const { id } = await cast.drop(ann, { recipient_ids: [bob.id] })
    cast.server.clock.advance(dayMs)
    await cast.read(id, bob)
    await cast.unfriend(ann, bob)
    await cast.server.befriend(ann, bob)
    expect((await cast.read(id, ann)).body).toMatchObject({ recipients: [{ has_seen: true }] })
  })
})

function respondAs(id: typeof unknownPingId, person: Person) {
  return cast.respond(id, 'declined', person)
}
