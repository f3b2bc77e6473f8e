import type { AreaKm } from '@hither/contract/areas.ts'
import type { GuestView } from '@hither/contract/guests.ts'
import type { GuestId, PingId } from '@hither/contract/ids.ts'
import { listPings, type OwnPing, type Ping } from '@hither/contract/pings.ts'
import { refusals } from '@hither/contract/refusals.ts'
import { deleteAccount, exportAccountWithPassword, updateUser } from '@hither/contract/users.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type HttpReply, type Person, password } from '../../../test/harness.ts'
import { dayMs, minuteMs, pinNotFound } from '../harness.ts'
import {
  area,
  type Cast,
  exact,
  exactPlace,
  largeTown,
  neighbor,
  placeIn,
  placeInReply,
  settings,
  startCast,
  town,
} from './harness.ts'

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

const hidden = { status: 403, body: { detail: refusals.place_hidden.detail, code: 'place_hidden' } }

describe('a ping without a setting of its place', () => {
  it('shows the exact place to everyone', async () => {
    const { id, ...created } = await cast.drop(ann, { ...exact, is_public: true, activates_at: cast.ahead(5) })
    const settings = { place_radius_m: null, exact_place_for: 'everyone', area_km: 1 }
    expect(created).toMatchObject({ ...exact, ...settings })
    for (const viewer of [ann, bob, eve, undefined]) {
      expect((await cast.read(id, viewer)).body).toMatchObject({ ...exact, ...settings })
      expect((await cast.calendarOf(id, viewer)).status).toBe(200)
    }
    expect((await cast.respond(id, 'accepted', bob)).body).not.toHaveProperty('place')
  })
})

describe('the area of a ping', () => {
  it.each([
    [40.7589, -73.9851, [40.755, -73.986799], [40.775, -73.987528]],
    [52.520008, 13.404954, [52.525, 13.411861], [52.525, 13.394202]],
    [-33.8688, 151.2093, [-33.865, 151.21132], [-33.875, 151.184343]],
    [0, 0, [0.005, 0.005], [0.025, 0.025]],
    [10.5, 180, [10.505, -179.994915], [10.525, -179.974573]],
    [10.5, -180, [10.505, -179.994915], [10.525, -179.974573]],
    [90, 0, [89.995, 0], [89.975, 0]],
  ])('of %d, %d is shown to a stranger', async (latitude, longitude, small, large) => {
    for (const [area_km, center] of [[1, small] as const, [5, large] as const]) {
      const { id } = await cast.place('going', { latitude, longitude, address: 'Here', area_km, is_public: true })
      const shown = (await cast.read(id, eve)).body
      expect([shown.latitude, shown.longitude, shown.place_radius_m]).toEqual([...center, area_km * 1000])
      expect([shown.exact_place_for, shown.area_km]).toEqual(['going', area_km])
      const { body } = await cast.areaOf(latitude, longitude, area_km, ann)
      expect(body).toEqual({
        latitude: center[0],
        longitude: center[1],
        address: shown.address,
        radius_m: area_km * 1000,
      })
    }
  })

  it('has the center and the town of its cell, whatever the place in it', async () => {
    for (const place of [exact, neighbor]) {
      const { id } = await cast.place('going', { ...place, is_public: true })
      expect(placeInReply(await cast.read(id))).toEqual(area)
      const large = await cast.place('invited', { ...place, is_public: true, area_km: 5 })
      expect(placeInReply(await cast.read(large.id))).toMatchObject({ address: largeTown, place_radius_m: 5000 })
    }
  })

  it('has no address where no town is near', async () => {
    const { id } = await cast.place('going', { latitude: -48.9, longitude: -123.4, is_public: true })
    expect((await cast.read(id)).body.address).toBeNull()
  })

  it('can be read in advance by signed-in people only, for every size', async () => {
    expect((await cast.areaOf(exact.latitude, exact.longitude, 1, ann)).body).toEqual({
      ...{ latitude: area.latitude, longitude: area.longitude, address: town, radius_m: 1000 },
    })
    expect((await cast.areaOf(exact.latitude, exact.longitude, 1)).status).toBe(401)
    for (const query of ['lat=1&lng=2', 'lat=1&lng=2&area_km=2', 'lat=91&lng=2&area_km=1', 'lat=1&area_km=1'])
      expect((await cast.server.request('GET', `/api/geo/area?${query}`, { as: ann })).status).toBe(422)
  })
})

