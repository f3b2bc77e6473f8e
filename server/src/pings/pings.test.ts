import type { PingId } from '@hither/contract/ids.ts'
import { AnonymousPing, deleteMyPing, listPings, type OwnPing, type Ping } from '@hither/contract/pings.ts'
import { avatarColorOf } from '@hither/contract/runtime/users.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../test/harness.ts'
import { type Cast, dayMs, minuteMs, pinNotFound, startCast, unknownPingId } from './harness.ts'

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

const unsigned = { status: 401, body: { detail: 'Authentication required', code: 'authentication_required' } }

function idsOf({ body }: { body: Ping[] }) {
  return body.map(({ id }) => id)
}

describe('the list of pings', () => {
  it('contains own pings and those of friends who invited the viewer: active before pending, then newest first', async () => {
    const pings: PingId[] = []
    const at = async (who: Person, fields = {}) => {
      cast.server.clock.advance(1)
      pings.push((await cast.drop(who, fields)).id)
    }
    await at(ann)
    await at(ann, { activates_at: cast.ahead(5) })
    await at(bob, { recipient_ids: [ann.id] })
    await at(cat, { activates_at: cast.ahead(1) })
    await at(ann, { recipient_ids: [cat.id] })
    const [a, b, c, d, e] = pings
    expect(idsOf(await cast.list(ann))).toEqual([e, c, a, d, b])
    expect(idsOf(await cast.list(bob))).toEqual([c, a, b])
    expect(idsOf(await cast.list(cat))).toEqual([e, a, d, b])
    expect(idsOf(await cast.list(eve))).toEqual([])
  })

  it('has exactly the fields of the contract, as each ping has them alone', async () => {
    const mine = await cast.drop(ann, { name: 'A "quoted" \\ name and ü', is_public: true })
    const planned = await cast.drop(ann, { activates_at: cast.ahead(5), exact_place_for: 'going' })
    const invited = await cast.drop(bob, { recipient_ids: [ann.id] })
    await cast.respond(mine.id, 'accepted', bob)
    await cast.respond(mine.id, 'tentative', cat)
    await cast.respond(invited.id, 'declined', ann)
    // A serializer removes all other fields from this response, but not from the list.
    const alone = async (who: Person, pings: readonly { id: PingId }[]) =>
      Promise.all(pings.map(async ({ id }) => (await cast.read(id, who)).body))
    const byId = (pings: readonly { id: string }[]) => pings.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    // To read a ping alone marks it as seen.
    const expected = await alone(ann, [mine, planned, invited])
    expect(byId((await cast.list(ann)).body)).toStrictEqual(byId(expected as Ping[]))
    const ofBob = await alone(bob, [mine, planned, invited])
    expect(byId((await cast.list(bob)).body)).toStrictEqual(byId(ofBob as Ping[]))
    expect(ofBob.map((ping) => 'invited_all' in ping)).toEqual([false, false, true])
  })

  it('leaves out the recipients of the pings of others, and nothing else, with `recipients=own`', async () => {
    const other = (await cast.drop(ann, { recipient_ids: [bob.id, cat.id] })).id
    const own = (await cast.drop(bob, { recipient_ids: [ann.id] })).id
    await cast.respond(other, 'accepted', cat)
    const complete = (await cast.list(bob)).body
    const listed = (await cast.server.call(listPings, { query: { recipients: 'own' } }, bob)).body
    expect(listed).toEqual(complete.map((ping) => (ping.id === other ? { ...ping, recipients: [] } : ping)))
    expect(complete.find(({ id }) => id === other)).toMatchObject({ recipients: [{}, {}], responses: [{}] })
    expect(listed.find(({ id }) => id === own)?.recipients).toMatchObject([{ recipient_id: ann.id }])
    const refused = await cast.server.request('GET', '/api/pings/?recipients=none', { as: bob })
    expect(refused).toMatchObject({ status: 422 })
  })

  it('leaves out a ping from the millisecond of its end', async () => {
    const { id } = await cast.drop(ann, { duration_minutes: 15 })
    cast.server.clock.advance(15 * minuteMs - 1)
    expect(idsOf(await cast.list(bob))).toEqual([id])
    cast.server.clock.advance(1)
    expect(idsOf(await cast.list(bob))).toEqual([])
    expect(idsOf(await cast.list(ann))).toEqual([])
  })

  it('leaves out public pings of strangers and of friends who did not invite the viewer', async () => {
    await cast.drop(ann, { is_public: true, recipient_ids: [cat.id] })
    expect(idsOf(await cast.list(bob))).toEqual([])
    expect(idsOf(await cast.list(eve))).toEqual([])
  })

  it('shows the owner who has seen a ping, and an invitee only their own state', async () => {
    const { id } = await cast.drop(ann)
    await cast.read(id, bob)
    const seen = async (who: Person) => (await cast.list(who)).body[0]?.recipients.map(({ has_seen }) => has_seen)
    expect(await seen(ann)).toEqual([true, false])
    expect(await seen(bob)).toEqual([true, undefined])
    expect(await seen(cat)).toEqual([undefined, false])
  })

  it('requires authentication, like every call except reading a single ping', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', 'my-pings'],
      ['GET', `${unknownPingId}/responses`],
      ['DELETE', unknownPingId],
      ['DELETE', 'my-ping'],
      ['POST', 'respond'],
      ['DELETE', `respond/${unknownPingId}`],
    ] as const) {
      expect(await cast.server.request(method, `/api/pings/${path}`)).toMatchObject(unsigned)
    }
  })
})

