import type { Ping, PingResponse } from '@hither/contract/pings.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../../test/harness.ts'
import { type Cast, minuteMs, pinNotFound, startCast, unknownPingId } from '../harness.ts'

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

const notInvited = { status: 403, body: { detail: 'Only invited friends can respond', code: 'not_invited' } }

function whoIn(responses: PingResponse[]) {
  return responses.map(({ username, response_type }) => `${username} ${response_type}`)
}

async function shownTo(who: Person, id: Ping['id']) {
  return whoIn(((await cast.read(id, who)).body as Ping).responses)
}

describe('a response', () => {
  it('is added by an invitee, and replaced by the next one', async () => {
    const { id } = await cast.drop(ann)
    const first = await cast.respond(id, 'tentative', bob)
    const createdAt = cast.server.clock.now().toISOString()
    const person = { ping_id: id, user_id: bob.id, username: 'bob', display_name: null }
    const answer = { ...person, revision: 0, created_at: createdAt }
    expect(first.status).toBe(200)
    expect(first.body).toEqual({ ...answer, response_type: 'tentative', updated_at: createdAt })
    cast.server.clock.advance(1000)
    const second = await cast.respond(id, 'accepted', bob)
    const updatedAt = cast.server.clock.now().toISOString()
    expect(second.body).toEqual({ ...answer, response_type: 'accepted', updated_at: updatedAt })
    expect((await cast.answers(id, ann)).body).toEqual([second.body])
  })

  it('has the stored id of the ping, also if the caller writes it in upper case', async () => {
    const { id } = await cast.drop(ann)
    const upper = id.toUpperCase() as typeof id
    const listener = await cast.server.listen(ann, ['ping_responses'])
    for (const type of ['tentative', 'accepted'] as const)
      expect((await cast.respond(upper, type, bob)).body.ping_id).toBe(id)
    await cast.takeBack(upper, bob)
    await listener.until(({ eventType }) => eventType === 'DELETE')
    expect(listener.received.map(({ eventType, new: row, old }) => [eventType, { ...old, ...row }['ping_id']])).toEqual(
      ['INSERT', 'UPDATE', 'DELETE'].map((eventType) => [eventType, id]),
    )
    await listener.close()
  })

  it('is accepted for a pending ping, and refused for an expired one', async () => {
    const { id } = await cast.drop(ann, { activates_at: cast.ahead(10), duration_minutes: 15 })
    expect((await cast.respond(id, 'accepted', bob)).status).toBe(200)
    cast.server.clock.advance(25 * minuteMs - 1)
    expect((await cast.respond(id, 'declined', bob)).status).toBe(200)
    cast.server.clock.advance(1)
    expect(await cast.respond(id, 'accepted', bob)).toMatchObject({
      status: 409,
      body: { detail: 'This ping has expired. No new responses can be submitted.', code: 'ping_expired' },
    })
    expect((await cast.answers(id, ann)).body).toMatchObject([{ response_type: 'declined' }])
  })

  it('is refused after the end was announced by a node with a faster clock', async () => {
    const { id } = await cast.drop(ann)
    await cast.server.db`update location_pins set announced_status = 'expired' where id = ${id}`
    expect(await cast.respond(id, 'accepted', bob)).toMatchObject({ status: 409 })
  })

  it('is refused from the owner and from a stranger who may see the ping', async () => {
    const { id } = await cast.drop(ann, { is_public: true, recipient_ids: [bob.id] })
    for (const who of [ann, eve, cat]) expect(await cast.respond(id, 'accepted', who)).toMatchObject(notInvited)
    expect((await cast.answers(id, ann)).body).toEqual([])
  })

  it('returns 404 for a ping that the caller may not see', async () => {
    const { id } = await cast.drop(ann, { recipient_ids: [bob.id] })
    for (const who of [cat, eve]) expect(await cast.respond(id, 'accepted', who)).toMatchObject(pinNotFound)
    expect(await cast.respond(unknownPingId, 'accepted', bob)).toMatchObject(pinNotFound)
    await cast.unfriend(ann, bob)
    expect(await cast.respond(id, 'accepted', bob)).toMatchObject(pinNotFound)
    await cast.server.befriend(ann, bob)
  })

  it.each([{}, { response_type: 'going' }, { response_type: 'accepted', ping_id: '7' }])(
    'with the body %j returns 422',
    async (body) => {
      const { id } = await cast.drop(ann)
      const answer = await cast.server.request('POST', '/api/pings/respond', {
        body: { ping_id: id, ...body },
        as: bob,
      })
      expect(answer.status).toBe(422)
    },
  )
})

