import { getConfig } from '@hither/contract/config.ts'
import { findAddress, findArea, searchPlaces } from '@hither/contract/geo.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'
import { empireState, type FakeGeocoder, json, photonAnswer, startGeocoder } from './harness.ts'

let geocoder: FakeGeocoder
let server: TestServer
let ann: Person
let bob: Person

beforeAll(async () => {
  geocoder = await startGeocoder()
  geocoder.answer = json(photonAnswer(empireState))
  server = await startServer({
    RATE_LIMITS: 'on',
    MAP_ONLINE: 'off',
    GEOCODER_URL: geocoder.url,
    PUBLIC_URL: 'https://hither.example.org',
  })
  ann = await server.signUp('ann')
  bob = await server.signUp('bob')
})

afterAll(async () => {
  await server.close()
  await geocoder.close()
})

test('returns addresses and places to signed-in users, and sends its user agent to the geocoder', async () => {
  const address = 'Empire State Building, 350 5th Avenue, New York, New York 10118, United States'
  const found = await server.call(findAddress, { body: { lat: 40.748433, lng: -73.985656 } }, ann)
  expect(found).toMatchObject({ status: 200, body: { address } })
  const places = await server.call(searchPlaces, { body: { q: 'empire', lat: 40.7, lng: -74 } }, ann)
  expect(places).toMatchObject({ status: 200, body: [{ name: 'Empire State Building', latitude: 40.748433 }] })
  for (const { userAgent } of geocoder.asked)
    expect(userAgent).toMatch(/^Hither\/[\w.-]+ \(https:\/\/hither\.example\.org\)$/)
  expect((await server.call(getConfig, {})).body.geocoder).toBe(true)
})

test('requires authentication', async () => {
  expect((await server.call(findAddress, { body: { lat: 1, lng: 1 } })).status).toBe(401)
  expect((await server.call(searchPlaces, { body: { q: 'hoboken' } })).status).toBe(401)
})

test.each([
  '/reverse',
  '/reverse?lat=91&lng=0',
  '/reverse?lat=0&lng=181',
  '/reverse?lat=&lng=0',
  '/reverse?lat=NaN&lng=0',
  '/reverse?lat=Infinity&lng=0',
  '/reverse?lat=1e400&lng=0',
  '/search',
  '/search?q=',
  `/search?q=${'x'.repeat(121)}`,
  '/search?q=%00',
  '/search?q=a&lat=91&lng=0',
])('refuses %s', async (path) => {
  expect((await server.request('GET', `/api/geo${path}`, { as: ann })).status).toBe(422)
})

test('one user does not fill the queue of the geocoder', async () => {
  const pending: (() => void)[] = []
  geocoder.answer = (request, response) => void pending.push(() => json(photonAnswer(empireState))(request, response))
  const ask = (lat: number, person: Person) => server.call(findAddress, { body: { lat, lng: 10 } }, person)
  const asked = Array.from({ length: 30 }, (_, lat) => ask(lat, ann))
  // Those for which there is no room get the result without a geocoder at once.
  expect((await Promise.race(asked)).status).toBe(200)
  const other = ask(50, bob)
  await server.call(findArea, { body: { lat: 50, lng: 10, area_km: 1 } }, bob)
  geocoder.answer = json(photonAnswer(empireState))
  for (const respond of pending) respond()
  expect((await other).body.address).toContain('Empire State Building')
  const addresses = (await Promise.all(asked)).map(({ body }) => body.address)
  expect(addresses.filter((address) => address?.includes('Empire State Building'))).toHaveLength(4)
})

test('limits the requests of one user', async () => {
  const { max } = findAddress.rateLimits[0]
  const ask = (person: Person) => server.call(findAddress, { body: { lat: 40.7484, lng: -73.9857 } }, person)
  const answers = []
  for (let i = 0; i <= max; i++) answers.push(await ask(ann))
  expect(answers.at(-1)?.status).toBe(429)
  expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask(bob)).status).toBe(200)
})