describe('My Pins', () => {
  it('contains only own pings: active, then pending by activation, then expired, newest first', async () => {
    const pings: PingId[] = []
    const at = async (fields = {}) => {
      cast.server.clock.advance(1)
      pings.push((await cast.drop(ann, fields)).id)
    }
    await at({ duration_minutes: 15 })
    await at({ duration_minutes: 15 })
    cast.server.clock.advance(20 * minuteMs)
    await at({ activates_at: cast.ahead(30) })
    await at({ activates_at: cast.ahead(20) })
    await at({ activates_at: cast.ahead(40) })
    await at()
    await at()
    await cast.drop(bob, { recipient_ids: [ann.id] })
    const [old, lessOld, in30, in20, in40, active, newest] = pings
    const { body } = await cast.mine(ann)
    expect(idsOf({ body })).toEqual([newest, active, in20, in30, in40, lessOld, old])
    expect(body.map(({ status }) => status)).toEqual([
      ...['active', 'active', 'pending', 'pending', 'pending', 'expired', 'expired'],
    ])
  })
})

describe('the pages of My Pins', () => {
  it('continue after the named expired ping up to the last one, and are empty after a ping of another user', async () => {
    const ids: PingId[] = []
    for (let count = 0; count < 5; count++) {
      cast.server.clock.advance(1)
      ids.unshift((await cast.drop(ann, { duration_minutes: 15 })).id)
    }
    const theirs = await cast.drop(bob, { duration_minutes: 15, recipient_ids: [ann.id] })
    cast.server.clock.advance(20 * minuteMs)
    const active = await cast.drop(ann)
    const first = idsOf(await cast.mine(ann, { limit: 3 }))
    expect(first).toEqual([active.id, ids[0], ids[1]])
    const second = idsOf(await cast.mine(ann, { limit: 3, before: ids[1] as PingId }))
    expect(second).toEqual([ids[2], ids[3], ids[4]])
    expect(idsOf(await cast.mine(ann, { limit: 3, before: ids[4] as PingId }))).toEqual([])
    expect(idsOf(await cast.mine(ann, { before: theirs.id }))).toEqual([])
  })

  it('contain at most 100 pings', async () => {
    await cast.server.db`
      insert into location_pins (id, user_id, name, latitude, longitude, area_latitude, area_longitude, is_public,
        responses_visible, created_at, updated_at, expires_at, announced_status)
      select gen_random_uuid(), ${ann.id}, 'Old', 1, 2, 1, 2, false, true, ${cast.server.clock.now()}::timestamptz - interval '1 day',
        ${cast.server.clock.now()},
        ${cast.server.clock.now()}::timestamptz - interval '23 hours', 'expired'
      from generate_series(1, 150)`
    const { body } = await cast.mine(ann)
    expect(body).toHaveLength(100)
    const rest = await cast.mine(ann, { before: body.at(-1)?.id as PingId })
    expect(rest.body).toHaveLength(50)
    expect(new Set([...body, ...rest.body].map(({ id }) => id)).size).toBe(150)
    expect((await cast.server.request('GET', '/api/pings/my-pings?limit=101', { as: ann })).status).toBe(422)
  })
})