describe('removing a response', () => {
  it('leaves none, and succeeds without one', async () => {
    const { id } = await cast.drop(ann)
    await cast.respond(id, 'accepted', bob)
    await cast.respond(id, 'accepted', cat)
    expect(await cast.takeBack(id, bob)).toMatchObject({ status: 204, body: null })
    expect(await cast.takeBack(id, bob)).toMatchObject({ status: 204, body: null })
    expect(whoIn((await cast.answers(id, ann)).body)).toEqual(['cat accepted'])
  })

  it('does not reveal whether the ping exists', async () => {
    const { id } = await cast.drop(ann, { recipient_ids: [bob.id] })
    for (const who of [ann, cat, eve]) {
      expect(await cast.takeBack(id, who)).toMatchObject({ status: 204, body: null })
      expect(await cast.takeBack(unknownPingId, who)).toMatchObject({ status: 204, body: null })
    }
  })

  it('succeeds after the ping has expired or the friendship has ended', async () => {
    const { id } = await cast.drop(ann)
    await cast.respond(id, 'accepted', bob)
    await cast.respond(id, 'accepted', cat)
    cast.server.clock.advance(31 * minuteMs)
    await cast.unfriend(ann, bob)
    expect((await cast.takeBack(id, bob)).status).toBe(204)
    expect((await cast.takeBack(id, cat)).status).toBe(204)
    await cast.server.befriend(ann, bob)
    expect((await cast.answers(id, ann)).body).toEqual([])
  })
})

describe('the list of responses', () => {
  it('contains all responses in their order for all invitees if the owner allows it', async () => {
    const { id } = await cast.drop(ann, { responses_visible: true })
    await cast.respond(id, 'declined', cat)
    cast.server.clock.advance(1)
    await cast.respond(id, 'accepted', bob)
    for (const who of [ann, bob, cat]) {
      const { status, body } = await cast.answers(id, who)
      expect(status).toBe(200)
      expect(whoIn(body)).toEqual(['cat declined', 'bob accepted'])
      expect(await shownTo(who, id)).toEqual(['cat declined', 'bob accepted'])
      expect((await cast.list(who)).body[0]?.responses).toEqual(body)
    }
  })

  it('contains all responses for the owner and only the own one for an invitee otherwise', async () => {
    const { id } = await cast.drop(ann, { responses_visible: false })
    await cast.respond(id, 'accepted', bob)
    await cast.respond(id, 'declined', cat)
    expect(whoIn((await cast.answers(id, ann)).body).sort()).toEqual(['bob accepted', 'cat declined'])
    expect(await shownTo(bob, id)).toEqual(['bob accepted'])
    expect(await shownTo(cat, id)).toEqual(['cat declined'])
    expect(await cast.answers(id, bob)).toMatchObject({
      status: 403,
      body: { detail: 'Only the owner can see the responses to this ping', code: 'responses_hidden' },
    })
  })

  it('is refused to a stranger with a public link, and returns 404 for a private ping', async () => {
    const open = await cast.drop(ann, { is_public: true, recipient_ids: [bob.id] })
    expect((await cast.answers(open.id, eve)).status).toBe(403)
    expect((await cast.answers(open.id, cat)).status).toBe(403)
    const closed = await cast.drop(ann, { recipient_ids: [bob.id] })
    for (const who of [eve, cat]) expect(await cast.answers(closed.id, who)).toMatchObject(pinNotFound)
    expect(await cast.answers(unknownPingId, ann)).toMatchObject(pinNotFound)
  })
})
