import { login } from '@hither/contract/auth.ts'
import { findAddress, searchPlaces } from '@hither/contract/geo.ts'
import { createConversation, sendMessage } from '@hither/contract/messages.ts'
import { createPing, getPing } from '@hither/contract/pings.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'
import { type FakeGeocoder, json, startGeocoder } from '../geo/harness.ts'

const lines: string[] = []
let geocoder: FakeGeocoder
let server: TestServer
let ann: Person
let bob: Person

beforeAll(async () => {
  geocoder = await startGeocoder()
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) })
  server = await startServer({ GEOCODER_URL: geocoder.url }, log)
  ann = await server.signUp('ann')
  bob = await server.signUp('bob')
  await server.befriend(ann, bob)
})
afterAll(async () => {
  await server.close()
  await geocoder.close()
})

it('writes no position, address, search, message, name, e-mail address, password or token at level debug', async () => {
  const place = { latitude: 12.345678, longitude: -98.765432 }
  const body = { ...place, name: 'Secret garden', message: 'behind the wall', address: '7 Hidden Lane' } as const
  const ping = await server.call(createPing, { body: { ...body, recipient_ids: [bob.id] } }, ann)
  expect(ping.status).toBe(201)
  await server.call(getPing, { params: { id: ping.body.id } }, bob)
  await server.call(createPing, { body: { ...body, latitude: 1234.5678 } }, ann)
  geocoder.answer = json({}, 503)
  const query = { lat: place.latitude, lng: place.longitude }
  expect((await server.call(findAddress, { query }, ann)).status).toBe(200)
  expect((await server.call(searchPlaces, { query: { q: 'Hidden Lane', ...query } }, ann)).status).toBe(200)
  const conversation = await server.call(createConversation, { body: { participant_ids: [bob.id] } }, ann)
  const message = { conversation_id: conversation.body.id, content: 'whispered' }
  expect((await server.call(sendMessage, { body: message }, ann)).status).toBe(201)
  await server.call(login, { body: { email: ann.email, password: 'wrong password' } })
  await server.call(login, { body: { email: ann.email, password } })
  await server.request('GET', `/api/geo/reverse?lat=${place.latitude}&lng=wrong`, { as: ann })

  const text = lines.join('')
  // What shows that the calls were logged, and the failure of the geocoder too.
  expect(text).toContain('"route":"/api/geo/reverse"')
  expect(text).toContain('status 503')
  const secrets = ['12.34', '98.76', '1234.5', 'Secret garden', 'behind the wall', 'Hidden Lane', 'whispered']
  const accounts = [
    ann.email,
    bob.email,
    'wrong password',
    password,
    ann.session.access_token,
    ann.session.refresh_token,
  ]
  expect([...secrets, ...accounts].filter((secret) => text.includes(secret))).toEqual([])
})
