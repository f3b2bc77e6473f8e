import { type PingId } from '@hither/contract/ids.ts'
import { AnonymousPing, deleteMyPing, type Ping } from '@hither/contract/pings.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Person } from '../../test/harness.ts'
import { type Cast, dayMs, minuteMs, nobodysPing, pinNotFound, startCast } from './harness.ts'

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

const unsigned = { status: 401, body: { detail: 'Authentication required' } }

function idsOf({ body }: { body: Ping[] }) {
  return body.map(({ id }) => id)
}

describe('the list of pings', () => {
  it('holds own ones and those of friends who invited: active before pending, then newest first', async () => {
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

  it('leaves out what has expired, at that very moment', async () => {
    const { id } = await cast.drop(ann, { duration_minutes: 15 })
    cast.server.clock.advance(15 * minuteMs - 1)
    expect(idsOf(await cast.list(bob))).toEqual([id])
    cast.server.clock.advance(1)
    expect(idsOf(await cast.list(bob))).toEqual([])
    expect(idsOf(await cast.list(ann))).toEqual([])
  })

  it('holds no public ping of a stranger, nor of a friend who did not invite', async () => {
    await cast.drop(ann, { is_public: true, recipient_ids: [cat.id] })
    expect(idsOf(await cast.list(bob))).toEqual([])
    expect(idsOf(await cast.list(eve))).toEqual([])
  })

  it('tells the owner who has seen a ping, and a guest only of themselves', async () => {
    const { id } = await cast.drop(ann)
    await cast.read(id, bob)
    const seen = async (who: Person) => (await cast.list(who)).body[0]?.recipients.map(({ has_seen }) => has_seen)
    expect(await seen(ann)).toEqual([true, false])
    expect(await seen(bob)).toEqual([true, undefined])
    expect(await seen(cat)).toEqual([undefined, false])
  })

  it('needs an account, as do all but the single ping', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', 'my-pings'],
      ['GET', `${nobodysPing}/responses`],
      ['DELETE', nobodysPing],
      ['DELETE', 'my-ping'],
      ['POST', 'respond'],
      ['DELETE', `respond/${nobodysPing}`],
    ] as const) {
      expect(await cast.server.request(method, `/api/pings/${path}`)).toMatchObject(unsigned)
    }
  })
})