describe('the exact place', () => {
  /** Everybody who may look at a ping, by name, with the answer that they have given. */
  async function startViewers(id: PingId) {
    await cast.respond(id, 'accepted', bob)
    await cast.respond(id, 'tentative', cat)
    const [going, waiting, other] = [
      await cast.addGuest(id, 'Mia'),
      await cast.addGuest(id, 'Max'),
      await cast.addGuest(id, 'Moe', 'tentative'),
    ]
    for (const person of [fay, gus]) await cast.respond(id, 'accepted', person)
    const guests = await cast.guestsSeenBy(id, ann)
    const fayId = guests.find(({ user_id }) => user_id === fay.id)?.id
    for (const guestId of [going.guest.id, other.guest.id, fayId]) if (guestId) await cast.approve(id, guestId)
    const asGuest = (token: string) => ({
      read: async () => placeIn(((await cast.view(id, token)) as HttpReply<GuestView>).body.ping),
      calendar: () => cast.calendarOf(id, undefined, token),
    })
    const asPerson = (person?: Person) => ({
      read: async () => {
        const reply = await cast.read(id, person)
        return reply.status === 200 ? placeInReply(reply) : null
      },
      calendar: () => cast.calendarOf(id, person),
    })
    return {
      owner: asPerson(ann),
      'invitee who is going': asPerson(bob),
      'invitee with another answer': asPerson(cat),
      'invitee without an answer': asPerson(dan),
      'approved guest who is going': asGuest(going.token),
      'approved guest who may come': asGuest(other.token),
      'guest who waits': asGuest(waiting.token),
      'signed-in approved guest who is going': asPerson(fay),
      'signed-in guest who waits': asPerson(gus),
      'signed-in stranger': asPerson(eve),
      visitor: asPerson(),
    }
  }

  type Viewer = keyof Awaited<ReturnType<typeof startViewers>>
  const invitees: Viewer[] = ['invitee who is going', 'invitee with another answer', 'invitee without an answer']
  const entitled: Record<(typeof settings)[number], (viewer: Viewer) => boolean> = {
    everyone: () => true,
    invited: (viewer) => viewer === 'owner' || invitees.includes(viewer),
    going: (viewer) => viewer === 'owner' || (viewer.includes('is going') && !viewer.includes('waits')),
  }
  const seesAfterEnd = (viewer: Viewer) => viewer === 'owner' || invitees.includes(viewer)

  let dan: Person
  let fay: Person
  let gus: Person

  beforeAll(async () => {
    ;[dan, fay, gus] = (await Promise.all(['dan', 'fay', 'gus'].map((name) => cast.signUp(name)))) as [
      Person,
      Person,
      Person,
    ]
    await cast.server.befriend(ann, dan)
  })

  it.each(settings)(
    'for %s is shown to those people only, while the ping is scheduled, active and after its end',
    async (setting) => {
      const public_ = { is_public: true, guest_policy: 'approval', activates_at: cast.ahead(10) } as const
      const { id } = await cast.place(setting, public_)
      const viewers = await startViewers(id)
      const expectAll = async (phase: string) => {
        for (const [name, { read, calendar }] of Object.entries(viewers) as [Viewer, (typeof viewers)[Viewer]][]) {
          const isEntitled = entitled[setting](name)
          expect([phase, name, await read()]).toEqual([phase, name, isEntitled ? exactPlace : area])
          const entry = await calendar()
          expect([phase, name, entry.status]).toEqual([phase, name, isEntitled ? 200 : 403])
          if (isEntitled) expect(entry.body).toContain('GEO:40.743725;-74.032394')
          else expect(entry).toMatchObject(hidden)
        }
      }
      await expectAll('scheduled')
      cast.server.clock.advance(10 * minuteMs)
      await expectAll('active')
      cast.server.clock.advance(30 * minuteMs)
      for (const [name, { read, calendar }] of Object.entries(viewers) as [Viewer, (typeof viewers)[Viewer]][]) {
        const isEntitled = name === 'owner' || setting === 'everyone'
        const isGuest = name.includes('guest') && !name.includes('signed-in')
        const nowhere = { latitude: null, longitude: null, address: null, place_radius_m: null }
        const seen = isGuest ? nowhere : seesAfterEnd(name) ? (isEntitled ? exactPlace : area) : null
        expect([name, await read()]).toEqual([name, seen])
        const status = seesAfterEnd(name) ? (isEntitled ? 200 : 403) : 404
        expect([name, (await calendar()).status]).toEqual([name, status])
      }
    },
  )

  it('is the same in lists as on the page', async () => {
    const { id } = await cast.place('going')
    await cast.respond(id, 'accepted', bob)
    for (const [person, place] of [[ann, exactPlace] as const, [bob, exactPlace] as const, [cat, area] as const]) {
      const { body } = await cast.list(person)
      expect(body.map(placeIn)).toEqual([place])
    }
    expect((await cast.mine(ann)).body.map(placeIn)).toEqual([exactPlace])
  })

  it('for people who are going is in the answer to a response, and leaves with it', async () => {
    const { id } = await cast.place('going', { activates_at: cast.ahead(5) })
    for (const [type, place] of [
      ['tentative', area],
      ['accepted', exactPlace],
      ['accepted', exactPlace],
      ['declined', area],
    ] as const) {
      expect(placeIn((await cast.respond(id, type, bob)).body.place ?? {})).toEqual(place)
      expect(placeInReply(await cast.read(id, bob))).toEqual(place)
    }
    await cast.respond(id, 'accepted', bob)
    await cast.takeBack(id, bob)
    expect(placeInReply(await cast.read(id, bob))).toEqual(area)
    expect(await cast.calendarOf(id, bob)).toMatchObject(hidden)
    expect((await cast.respond((await cast.place('invited')).id, 'accepted', bob)).body).not.toHaveProperty('place')
  })

  it('for invited people is hidden from a visitor, a stranger and an approved guest who is going', async () => {
    const { id } = await cast.place('invited', { is_public: true, guest_policy: 'open' })
    expect(placeInReply(await cast.read(id, bob))).toEqual(exactPlace)
    expect(placeInReply(await cast.read(id))).toEqual(area)
    expect(placeInReply(await cast.read(id, eve))).toEqual(area)
    expect((await cast.respond(id, 'accepted', eve)).body).not.toHaveProperty('place')
    expect(placeInReply(await cast.read(id, eve))).toEqual(area)
    expect(placeIn((await cast.addGuest(id)).view.ping)).toEqual(area)
  })

  it('is shown to a guest who is going after the approval, and not while waiting', async () => {
    const { id } = await cast.place('going', { is_public: true, guest_policy: 'approval' })
    const { token, guest, view } = await cast.addGuest(id)
    expect(placeIn(view.ping)).toEqual(area)
    expect(placeIn((await cast.respond(id, 'accepted', eve)).body.place ?? {})).toEqual(area)
    await cast.approve(id, guest.id)
    expect(placeIn((await cast.view(id, token)).body.ping)).toEqual(exactPlace)
    expect(placeIn((await cast.edit(id, token, { response_type: 'tentative' })).body.ping)).toEqual(area)
    expect(placeIn((await cast.edit(id, token, { response_type: 'accepted' })).body.ping)).toEqual(exactPlace)
  })

  it('of an open ping is in the answer to the first response of a guest, with or without account', async () => {
    const { id } = await cast.place('going', { is_public: true, guest_policy: 'open' })
    expect(placeInReply(await cast.read(id))).toEqual(area)
    expect(placeIn((await cast.addGuest(id)).view.ping)).toEqual(exactPlace)
    expect(placeIn((await cast.respond(id, 'accepted', eve)).body.place ?? {})).toEqual(exactPlace)
    await cast.takeBack(id, eve)
    expect(placeInReply(await cast.read(id, eve))).toEqual(area)
  })

  it('leaves with the friendship, with a block and with the removal of a guest', async () => {
    const { id } = await cast.place('going', { is_public: true, guest_policy: 'open', activates_at: cast.ahead(5) })
    await cast.respond(id, 'accepted', bob)
    await cast.unfriend(ann, bob)
    expect(placeInReply(await cast.read(id, bob))).toEqual(area)
    expect(await cast.calendarOf(id, bob)).toMatchObject(hidden)
    await cast.server.befriend(ann, bob)
    expect(placeInReply(await cast.read(id, bob))).toEqual(exactPlace)
    await cast.block(bob, ann)
    expect(await cast.read(id, bob)).toMatchObject(pinNotFound)
    expect(await cast.calendarOf(id, bob)).toMatchObject(pinNotFound)
    await cast.unblock(bob, ann)
    await cast.server.befriend(ann, bob)
    await cast.respond(id, 'accepted', eve)
    const [guest] = await cast.guestsSeenBy(id, ann)
    if (guest) await cast.expel(id, guest.id)
    expect(placeInReply(await cast.read(id, eve))).toEqual(area)
  })

  it('is in the export of the owner, and of nobody else', async () => {
    const { id } = await cast.place('going')
    await cast.respond(id, 'tentative', bob)
    const pingsOf = async (person: Person) =>
      (await cast.server.call(exportAccountWithPassword, { body: { password } }, person)).body
    expect((await pingsOf(ann)).pings).toMatchObject([{ ...exactPlace, exact_place_for: 'going', area_km: 1 }])
    expect(JSON.stringify(await pingsOf(bob))).not.toContain('7437251')
  })
})