describe('a single ping', () => {
  it('has all fields for its owner and its invitees, also after it has expired', async () => {
    const { id } = await cast.drop(ann, { message: 'Come' })
    cast.server.clock.advance(dayMs)
    for (const who of [ann, bob]) {
      const { status, body } = await cast.read(id, who)
      expect(status).toBe(200)
      expect(body).toMatchObject({ id, message: 'Come', status: 'expired', recipients: [{}, {}], responses: [] })
      expect(body.access).toBe(who === ann ? 'owner' : 'invitee')
    }
  })

  it('is marked as seen when an invitee opens it, and by nobody else', async () => {
    const { id } = await cast.drop(ann, { is_public: true })
    await cast.read(id, ann)
    await cast.read(id, eve)
    await cast.read(id)
    const seen = async () => ((await cast.read(id, ann)).body as Ping).recipients.map(({ has_seen }) => has_seen)
    expect(await seen()).toEqual([false, false])
    expect((await cast.read(id, bob)).body).toMatchObject({ recipients: [{ has_seen: true }, {}] })
    expect(await seen()).toEqual([true, false])
  })

  it('that is not public returns 404 to a stranger, a visitor and a friend who is not invited', async () => {
    const { id } = await cast.drop(ann, { recipient_ids: [bob.id] })
    const missing = await cast.read(unknownPingId, eve)
    for (const who of [eve, cat, undefined]) {
      const { status, body } = await cast.read(id, who)
      expect({ status, body }).toEqual({ status: missing.status, body: missing.body })
    }
    expect(missing).toMatchObject(pinNotFound)
  })

  it('that is public shows a signed-in stranger neither recipients nor responses', async () => {
    const ping = await cast.drop(ann, { is_public: true, message: 'Come' })
    await cast.respond(ping.id, 'accepted', bob)
    const { recipients: _, responses: __, guests: ___, trips: ____, ...own } = ping as OwnPing
    const { invited_all: _____, audience: ______, place_known_by: _______, ...shown } = own
    const { status, body } = await cast.read(ping.id, eve)
    expect([status, body]).toEqual([
      200,
      { ...shown, access: 'link', can_respond: false, guest: null, response_counts: null },
    ])
  })

  it('that is public shows a visitor exactly these fields, until it expires', async () => {
    const ping = await cast.drop(ann, { is_public: true, message: 'Come', address: '1 Main St' })
    const shown = [
      ...['id', 'name', 'is_unnamed', 'username', 'latitude', 'longitude', 'address', 'created_at', 'activates_at'],
      'expires_at',
      ...['status', 'is_public', 'has_image', 'display_name', 'guest_policy', 'can_respond'],
      ...['place_radius_m', 'exact_place_for', 'area_km'],
      ...['updated_at', 'revision', 'place_revision', 'time_revision', 'canceled_at', 'cancel_message'],
    ]
    expect(Object.keys(AnonymousPing.properties).sort()).toEqual(['access', 'avatar_color', ...shown].sort())
    const { status, body } = await cast.read(ping.id)
    expect(status).toBe(200)
    const fields = shown.map((field) => [field, ping[field as keyof Ping]])
    const avatar_color = avatarColorOf(ann.id)
    expect(body).toEqual({ access: 'visitor', avatar_color, ...Object.fromEntries(fields) })
    cast.server.clock.advance(30 * minuteMs - 1)
    expect((await cast.read(ping.id)).status).toBe(200)
    cast.server.clock.advance(1)
    expect(await cast.read(ping.id)).toMatchObject(pinNotFound)
  })

  it('that is public returns 404 to everyone except its owner and invitees from the millisecond it expires', async () => {
    const { id } = await cast.drop(ann, { is_public: true, recipient_ids: [bob.id] })
    cast.server.clock.advance(30 * minuteMs - 1)
    expect((await cast.read(id, eve)).status).toBe(200)
    cast.server.clock.advance(1)
    for (const stranger of [eve, cat]) {
      expect(await cast.read(id, stranger)).toMatchObject(pinNotFound)
      expect(await cast.answers(id, stranger)).toMatchObject(pinNotFound)
      expect(await cast.respond(id, 'accepted', stranger)).toMatchObject(pinNotFound)
      expect((await cast.server.request('GET', `/api/files/pin-image/${id}/${ann.id}`, { as: stranger })).status).toBe(
        404,
      )
    }
    expect(await cast.read(id)).toMatchObject(pinNotFound)
    for (const one of [ann, bob]) expect((await cast.read(id, one)).body).toMatchObject({ id, status: 'expired' })
  })

  it('returns 401 to an invalid token and is not shown as to a visitor', async () => {
    const { id } = await cast.drop(ann, { is_public: true })
    expect(await cast.server.request('GET', `/api/pings/${id}`, { as: 'stale' })).toMatchObject(unsigned)
  })

  it('returns 422 for a malformed id', async () => {
    expect((await cast.server.request('GET', '/api/pings/7')).status).toBe(422)
  })
})

