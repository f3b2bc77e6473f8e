import type { UserId } from '@hither/contract/ids.ts'
import type { CreatePing } from '@hither/contract/pings.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../test/harness.ts'
import { createPlaces } from '../geo/places.ts'
import { type Cast, dayMs, minuteMs, pinNotFound, place, startCast, unknownPingId } from './harness.ts'

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

function refused(loc: string, msg: string) {
  return { status: 422, body: { detail: [{ loc: ['body', loc], msg }] } }
}

/** Accepts any body, also one that the types of the contract do not allow. */
function post(body: unknown, as: Person | undefined = ann) {
  return cast.server.request('POST', '/api/pings/', { body, ...(as && { as }) })
}

describe('creating a ping', () => {
  it('applies the defaults: half an hour, all friends, not public, responses visible', async () => {
    const { status, body } = await cast.create(ann)
    const now = cast.server.clock.now()
    expect(status).toBe(201)
    const recipient = (person: Person) => ({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      recipient_id: person.id,
      recipient_username: person.username,
      recipient_display_name: null,
      has_seen: false,
    })
    expect(body).toEqual({
      access: 'owner',
      can_respond: false,
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      user_id: ann.id,
      username: 'ann',
      display_name: null,
      user_has_image: false,
      is_unnamed: false,
      ...place,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + 30 * minuteMs).toISOString(),
      activates_at: null,
      message: null,
      has_image: false,
      status: 'active',
      address: null,
      is_public: false,
      updated_at: now.toISOString(),
      revision: 0,
      place_revision: 0,
      time_revision: 0,
      canceled_at: null,
      cancel_message: null,
      invited_all: true,
      audience: { circle_ids: [], recipient_ids: [], former_friend_count: 0 },
      place_known_by: [],
      responses_visible: true,
      conversation_id: null,
      recipients: [recipient(bob), recipient(cat)],
      responses: [],
      guest_policy: 'off',
      place_radius_m: null,
      exact_place_for: 'everyone',
      area_km: 1,
      guests: [],
      trips: [],
    })
  })

  it('has the name of a town as its address, unless the request has an address or null', async () => {
    const named = await startCast(createPlaces())
    const addressOf = async (fields: Partial<CreatePing>) => (await named.create(named.ann, fields)).body.address
    expect(await addressOf({})).toBe('near Portland, Oregon, US')
    expect(await addressOf({ latitude: 35, longitude: -40 })).toBeNull()
    expect(await addressOf({ address: '1 Main St' })).toBe('1 Main St')
    expect(await addressOf({ address: null })).toBeNull()
    await named.server.close()
  })

  it('stores the given fields', async () => {
    const fields = { message: ' two\nlines ', address: '1 Main St', is_public: true, responses_visible: false }
    const { body } = await cast.create(ann, { ...fields, name: '  Lunch  ', latitude: -90, longitude: 180 })
    expect(body).toMatchObject({ ...fields, name: 'Lunch', latitude: -90, longitude: 180 })
  })

  it.each([15, 30, 60, 120, 240] as const)('lasts %i minutes if requested', async (duration_minutes) => {
    const { body } = await cast.create(ann, { duration_minutes })
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(duration_minutes * minuteMs)
  })

  it.each(['', '   ', '\n'])('stores no message for the empty text %j', async (message) => {
    expect((await cast.create(ann, { message, address: message })).body).toMatchObject({ message: null, address: null })
  })

  it('counts the characters of the name in code points, after trimming', async () => {
    expect((await cast.create(ann, { name: ` ${'📍'.repeat(50)} ` })).body.name).toBe('📍'.repeat(50))
    const tooLong = refused('name', 'Ping name must be 50 characters or less.')
    expect(await cast.create(ann, { name: '📍'.repeat(51) })).toMatchObject(tooLong)
    expect(await cast.create(ann, { name: ' \t ' })).toMatchObject(
      refused('name', 'Please enter a name for your ping.'),
    )
  })

  it.each([
    ['name', 7],
    ['name', undefined],
    ['latitude', '45'],
    ['latitude', 90.01],
    ['latitude', undefined],
    ['longitude', -180.01],
    ['longitude', null],
    ['duration_minutes', 45],
    ['duration_minutes', '30'],
    ['message', 'x'.repeat(501)],
    ['message', 'a\u0000b'],
    ['address', 'x'.repeat(301)],
    ['recipient_ids', 'bob'],
    ['is_public', 'true'],
    ['responses_visible', 1],
    ['activates_at', 'tomorrow'],
    ['activates_at', 1_800_000_000],
  ])('is refused with %s = %j', async (field, value) => {
    const { status, body } = await post({ ...place, [field]: value })
    expect(status).toBe(422)
    const fieldErrors = (body as { detail: { loc: string[] }[] }).detail
    expect(new Set(fieldErrors.map(({ loc }) => loc.join('.')))).toEqual(new Set([`body.${field}`]))
    expect((await cast.mine(ann)).body).toEqual([])
  })

  it('requires authentication', async () => {
    expect(await cast.server.request('POST', '/api/pings/', { body: place })).toMatchObject(unsigned)
  })
})

