import type { ChangePing, OwnPing } from '@hither/contract/pings.ts'
import { type RefusalCode, refusals } from '@hither/contract/refusals.ts'
import { pingTexts } from '@hither/contract/runtime/pings.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Cast, dayMs, minuteMs, pinNotFound, startCast, unknownPingId } from '../harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

afterEach(() => cast.clear())

afterAll(() => cast.server.close())

function refused(code: RefusalCode) {
  const { status, detail } = refusals[code]
  return { status, body: { detail } }
}

const invalid = (field: string, msg: string) => ({ status: 422, body: { detail: [{ loc: ['body', field], msg }] } })
const scheduled = (minutes = 60) => cast.drop(cast.ann, { activates_at: cast.ahead(minutes), duration_minutes: 60 })
const active = () => cast.drop(cast.ann, { address: '1 Main St' })
const edit = (ping: { id: OwnPing['id'] }, change: ChangePing) => cast.change(ping.id, change, cast.ann)
const patch = (id: string, body: unknown) => cast.server.request('PATCH', `/api/pings/${id}`, { body, as: cast.ann })
const sentEnds = async () =>
  (await cast.server.db<{ expires_at: string }[]>`select distinct expires_at from ping_recipients`).map(
    (row) => row.expires_at,
  )

it('an edit with a name names an unnamed ping, and with the same name leaves it unnamed', async () => {
  const ping = await cast.drop(cast.ann, { name: 'My Pin', is_unnamed: true, is_public: true })
  for (const viewer of [cast.ann, cast.bob, cast.eve])
    expect((await cast.read(ping.id, viewer)).body).toMatchObject({ name: 'My Pin', is_unnamed: true })
  expect((await edit(ping, { name: 'My Pin', guest_policy: 'open' })).body).toMatchObject({ is_unnamed: true })
  expect((await cast.read(ping.id, undefined)).body).toMatchObject({ name: 'My Pin', is_unnamed: true })
  expect((await edit(ping, { name: 'Tea' })).body).toMatchObject({ name: 'Tea', is_unnamed: false })
  expect((await cast.read(ping.id, cast.bob)).body).toMatchObject({ name: 'Tea', is_unnamed: false })
  expect((await edit(ping, { name: 'My Pin' })).body).toMatchObject({ is_unnamed: false })
})

