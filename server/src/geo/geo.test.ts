import type { UserId } from '@hither/contract/ids.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createGeo, type Geo } from './geo.service.ts'
import { createGeocoder } from './geocoder.ts'
import {
  empireState,
  type FakeGeocoder,
  json,
  nominatimAnswer,
  photonAnswer,
  photonFeature,
  startGeocoder,
} from './harness.ts'
import { createPlaces } from './places.ts'

const places = createPlaces()
const log = { warn: () => undefined, debug: () => undefined }
let geocoder: FakeGeocoder
let time: number
let geo: Geo

beforeEach(async () => {
  geocoder = await startGeocoder()
  time = Date.parse('2026-11-21T12:00:00Z')
})

afterEach(() => geocoder.close())

function start(url: string | null) {
  const now = () => new Date(time)
  geo = createGeo({
    geocoder: url === null ? null : createGeocoder({ url, userAgent: 'Hither', now, log }),
    places,
    now,
  })
}

const ann = 'ann' as UserId
const bob = 'bob' as UserId
const addressAt = async (lat: number, lng: number, of = ann) => (await geo.findAddress(of, lat, lng)).address
const search = (query: string, near: Parameters<Geo['search']>[2] = null, of = ann) => geo.search(of, query, near)

const hoboken = 'near Hoboken, New Jersey, US'

describe('with a Photon server', () => {
  beforeEach(() => start(`${geocoder.url}/photon/`))

  test('returns the address of a position, with one request and four decimals', async () => {
    geocoder.answer = json(photonAnswer(empireState))
    const address = 'Empire State Building, 350 5th Avenue, New York, New York 10118, United States'
    expect(await addressAt(40.748_412_3, -73.985_687_6)).toBe(address)
    expect(await addressAt(40.748_399, -73.985_705)).toBe(address)
    expect(geocoder.asked).toHaveLength(1)
    const [asked] = geocoder.asked
    expect(asked?.path).toBe('/photon/reverse')
    expect(asked?.query.get('lat')).toBe('40.7484')
    expect(asked?.query.get('lon')).toBe('-73.9857')
  })

  test('caches an address for one day', async () => {
    geocoder.answer = json(photonAnswer(empireState))
    const day = 24 * 3600 * 1000
    await addressAt(40.7484, -73.9857)
    time += day
    await addressAt(40.7484, -73.9857)
    expect(geocoder.asked).toHaveLength(1)
    time += 1
    await addressAt(40.7484, -73.9857)
    expect(geocoder.asked).toHaveLength(2)
  })

  test('asks the geocoder for each person, so that no answer tells what others have looked up', async () => {
    geocoder.answer = json(photonAnswer(empireState))
    for (const person of [ann, bob, ann, bob]) {
      await addressAt(40.7484, -73.9857, person)
      await search('empire', null, person)
    }
    const ofOne = ['/photon/reverse', '/photon/api/']
    expect(geocoder.asked.map(({ path }) => path)).toEqual([...ofOne, ...ofOne])
  })

  test('does not answer a place that one person is asking about sooner to another', async () => {
    const pending: (() => void)[] = []
    geocoder.answer = (request, response) => void pending.push(() => json(photonAnswer(empireState))(request, response))
    // Four others fill the share of Bob, who then gets the nearest town, also at the place that Ann is asking about.
    const place = [40.7484, -73.9857] as const
    const asked = [addressAt(...place), ...[1, 2, 3, 4].map((lat) => addressAt(lat, 1, bob))]
    expect(await addressAt(...place, bob)).toMatch(/^near /)
    geocoder.answer = json(photonAnswer(empireState))
    await expect.poll(() => pending.length).toBe(1)
    pending[0]?.()
    expect((await Promise.all(asked))[0]).toMatch(/^Empire State Building/)
    expect(geocoder.asked).toHaveLength(5)
  })

  test('stores a limited number of answers for each person, and none at the cost of others', async () => {
    geocoder.answer = json(photonAnswer(empireState))
    await addressAt(10, 10, bob)
    for (let lat = 0; lat <= 40; lat++) await addressAt(lat, 1)
    const before = geocoder.asked.length
    await addressAt(10, 10, bob)
    await addressAt(40, 1)
    expect(geocoder.asked).toHaveLength(before)
    await addressAt(0, 1)
    expect(geocoder.asked).toHaveLength(before + 1)
  })

  test('shares one request between two concurrent calls of one person for the same position', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    geocoder.answer = (request, response) => promise.then(() => json(photonAnswer(empireState))(request, response))
    const both = Promise.all([addressAt(40.7484, -73.9857), addressAt(40.7484, -73.9857)])
    await expect.poll(() => geocoder.asked.length).toBe(1)
    resolve()
    const [first, second] = await both
    expect(first).toBe(second)
    expect(geocoder.asked).toHaveLength(1)
  })

  test('returns "near" for a house that is too far away', async () => {
    geocoder.answer = json(photonAnswer(empireState))
    expect(await addressAt(40.751, -73.985_656)).toMatch(/^near Empire State Building, /)
  })

  test('limits an address to the length that a ping accepts', async () => {
    geocoder.answer = json(photonAnswer(photonFeature({ name: '😀'.repeat(400), country: 'x'.repeat(400) })))
    expect([...((await addressAt(1, 1)) ?? '')]).toHaveLength(300)
  })

  test.each([
    ['nothing there', json(photonAnswer())],
    ['500', json({ message: 'no' }, 500)],
    ['429', json({}, 429, { 'retry-after': '60' })],
    ['a redirect', json({}, 302, { location: 'http://127.0.0.1:1/' })],
    ['no JSON', (_request, response) => response.end('<html>')],
    ['other JSON', json(['features'])],
    ['an answer without end', json({ ...photonAnswer(empireState), pad: 'x'.repeat(300_000) })],
    ['a broken line', (_request, response) => response.destroy()],
    ['features of another kind', json(photonAnswer({ type: 'Feature' }, { properties: { name: 7 } }))],
    ['a place off the globe', json(photonAnswer(photonFeature({ name: 'Nowhere' }, 999, 999)))],
  ] as [string, FakeGeocoder['answer']][])(
    'returns and finds the next town if the service answers with %s',
    async (_, answer) => {
      geocoder.answer = answer
      expect(await addressAt(40.744, -74.0324)).toBe(hoboken)
      expect((await search('hoboken'))[0]).toMatchObject({ name: 'Hoboken', address: 'New Jersey, US' })
    },
  )

  test('pauses requests after failures, then retries', async () => {
    geocoder.answer = json({}, 500)
    for (let i = 0; i < 8; i++) expect(await addressAt(40.744 + i / 1000, -74.0324)).toBe(hoboken)
    expect(geocoder.asked).toHaveLength(5)
    geocoder.answer = json(photonAnswer(empireState))
    expect(await addressAt(40.7484, -73.9857)).toMatch(/^near .*, US$/)
    time += 30_000
    expect(await addressAt(40.7484, -73.9857)).toMatch(/^Empire State Building/)
  })

  test('returns no address if nothing is near', async () => {
    expect(await addressAt(35, -40)).toBeNull()
  })

  test('finds houses, streets and towns, biased to the rounded center of the map', async () => {
    geocoder.answer = json(
      photonAnswer(
        empireState,
        photonFeature({
          type: 'street',
          name: 'Empire Street',
          city: 'London',
          country: 'United Kingdom',
          countrycode: 'GB',
        }),
        photonFeature({ type: 'house', housenumber: '7', street: 'Empirestraße', city: 'Wien', countrycode: 'AT' }),
        photonFeature({ type: 'city', name: 'Empire', state: 'Nevada', country: 'United States', countrycode: 'US' }),
        photonFeature({ type: 'city', name: 'Empire', state: 'Nevada', country: 'United States', countrycode: 'US' }),
      ),
    )
    expect(await search(' Empire ', { latitude: 40.7589, longitude: -73.9851 })).toEqual([
      {
        name: 'Empire State Building',
        address: '350 5th Avenue, New York, New York 10118, United States',
        latitude: 40.748433,
        longitude: -73.985656,
      },
      { name: 'Empire Street', address: 'London, United Kingdom', latitude: 40.748433, longitude: -73.985656 },
      { name: 'Empirestraße 7', address: 'Wien', latitude: 40.748433, longitude: -73.985656 },
      { name: 'Empire', address: 'Nevada, United States', latitude: 40.748433, longitude: -73.985656 },
    ])
    expect(Object.fromEntries(geocoder.asked[0]?.query ?? [])).toEqual({
      q: 'Empire',
      limit: '8',
      lang: 'en',
      lat: '40.8',
      lon: '-74',
    })
    await search('EMPIRE', { latitude: 40.76, longitude: -73.99 })
    expect(geocoder.asked).toHaveLength(1)
  })

  test('sends user input only as a value of the query', async () => {
    await search('a&limit=100#/../../admin?x=http://evil.example')
    expect(geocoder.asked[0]).toMatchObject({ path: '/photon/api/' })
    expect(geocoder.asked[0]?.query.get('q')).toBe('a&limit=100#/../../admin?x=http://evil.example')
    expect(geocoder.asked[0]?.query.getAll('limit')).toEqual(['8'])
  })
})