describe('the schedule of a ping', () => {
  it('creates a pending ping whose duration starts at its activation', async () => {
    const activates_at = cast.ahead(60)
    const { body } = await cast.create(ann, { activates_at, duration_minutes: 15 })
    expect(body).toMatchObject({ status: 'pending', activates_at, expires_at: cast.ahead(75) })
  })

  it('accepts a time in the future up to exactly 30 days ahead', async () => {
    const at = (ms: number) => new Date(cast.server.clock.now().getTime() + ms).toISOString()
    const invalid = refused('activates_at', 'Please enter a valid future date and time (within 30 days).')
    expect((await cast.create(ann, { activates_at: at(30 * dayMs) })).status).toBe(201)
    expect((await cast.create(ann, { activates_at: at(1) })).status).toBe(201)
    expect(await cast.create(ann, { activates_at: at(30 * dayMs + 1) })).toMatchObject(invalid)
    expect(await cast.create(ann, { activates_at: at(0) })).toMatchObject(invalid)
  })

  it('accepts any UTC offset', async () => {
    const activates_at = cast.ahead(90)
    const local = new Date(Date.parse(activates_at) + 120 * minuteMs).toISOString().replace('Z', '+02:00')
    expect((await cast.create(ann, { activates_at: local })).body.activates_at).toBe(activates_at)
  })

  it('makes the ping pending before its activation, active from that millisecond, and expired from its end', async () => {
    const { id } = await cast.drop(ann, { activates_at: cast.ahead(10), duration_minutes: 15 })
    const status = async () => (await cast.read(id, bob)).body.status
    cast.server.clock.advance(10 * minuteMs - 1)
    expect(await status()).toBe('pending')
    cast.server.clock.advance(1)
    expect(await status()).toBe('active')
    cast.server.clock.advance(15 * minuteMs - 1)
    expect(await status()).toBe('active')
    cast.server.clock.advance(1)
    expect(await status()).toBe('expired')
  })
})

describe('the recipients of a ping', () => {
  it('are the named friends without duplicates, in any case of the ids', async () => {
    const { body } = await cast.create(ann, { recipient_ids: [bob.id, bob.id.toUpperCase() as UserId, bob.id] })
    expect(body.recipients.map((recipient) => recipient.recipient_id)).toEqual([bob.id])
  })

  it('must be friends: a stranger, the caller and an unknown id get the same refusal', async () => {
    const notFriends = refused('recipient_ids', 'You can only send a ping to your friends.')
    for (const other of [eve.id, ann.id, unknownPingId as string as UserId]) {
      expect(await cast.create(ann, { recipient_ids: [bob.id, other] })).toMatchObject(notFriends)
      expect(await cast.create(ann, { recipient_ids: [other], is_public: true })).toMatchObject(notFriends)
    }
    expect(await post({ ...place, recipient_ids: ['bob'] })).toMatchObject({ status: 422 })
  })

  it('may be empty only for a public ping', async () => {
    const empty = refused('recipient_ids', 'Please select at least one friend to notify.')
    expect(await cast.create(ann, { recipient_ids: [] })).toMatchObject(empty)
    expect((await cast.create(ann, { recipient_ids: [], is_public: true })).body.recipients).toEqual([])
    const alone = refused('recipient_ids', 'No friends available. Please add some friends first!')
    expect(await cast.create(eve)).toMatchObject(alone)
    expect((await cast.create(eve, { is_public: true })).body.recipients).toEqual([])
  })

  it('default to all current friends, not to later ones', async () => {
    const { id } = await cast.drop(ann)
    expect((await post({ ...place, recipient_ids: null })).status).toBe(201)
    const dan = await cast.server.signUp('dan')
    await cast.server.befriend(ann, dan)
    expect(await cast.read(id, dan)).toMatchObject(pinNotFound)
    expect((await cast.list(dan)).body).toEqual([])
    await cast.unfriend(ann, dan)
  })
})

describe('the limit of 50 unexpired pings', () => {
  it('refuses the next ping until one expires or is deleted', async () => {
    const tooMany = { status: 409, body: { detail: expect.stringContaining('50') } }
    const first = await cast.drop(ann, { duration_minutes: 15 })
    await cast.drop(ann, { duration_minutes: 15 })
    for (let n = 2; n < 50; n++) await cast.drop(ann, { activates_at: cast.ahead(60) })
    expect(await cast.create(ann)).toMatchObject(tooMany)
    expect((await cast.create(eve, { is_public: true })).status).toBe(201)
    await cast.remove(first.id, ann)
    expect((await cast.create(ann)).status).toBe(201)
    expect(await cast.create(ann)).toMatchObject(tooMany)
    cast.server.clock.advance(15 * minuteMs)
    expect((await cast.create(ann)).status).toBe(201)
  })
})