describe.each([
  ['scheduled', scheduled],
  ['active', active],
])('an edit of a %s ping', (_, drop) => {
  it.each<[ChangePing, Partial<OwnPing>]>([
    [{ name: ' Tea ' }, { name: 'Tea' }],
    [{ message: 'Bring cake' }, { message: 'Bring cake' }],
    [{ message: null }, { message: null }],
    [{ address: '2 Side St' }, { address: '2 Side St' }],
    [{ address: null }, { address: null }],
    [{ is_public: true }, { is_public: true }],
    [{ responses_visible: false }, { responses_visible: false }],
    [{ guest_policy: 'approval' }, { guest_policy: 'approval' }],
  ])('with %j stores the new value without a new revision', async (change, expected) => {
    const ping = await drop()
    await edit(ping, { message: 'Come', address: '1 Main St' })
    const before = (await cast.read(ping.id, cast.ann)).body as OwnPing
    const { status, body } = await edit(ping, change)
    expect([status, body]).toEqual([200, { ...before, ...expected, updated_at: body.updated_at }])
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
    expect((await cast.read(ping.id, cast.bob)).body).toMatchObject(expected)
  })

  it('with a new place is a revision, and clears the address unless one is sent', async () => {
    const ping = await drop()
    const moved = await edit(ping, { latitude: 1, longitude: 2 })
    const expected = { latitude: 1, longitude: 2, address: null, revision: 1, place_revision: 1, time_revision: 0 }
    expect(moved).toMatchObject({ status: 200, body: expected })
    const again = await edit(ping, { latitude: 1, longitude: 3, address: '3 Hill' })
    expect(again.body).toMatchObject({ longitude: 3, address: '3 Hill', revision: 2, place_revision: 2 })
    expect((await cast.list(cast.bob)).body).toMatchObject([{ longitude: 3, revision: 2 }])
  })

  it('that changes nothing is answered with the ping as it is', async () => {
    const ping = await drop()
    const { name, latitude, longitude, address, is_public, responses_visible, guest_policy } = ping
    const same = { name, latitude, longitude, address, is_public, responses_visible, guest_policy }
    const { status, body } = await edit(ping, { ...same, expected_updated_at: ping.updated_at })
    expect([status, body]).toEqual([200, ping])
  })

  it('refuses half a place, empty and long texts, and values of the wrong type', async () => {
    const { id } = await drop()
    expect(await patch(id, { latitude: 1 })).toMatchObject(invalid('longitude', pingTexts.coordinateMissing))
    expect(await patch(id, { longitude: 1 })).toMatchObject(invalid('latitude', pingTexts.coordinateMissing))
    expect(await patch(id, { name: '  ' })).toMatchObject(invalid('name', pingTexts.nameMissing))
    expect(await patch(id, { name: 'x'.repeat(51) })).toMatchObject(invalid('name', pingTexts.nameTooLong))
    for (const body of [
      '{"latitude": NaN, "longitude": 1}',
      { latitude: 91, longitude: 1 },
      { latitude: '1', longitude: 1 },
      { latitude: null, longitude: 1 },
      { name: null },
      { message: 'x'.repeat(501) },
      { is_public: 'true' },
      { guest_policy: 'friends' },
      { duration_minutes: 45 },
      { activates_at: null },
      { activates_at: 'tomorrow' },
      { expected_updated_at: 'now' },
    ])
      expect([body, (await patch(id, body)).status]).toEqual([body, 422])
    expect((await patch(id, { message: 'x'.repeat(10_000_000) })).status).toBe(413)
    expect((await cast.read(id, cast.ann)).body).toMatchObject({ revision: 0, name: 'Coffee' })
  })

  it('stores names of two directions, without characters that change it', async () => {
    const ping = await drop()
    expect((await edit(ping, { name: 'Coffee قهوة' })).body.name).toBe('Coffee قهوة')
    expect((await edit(ping, { name: '\u202eCoffee قهوة' })).status).toBe(422)
  })

  it('by an invitee gets 403, by everybody else 404', async () => {
    const { id } = await cast.drop(cast.ann, { is_public: true, recipient_ids: [cast.bob.id] })
    for (const change of [{ name: 'Tea' }, { latitude: 1, longitude: 2 }] satisfies ChangePing[]) {
      expect(await cast.change(id, change, cast.bob)).toMatchObject(refused('ping_not_changeable'))
      expect(await cast.change(id, change, cast.eve)).toMatchObject(pinNotFound)
      expect(await cast.change(unknownPingId, change, cast.ann)).toMatchObject(pinNotFound)
    }
    expect((await cast.server.request('PATCH', `/api/pings/${id}`, { body: { name: 'Tea' } })).status).toBe(401)
  })
})