describe('with a Nominatim server', () => {
  beforeEach(() => start(`${geocoder.url}/nominatim`))

  test('returns the address of a position', async () => {
    geocoder.answer = json(nominatimAnswer)
    expect(await addressAt(52.5170365, 13.3888599)).toBe('Unter den Linden 77, 10117 Berlin, Germany')
    expect(geocoder.asked[0]).toMatchObject({ path: '/nominatim/reverse' })
    expect(geocoder.asked[0]?.query.get('format')).toBe('jsonv2')
  })

  test('returns the next town if the server knows nothing', async () => {
    geocoder.answer = json({ error: 'Unable to geocode' })
    expect(await addressAt(40.744, -74.0324)).toBe(hoboken)
  })

  test('never sends requests while a user types, and finds towns without it', async () => {
    expect((await search('hobok'))[0]?.name).toBe('Hoboken')
    expect(geocoder.asked).toEqual([])
  })
})

describe('without a geocoder', () => {
  beforeEach(() => start(null))

  test('finds towns and coordinates', async () => {
    expect(await addressAt(40.744, -74.0324)).toBe(hoboken)
    expect((await search('hobok'))[0]).toEqual({
      name: 'Hoboken',
      address: 'New Jersey, US',
      latitude: 40.744,
      longitude: -74.0324,
    })
    expect(await search('40.744, -74.0324')).toEqual([
      { name: '40.7440, -74.0324', address: hoboken, latitude: 40.744, longitude: -74.0324 },
    ])
    expect(await search('   ')).toEqual([])
  })
})