describe('who has been given the exact place', () => {
  const knownBy = async (id: PingId) => ((await cast.read(id, ann)).body as OwnPing).place_known_by
  const namesOf = async (id: PingId) => (await knownBy(id)).map(({ name }) => name)
  const open = { is_public: true, guest_policy: 'open' } as const

  it('is shown to the owner alone, once for each person, also if the answer was taken back at once', async () => {
    const { id } = await cast.place('going', open)
    const first_at = cast.server.clock.now().toISOString()
    await cast.respond(id, 'tentative', cat)
    await cast.respond(id, 'accepted', bob)
    await cast.takeBack(id, bob)
    cast.server.clock.advance(minuteMs)
    await cast.respond(id, 'accepted', bob)
    await cast.takeBack(id, bob)
    expect(await knownBy(id)).toEqual([{ user_id: bob.id, guest_id: null, name: bob.username, first_at }])
    const list = (await cast.server.call(listPings, { query: {} }, ann)).body
    expect(list.map((ping) => ping.access === 'owner' && ping.place_known_by.length)).toEqual([1])
    for (const viewer of [bob, cat, eve, undefined])
      expect(JSON.stringify((await cast.read(id, viewer)).body)).not.toContain('place_known_by')
    expect(JSON.stringify((await cast.server.call(listPings, { query: {} }, bob)).body)).not.toContain('place_known_by')
  })

  it.each(['everyone', 'invited'] as const)(
    'is not recorded for %s, until only people who are going see it',
    async (setting) => {
      const { id } = await cast.place(setting, open)
      await cast.respond(id, 'accepted', bob)
      await cast.respond(id, 'tentative', cat)
      await cast.addGuest(id, 'Mia')
      expect(await knownBy(id)).toEqual([])
      cast.server.clock.advance(minuteMs)
      const { body } = await cast.change(id, { exact_place_for: 'going' }, ann)
      expect((body as OwnPing).place_known_by.map(({ name }) => name)).toEqual([bob.username, 'Mia'])
      expect((await namesOf(id)).sort()).toEqual(['Mia', bob.username])
      expect((await knownBy(id))[0]?.first_at).toBe(cast.server.clock.now().toISOString())
    },
  )

  it('has the guests, also after they have changed their name or withdrawn', async () => {
    const { id } = await cast.place('going', open)
    const { token, guest, view } = await cast.addGuest(id, 'Mia')
    expect(placeIn(view.ping)).toEqual(exactPlace)
    await cast.edit(id, token, { name: 'Max' })
    await cast.withdraw(id, token)
    cast.server.clock.advance(1)
    await cast.respond(id, 'accepted', eve)
    await cast.takeBack(id, eve)
    expect(await knownBy(id)).toMatchObject([
      { user_id: null, guest_id: guest.id, name: 'Max' },
      { user_id: eve.id, guest_id: null, name: eve.username },
    ])
  })

  it.each([
    ['the owner approves them', (id: PingId, guest: GuestId) => cast.approve(id, guest)],
    ['anyone may respond', (id: PingId) => cast.setPolicy(id, 'open')],
  ])('has guests who wait from the time when %s', async (_, approve) => {
    const { id } = await cast.place('going', { ...open, guest_policy: 'approval' })
    const { guest } = await cast.addGuest(id, 'Mia')
    expect(await knownBy(id)).toEqual([])
    cast.server.clock.advance(minuteMs)
    await approve(id, guest.id)
    const first_at = cast.server.clock.now().toISOString()
    expect(await knownBy(id)).toEqual([{ user_id: null, guest_id: guest.id, name: 'Mia', first_at }])
  })

  it('has one entry for a guest who turns out to be a user', async () => {
    const { id } = await cast.place('going', open)
    for (const person of [bob, eve]) {
      cast.server.clock.advance(1)
      const { token } = await cast.addGuest(id, 'Mia')
      expect((await cast.claim(id, token, person)).status).toBe(200)
    }
    const again = await cast.addGuest(id, 'Mia')
    expect((await cast.claim(id, again.token, eve)).status).toBe(200)
    expect((await knownBy(id)).map(({ user_id, name }) => [user_id, name])).toEqual([
      [bob.id, bob.username],
      [eve.id, eve.username],
    ])
  })

  it('keeps the name across a block without telling a new one, and keeps the entry of a deleted account without it', async () => {
    const { id } = await cast.place('going', open)
    const ida = await cast.server.signUp('ida')
    for (const person of [bob, ida]) {
      await cast.respond(id, 'accepted', person)
      cast.server.clock.advance(1)
    }
    await cast.block(bob, ann)
    await cast.server.call(updateUser, { params: { id: bob.id }, body: { display_name: 'Robert' } }, bob)
    expect((await cast.server.call(deleteAccount, { body: { password } }, ida)).status).toBe(204)
    expect((await knownBy(id)).map(({ user_id, name }) => [user_id, name])).toEqual([
      [bob.id, bob.username],
      [null, null],
    ])
    await cast.unblock(bob, ann)
    expect(await namesOf(id)).toEqual(['Robert', null])
    await cast.server.call(updateUser, { params: { id: bob.id }, body: { display_name: null } }, bob)
    await cast.server.befriend(ann, bob)
  })

  it('loses the names of guests without account a day after the end', async () => {
    const { id } = await cast.place('going', open)
    const { token } = await cast.addGuest(id, 'Mia')
    await cast.withdraw(id, token)
    cast.server.clock.advance(1)
    await cast.respond(id, 'accepted', bob)
    await cast.change(id, { end: true }, ann)
    cast.server.clock.advance(dayMs)
    expect(await namesOf(id)).toEqual(['Mia', bob.username])
    await cast.server.app.guestJobs.runDue()
    expect(await namesOf(id)).toEqual([bob.username])
  })
})