describe('the times of a scheduled ping', () => {
  it('change with a new start, which keeps the duration and is a revision', async () => {
    const ping = await scheduled()
    const activates_at = cast.ahead(120)
    const { body } = await edit(ping, { activates_at })
    const expires_at = cast.ahead(180)
    expect(body).toMatchObject({ activates_at, expires_at, revision: 1, time_revision: 1, place_revision: 0 })
    expect(await sentEnds()).toEqual([expires_at])
    const longer = await edit(ping, { duration_minutes: 120 })
    expect(longer.body).toMatchObject({ activates_at, expires_at: cast.ahead(240), revision: 1 })
    expect(await sentEnds()).toEqual([cast.ahead(240)])
    const both = await edit(ping, { activates_at: cast.ahead(30), duration_minutes: 15, latitude: 1, longitude: 2 })
    expect(both.body).toMatchObject({ expires_at: cast.ahead(45), revision: 2, time_revision: 2, place_revision: 2 })
    expect((await cast.list(cast.bob)).body).toMatchObject([{ expires_at: cast.ahead(45) }])
  })

  it('refuse a start that is past, too far ahead or no time', async () => {
    const ping = await scheduled()
    const refusal = invalid('activates_at', pingTexts.scheduleInvalid)
    for (const activates_at of [cast.ahead(0), cast.ahead(-1), cast.ahead(31 * 24 * 60), '9999-12-31T23:59:60Z'])
      expect(await edit(ping, { activates_at })).toMatchObject(refusal)
    expect((await edit(ping, { activates_at: cast.ahead(30 * 24 * 60) })).status).toBe(200)
  })

  it('do not change once the ping is active, except to the same values', async () => {
    const ping = await scheduled(10)
    cast.server.clock.advance(10 * minuteMs)
    for (const change of [{ activates_at: cast.ahead(60) }, { duration_minutes: 30 }] satisfies ChangePing[])
      expect(await edit(ping, change)).toMatchObject(refused('ping_started'))
    const same = { activates_at: ping.activates_at ?? '', duration_minutes: 60 } as const
    expect((await edit(ping, { ...same, name: 'Tea' })).body).toMatchObject({ name: 'Tea', revision: 0 })
    expect(await edit(await active(), { activates_at: cast.ahead(60) })).toMatchObject(refused('ping_started'))
  })

  it('are announced at the new start and end only', async () => {
    const ping = await scheduled(10)
    await edit(ping, { activates_at: cast.ahead(30), duration_minutes: 15 })
    const listener = await cast.server.listen(cast.bob, ['location_pins'])
    for (const minutes of [10, 20, 15]) {
      cast.server.clock.advance(minutes * minuteMs)
      await cast.server.app.pingJobs.runDue()
    }
    await listener.until(({ new: row }) => row['status'] === 'expired')
    expect(listener.received.map(({ new: row }) => row['status'])).toEqual(['active', 'expired'])
    await listener.close()
  })
})

describe('the place', () => {
  it('of an active ping changes three times, and equal coordinates do not count', async () => {
    const ping = await active()
    for (const longitude of [1, 2, 3]) {
      expect((await edit(ping, { latitude: 1, longitude })).status).toBe(200)
      expect((await edit(ping, { latitude: 1, longitude })).status).toBe(200)
    }
    expect(await edit(ping, { latitude: 1, longitude: 4 })).toMatchObject(refused('too_many_moves'))
    expect(await edit(ping, { latitude: 1, longitude: 3, name: 'Tea' })).toMatchObject({ status: 200 })
    expect((await cast.read(ping.id, cast.ann)).body).toMatchObject({ longitude: 3, revision: 3 })
  })

  it('of a scheduled ping changes ten times, and three times after its start', async () => {
    const ping = await scheduled(10)
    for (let longitude = 1; longitude <= 10; longitude++)
      expect((await edit(ping, { latitude: 1, longitude })).status).toBe(200)
    cast.server.clock.advance(10 * minuteMs)
    for (const longitude of [11, 12, 13]) expect((await edit(ping, { latitude: 1, longitude })).status).toBe(200)
    expect(await edit(ping, { latitude: 1, longitude: 14 })).toMatchObject(refused('too_many_moves'))
  })
})