describe('My Pins', () => {
  it('are active ones, then pending by activation, then the rest newest first, and nobody else’s', async () => {
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
  it('go on after the expired ping named, until there are no more, and show nothing after one of somebody else', async () => {
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

  it('hold at most a hundred pings', async () => {
    await cast.server.db`
      insert into location_pins (id, user_id, name, latitude, longitude, is_public, responses_visible, created_at, expires_at,
        announced_status)
      select gen_random_uuid(), ${ann.id}, 'Old', 1, 2, false, true, ${cast.server.clock.now()}::timestamptz - interval '1 day',
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
  it('is whole to its owner and its guests, when it has expired too', async () => {
    const { id } = await cast.drop(ann, { message: 'Come' })
    cast.server.clock.advance(dayMs)
    for (const who of [ann, bob]) {
      const { status, body } = await cast.read(id, who)
      expect(status).toBe(200)
      expect(body).toMatchObject({ id, message: 'Come', status: 'expired', recipients: [{}, {}], responses: [] })
    }
  })

  it('counts as seen once a guest has opened it, and nobody else’s opening counts', async () => {
    const { id } = await cast.drop(ann, { is_public: true })
    await cast.read(id, ann)
    await cast.read(id, eve)
    await cast.read(id)
    const seen = async () => ((await cast.read(id, ann)).body as Ping).recipients.map(({ has_seen }) => has_seen)
    expect(await seen()).toEqual([false, false])
    expect((await cast.read(id, bob)).body).toMatchObject({ recipients: [{ has_seen: true }, {}] })
    expect(await seen()).toEqual([true, false])
  })

  it('that is not public does not exist for a stranger, a visitor and a friend who is not invited', async () => {
    const { id } = await cast.drop(ann, { recipient_ids: [bob.id] })
    const missing = await cast.read(nobodysPing, eve)
    for (const who of [eve, cat, undefined]) {
      const { status, body } = await cast.read(id, who)
      expect({ status, body }).toEqual({ status: missing.status, body: missing.body })
    }
    expect(missing).toMatchObject(pinNotFound)
  })

  it('that is public shows a signed-in stranger neither guests nor responses', async () => {
    const { id, recipients: _, responses: __, ...row } = await cast.drop(ann, { is_public: true, message: 'Come' })
    await cast.respond(id, 'accepted', bob)
    expect(await cast.read(id, eve)).toMatchObject({ status: 200 })
    expect((await cast.read(id, eve)).body).toEqual({ id, ...row })
  })

  it('that is public shows a visitor exactly these fields, until it expires', async () => {
    const ping = await cast.drop(ann, { is_public: true, message: 'Come', address: '1 Main St' })
    const shown = [
      ...['id', 'name', 'username', 'latitude', 'longitude', 'address', 'created_at', 'activates_at', 'expires_at'],
      ...['status', 'is_public', 'has_image'],
    ]
    expect(Object.keys(AnonymousPing.properties).sort()).toEqual([...shown].sort())
    const { status, body } = await cast.read(ping.id)
    expect(status).toBe(200)
    expect(body).toEqual(Object.fromEntries(shown.map((field) => [field, ping[field as keyof Ping]])))
    cast.server.clock.advance(30 * minuteMs - 1)
    expect((await cast.read(ping.id)).status).toBe(200)
    cast.server.clock.advance(1)
    expect(await cast.read(ping.id)).toMatchObject(pinNotFound)
  })

  it('that is public closes to everyone but its owner and invitees at the moment it expires', async () => {
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

  it('is not shown to a token that is not good, rather than shown as to a visitor', async () => {
    const { id } = await cast.drop(ann, { is_public: true })
    expect(await cast.server.request('GET', `/api/pings/${id}`, { as: 'stale' })).toMatchObject(unsigned)
  })

  it('with an id that is none is a 422', async () => {
    expect((await cast.server.request('GET', '/api/pings/7')).status).toBe(422)
  })
})

describe('whoever stops being a friend', () => {
  it('loses sight of it, and is no longer seen in it, until they are friends again', async () => {
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

  it('sees of a public one what any stranger sees', async () => {
    const { id } = await cast.drop(ann, { is_public: true })
    await cast.unfriend(ann, bob)
    const { body } = await cast.read(id, bob)
    expect(body).toEqual((await cast.read(id, eve)).body)
    expect(body).not.toHaveProperty('recipients')
    expect(idsOf(await cast.list(bob))).toEqual([])
    await cast.server.befriend(ann, bob)
  })
})

describe('a block, by either', () => {
  it.each([
    ['the owner', () => [ann, eve] as const],
    ['the other', () => [eve, ann] as const],
  ])('hides even a public ping from who is signed in, blocked by %s', async (_by, pair) => {
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

  it('ends the sight of a guest', async () => {
    const { id } = await cast.drop(ann, { is_public: true })
    await cast.block(ann, bob)
    expect(await cast.read(id, bob)).toMatchObject(pinNotFound)
    expect(idsOf(await cast.list(bob))).toEqual([])
    await cast.unblock(ann, bob)
    await cast.server.befriend(ann, bob)
  })
})

describe('deleting', () => {
  it('is the owner’s: a guest may not, to anyone else there is nothing', async () => {
    const { id } = await cast.drop(ann, { is_public: true, recipient_ids: [bob.id] })
    expect(await cast.remove(id, bob)).toMatchObject({
      status: 403,
      body: { detail: 'Only the owner can delete this ping' },
    })
    expect(await cast.remove(id, eve)).toMatchObject(pinNotFound)
    expect(await cast.remove(id, cat)).toMatchObject(pinNotFound)
    expect(await cast.remove(nobodysPing, ann)).toMatchObject(pinNotFound)
    expect((await cast.read(id, bob)).status).toBe(200)
    expect(await cast.remove(id, ann)).toMatchObject({ status: 204, body: null })
    expect(await cast.remove(id, ann)).toMatchObject(pinNotFound)
  })

  it('takes guests and responses with it', async () => {
    const { id } = await cast.drop(ann)
    await cast.respond(id, 'accepted', bob)
    await cast.remove(id, ann)
    const [left] = await cast.server.db`
      select (select count(*)::int from ping_recipients) as recipients, (select count(*)::int from ping_responses) as responses`
    expect(left).toEqual({ recipients: 0, responses: 0 })
    for (const who of [ann, bob, undefined]) expect(await cast.read(id, who)).toMatchObject(pinNotFound)
  })

  it('of the current one takes the newest that is active', async () => {
    const remove = (who: Person) => cast.server.call(deleteMyPing, {}, who)
    const older = await cast.drop(ann)
    cast.server.clock.advance(1)
    const newer = await cast.drop(ann)
    cast.server.clock.advance(1)
    const pending = await cast.drop(ann, { activates_at: cast.ahead(5) })
    const none = { status: 404, body: { detail: 'No active ping' } }
    expect(await remove(bob)).toMatchObject(none)
    expect(await remove(ann)).toMatchObject({ status: 204 })
    expect(idsOf(await cast.mine(ann))).toEqual([older.id, pending.id])
    expect(newer.status).toBe('active')
    expect(await remove(ann)).toMatchObject({ status: 204 })
    expect(await remove(ann)).toMatchObject(none)
    expect(idsOf(await cast.mine(ann))).toEqual([pending.id])
  })
})