describe('changing who sees the exact place', () => {
  it('is not needed to move the ping, which replaces the area', async () => {
    const { id } = await cast.place('going', { is_public: true })
    const moved = { latitude: 52.520008, longitude: 13.404954 }
    expect((await cast.change(id, moved, ann)).body).toMatchObject({ ...moved, place_radius_m: null })
    for (const viewer of [bob, eve, undefined]) {
      const place = {
        latitude: 52.525,
        longitude: 13.411861,
        address: 'near Berlin, State of Berlin, DE',
        place_radius_m: 1000,
      }
      expect(placeInReply(await cast.read(id, viewer))).toEqual(place)
    }
  })

  it('takes effect at once', async () => {
    const { id } = await cast.place('everyone', { is_public: true })
    const changed = await cast.change(id, { exact_place_for: 'going', area_km: 5 }, ann)
    expect(changed).toMatchObject({ status: 200, body: { ...exactPlace, exact_place_for: 'going', area_km: 5 } })
    expect(placeInReply(await cast.read(id))).toMatchObject({ address: largeTown, place_radius_m: 5000 })
    expect((await cast.change(id, { area_km: 1 }, ann)).body).toMatchObject({ exact_place_for: 'going', area_km: 1 })
    expect(placeInReply(await cast.read(id, bob))).toEqual(area)
    await cast.change(id, { exact_place_for: 'invited' }, ann)
    expect(placeInReply(await cast.read(id, bob))).toEqual(exactPlace)
    expect(placeInReply(await cast.read(id))).toEqual(area)
    await cast.change(id, { exact_place_for: 'everyone' }, ann)
    expect(placeInReply(await cast.read(id))).toEqual(exactPlace)
  })

  it('is refused to others, after the end, and together with another change', async () => {
    const { id } = await cast.place('going', { is_public: true })
    const change = { exact_place_for: 'everyone' } as const
    expect((await cast.change(id, change, bob)).status).toBe(403)
    expect(await cast.change(id, change, eve)).toMatchObject(pinNotFound)
    expect((await cast.change(id, { ...change, end: true }, ann)).status).toBe(422)
    cast.server.clock.advance(30 * minuteMs)
    expect(await cast.change(id, change, ann)).toMatchObject({
      status: 409,
      body: { detail: refusals.ping_ended.detail, code: 'ping_ended' },
    })
    expect(placeInReply(await cast.read(id, bob))).toEqual(area)
  })

  it.each([
    { exact_place_for: 'friends' },
    { exact_place_for: null },
    { exact_place_for: 1 },
    { area_km: 2 },
    { area_km: '1' },
    { area_km: null },
    { area_km: 1.5 },
  ])('is refused for %j, as is the creation', async (fields) => {
    const { id } = await cast.place('going')
    const bodies = [
      ['POST', '/api/pings/', { name: 'Coffee', ...exact, ...fields }] as const,
      ['PATCH', `/api/pings/${id}`, fields] as const,
    ]
    for (const [method, path, body] of bodies)
      expect((await cast.server.request(method, path, { body, as: ann })).status).toBe(422)
    expect((await cast.read(id, ann)).body).toMatchObject({ exact_place_for: 'going', area_km: 1 })
  })
})

describe('a repeated request for a new ping', () => {
  it('is answered with the first ping, its exact place and its setting', async () => {
    const client_id = '0190a0a0-0000-4000-8000-00000000000a'
    const first = await cast.place('going', { client_id })
    const again = await cast.create(ann, { ...neighbor, exact_place_for: 'everyone', client_id })
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first)
  })
})

describe('the database', () => {
  it('stores no ping without an area', async () => {
    const { id } = await cast.place('going')
    const areas: [AreaKm | 2, number | null, string][] = [
      [2, 1, 'check'],
      [1, null, 'not-null'],
    ]
    for (const [area_km, area_latitude, constraint] of areas)
      await expect(cast.server.db`
        update location_pins set area_km = ${area_km}, area_latitude = ${area_latitude} where id = ${id}`).rejects.toThrow(
        constraint,
      )
    expect(((await cast.read(id, ann)).body as Ping).area_km).toBe(1)
  })
})