describe('an edit', () => {
  it('of another version than the expected one saves nothing', async () => {
    const ping = await active()
    const { body } = await edit(ping, { name: 'Tea', expected_updated_at: ping.updated_at })
    const stale = { message: 'Late', expected_updated_at: ping.updated_at }
    expect(await edit(ping, stale)).toMatchObject(refused('ping_edit_conflict'))
    expect((await cast.read(ping.id, cast.ann)).body).toEqual(body)
    expect((await edit(ping, { ...stale, expected_updated_at: body.updated_at })).body.message).toBe('Late')
    expect((await edit(ping, { name: 'Cake' })).body.message).toBe('Late')
  })

  it('of a ping that has ended is refused', async () => {
    const ended = await active()
    await cast.change(ended.id, { end: true }, cast.ann)
    const expired = await active()
    const canceled = await scheduled()
    await cast.cancel(canceled.id, cast.ann)
    cast.server.clock.advance(30 * minuteMs)
    for (const ping of [ended, expired, canceled])
      expect(await edit(ping, { name: 'Tea' })).toMatchObject(refused('ping_ended'))
  })

  it('raises `updated_at` even if the clock stands still, as do all other changes', async () => {
    const ping = await cast.drop(cast.ann, { recipient_ids: [cast.bob.id] })
    const { id } = ping
    const times = [ping.updated_at]
    const note = async () => times.push(((await cast.read(id, cast.ann)).body as OwnPing).updated_at)
    await edit(ping, { name: 'Tea' })
    await note()
    await edit(ping, { extend_minutes: 15 })
    await note()
    await cast.invite(id, [cast.cat], cast.ann)
    await note()
    await cast.uninvite(id, cast.cat, cast.ann)
    await note()
    await cast.cancel(id, cast.ann)
    await note()
    expect(times.map((time, index) => Date.parse(time) - index)).toEqual(times.map(() => Date.parse(ping.updated_at)))
  })

  it('that makes a ping private closes its link at once, and makes it public again', async () => {
    const { id } = await cast.drop(cast.ann, { is_public: true, guest_policy: 'open' })
    await cast.respond(id, 'accepted', cast.eve)
    await edit({ id }, { is_public: false })
    for (const who of [undefined, cast.eve]) expect(await cast.read(id, who)).toMatchObject(pinNotFound)
    expect((await cast.read(id, cast.bob)).status).toBe(200)
    await edit({ id }, { is_public: true })
    for (const who of [undefined, cast.eve]) expect((await cast.read(id, who)).status).toBe(200)
  })

  it('that hides the responses shows invitees only their own, and shows them again', async () => {
    const { id } = await cast.drop(cast.ann)
    await cast.respond(id, 'accepted', cast.bob)
    await cast.respond(id, 'tentative', cast.cat)
    const seenBy = async () =>
      ((await cast.read(id, cast.bob)).body as OwnPing).responses.map(({ username }) => username).sort()
    await edit({ id }, { responses_visible: false })
    expect(await seenBy()).toEqual(['bob'])
    await edit({ id }, { responses_visible: true })
    expect(await seenBy()).toEqual(['bob', 'cat'])
  })

  it('keeps nothing of the earlier place, time and texts', async () => {
    const ping = await cast.drop(cast.ann, { name: 'Secret name', activates_at: cast.ahead(60), latitude: 12.34567 })
    await edit(ping, { name: 'Tea', latitude: 1, longitude: 2, activates_at: cast.ahead(90) })
    const tables = await cast.server.db<{ name: string }[]>`
      select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
        and relname <> 'outbox'`
    for (const { name } of tables) {
      const [row] = await cast.server.db.unsafe(`select json_agg(t)::text as text from ${name} t`)
      expect(row?.['text'] ?? '').not.toMatch(/Secret name|12\.34567/)
    }
  })
})

it('only the owner learns whether a ping was sent to all friends', async () => {
  const all = await cast.drop(cast.ann)
  const chosen = await cast.drop(cast.ann, { recipient_ids: [cast.bob.id] })
  expect([all, chosen]).toMatchObject([{ invited_all: true }, { invited_all: false }])
  const own = (await cast.mine(cast.ann)).body.map(({ id, invited_all }) => [id, invited_all])
  expect(Object.fromEntries(own)).toEqual({ [all.id]: true, [chosen.id]: false })
  const invitee = [...(await cast.list(cast.bob)).body, (await cast.read(all.id, cast.bob)).body]
  for (const ping of invitee) expect(ping).not.toHaveProperty('invited_all')
})

it('a canceled ping is among the expired ones of its owner, in the order of their creation', async () => {
  const old = await active()
  cast.server.clock.advance(minuteMs)
  const canceled = await scheduled(10 * 24 * 60)
  await cast.cancel(canceled.id, cast.ann)
  cast.server.clock.advance(dayMs)
  expect((await cast.mine(cast.ann)).body.map(({ id }) => id)).toEqual([canceled.id, old.id])
  expect((await cast.mine(cast.ann, { limit: 1, before: canceled.id })).body.map(({ id }) => id)).toEqual([old.id])
})