describe('a former friend', () => {
  it('loses access to the ping and is not listed in it, until they are friends again', async () => {
    const { id } = await cast.drop(ann)
    await cast.respond(id, 'accepted', bob)
    await cast.unfriend(bob, ann)
    expect(await cast.read(id, bob)).toMatchObject(pinNotFound)
    expect(await cast.answers(id, bob)).toMatchObject(pinNotFound)
    expect(idsOf(await cast.list(bob))).toEqual([])
    for (const who of [ann, cat]) {
      expect((await cast.read(id, who)).body).toMatchObject({ recipients: [{ recipient_id: cat.id }], responses: [] })
    }
    await cast.server.befriend(bob, ann)
    expect((await cast.read(id, bob)).body).toMatchObject({ recipients: [{}, {}], responses: [{ user_id: bob.id }] })
    expect(idsOf(await cast.list(bob))).toEqual([id])
  })

  it('sees of a public ping what a stranger sees', async () => {
    const { id } = await cast.drop(ann, { is_public: true })
    await cast.unfriend(ann, bob)
    const { body } = await cast.read(id, bob)
    expect(body).toEqual((await cast.read(id, eve)).body)
    expect(body).not.toHaveProperty('recipients')
    expect(idsOf(await cast.list(bob))).toEqual([])
    await cast.server.befriend(ann, bob)
  })
})

describe('a block in either direction', () => {
  it.each([
    ['the owner', () => [ann, eve] as const],
    ['the other', () => [eve, ann] as const],
  ])('hides even a public ping from a signed-in user, blocked by %s', async (_by, pair) => {
    const [blocker, blocked] = pair()
    const { id } = await cast.drop(ann, { is_public: true })
    await cast.block(blocker, blocked)
    expect(await cast.read(id, eve)).toMatchObject(pinNotFound)
    expect(await cast.respond(id, 'accepted', eve)).toMatchObject(pinNotFound)
    expect(await cast.answers(id, eve)).toMatchObject(pinNotFound)
    expect(await cast.remove(id, eve)).toMatchObject(pinNotFound)
    await cast.unblock(blocker, blocked)
    expect((await cast.read(id, eve)).status).toBe(200)
  })

  it('ends the access of an invitee', async () => {
    const { id } = await cast.drop(ann, { is_public: true })
    await cast.block(ann, bob)
    expect(await cast.read(id, bob)).toMatchObject(pinNotFound)
    expect(idsOf(await cast.list(bob))).toEqual([])
    await cast.unblock(ann, bob)
    await cast.server.befriend(ann, bob)
  })
})

describe('deleting a ping', () => {
  it('is allowed for the owner only: an invitee gets 403, everyone else 404', async () => {
    const { id } = await cast.drop(ann, { is_public: true, recipient_ids: [bob.id] })
    expect(await cast.remove(id, bob)).toMatchObject({
      status: 403,
      body: { detail: 'Only the owner can delete this ping', code: 'ping_not_owned' },
    })
    expect(await cast.remove(id, eve)).toMatchObject(pinNotFound)
    expect(await cast.remove(id, cat)).toMatchObject(pinNotFound)
    expect(await cast.remove(unknownPingId, ann)).toMatchObject(pinNotFound)
    expect((await cast.read(id, bob)).status).toBe(200)
    expect(await cast.remove(id, ann)).toMatchObject({ status: 204, body: null })
    expect(await cast.remove(id, ann)).toMatchObject(pinNotFound)
  })

  it('deletes its recipients and responses', async () => {
    const { id } = await cast.drop(ann)
    await cast.respond(id, 'accepted', bob)
    await cast.remove(id, ann)
    const [left] = await cast.server.db`
      select (select count(*)::int from ping_recipients) as recipients, (select count(*)::int from ping_responses) as responses`
    expect(left).toEqual({ recipients: 0, responses: 0 })
    for (const who of [ann, bob, undefined]) expect(await cast.read(id, who)).toMatchObject(pinNotFound)
  })

  it('of the newest active ping deletes the newest one', async () => {
    const remove = (who: Person) => cast.server.call(deleteMyPing, {}, who)
    const older = await cast.drop(ann)
    cast.server.clock.advance(1)
    const newer = await cast.drop(ann)
    cast.server.clock.advance(1)
    const pending = await cast.drop(ann, { activates_at: cast.ahead(5) })
    const none = { status: 404, body: { detail: 'No active ping', code: 'no_active_ping' } }
    expect(await remove(bob)).toMatchObject(none)
    expect(await remove(ann)).toMatchObject({ status: 204 })
    expect(idsOf(await cast.mine(ann))).toEqual([older.id, pending.id])
    expect(newer.status).toBe('active')
    expect(await remove(ann)).toMatchObject({ status: 204 })
    expect(await remove(ann)).toMatchObject(none)
    expect(idsOf(await cast.mine(ann))).toEqual([pending.id])
  })
})
