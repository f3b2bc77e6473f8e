import { login, resetPassword } from '@hither/contract/auth/auth.ts'
import {
  createPasskey,
  createPasskeyOptions,
  createPasskeySignInOptions,
  signInWithPasskey,
} from '@hither/contract/auth/passkeys.ts'
import { createRecoveryCodes, recover } from '@hither/contract/auth/recovery.ts'
import { setBanner } from '@hither/contract/banner.ts'
import { changeCircle, createCircle } from '@hither/contract/circles.ts'
import { lookUpFriendLink } from '@hither/contract/friend-links.ts'
import { findAddress, findArea, searchPlaces } from '@hither/contract/geo.ts'
import { searchMessages } from '@hither/contract/messages/message-search.ts'
import { createConversation, editMessage, sendMessage } from '@hither/contract/messages/messages.ts'
import { setReaction } from '@hither/contract/messages/reactions.ts'
import { changePing, createPing, getPing, respondToPing } from '@hither/contract/pings.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accept, makeLink } from '../../src/friend-links/harness.ts'
import { type FakeGeocoder, json, startGeocoder } from '../../src/geo/harness.ts'
import { makeAdmin } from '../../src/moderation/harness.ts'
import { createAuthenticator } from '../authenticator.ts'
import { type Person, password, startServer, type TestServer } from '../harness.ts'

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

it('writes no position, address, search, message, name, circle, banner, e-mail address, password, token or friend code at level debug', async () => {
  const place = { latitude: 12.345678, longitude: -98.765432 }
  const body = { ...place, name: 'Secret garden', message: 'behind the wall', address: '7 Hidden Lane' } as const
  const ping = await server.call(createPing, { body: { ...body, recipient_ids: [bob.id] } }, ann)
  expect(ping.status).toBe(201)
  const circle = { name: 'Nosy colleagues', emoji: '🦩', member_ids: [bob.id] }
  const { id: circleId } = (await server.call(createCircle, { body: circle }, ann)).body
  const forCircle = { ...body, circle_ids: [circleId], recipient_ids: [] }
  expect((await server.call(createPing, { body: forCircle }, ann)).status).toBe(201)
  expect((await server.call(createCircle, { body: circle }, ann)).status).toBe(409)
  await server.call(changeCircle, { params: { id: circleId }, body: { emoji: '🦩🦩' } }, ann)
  await server.call(getPing, { params: { id: ping.body.id } }, bob)
  await server.call(createPing, { body: { ...body, latitude: 1234.5678 } }, ann)
  geocoder.answer = json({}, 503)
  const query = { lat: place.latitude, lng: place.longitude }
  expect((await server.call(findAddress, { body: query }, ann)).status).toBe(200)
  expect((await server.call(searchPlaces, { body: { q: 'Hidden Lane', ...query } }, ann)).status).toBe(200)
  expect((await server.call(findArea, { body: { ...query, area_km: 1 } }, ann)).status).toBe(200)
  const conversation = await server.call(createConversation, { body: { participant_ids: [bob.id] } }, ann)
  const message = { conversation_id: conversation.body.id, content: 'whispered' }
  const sent = await server.call(sendMessage, { body: message }, ann)
  expect(sent.status).toBe(201)
  const params = { id: sent.body.message.id }
  await server.call(editMessage, { params, body: { content: 'whispered louder' } }, ann)
  await server.call(setReaction, { params, body: { emoji: '🦚' } }, bob)
  await server.call(setReaction, { params, body: { emoji: '🦚🦚' } }, bob)
  const chosen = { ...place, name: 'Secret garden', address: '7 Hidden Lane' }
  await server.call(sendMessage, { body: { ...message, content: 'caption', place: chosen } }, ann)
  expect((await server.call(searchMessages, { body: { q: 'soughtafter' } }, ann)).status).toBe(200)
  await server.call(searchMessages, { body: { q: 'soughtafter', cursor: 'wrong' } }, ann)
  const { code } = await makeLink(server, ann)
  await server.call(lookUpFriendLink, { body: { code } })
  expect((await accept(server, code, bob)).status).toBe(200)
  await server.call(lookUpFriendLink, { body: { code: 'unknown secret' } })
  await server.call(login, { body: { email: ann.email, password: 'wrong password' } })
  await server.call(login, { body: { email: ann.email, password } })
  for (const path of ['reverse', 'area'])
    await server.request('GET', `/api/geo/${path}?lat=${place.latitude}&lng=wrong`, { as: ann })
  await server.call(changePing, { params: { id: ping.body.id }, body: { exact_place_for: 'going' } }, ann)
  await server.call(respondToPing, { body: { ping_id: ping.body.id, response_type: 'accepted' } }, bob)
  await makeAdmin(server, ann)
  const banner = { text: 'Moving house', ends_at: new Date(server.clock.now().getTime() + 60_000).toISOString() }
  expect((await server.call(setBanner, { body: banner }, ann)).status).toBe(200)
  expect((await server.call(setBanner, { body: { ...banner, ends_at: 'Moving house' } }, ann)).status).toBe(422)

  const text = lines.join('')
  const metrics = JSON.stringify((await server.request('GET', '/metrics')).body)
  expect(metrics).toContain('/api/friends/links/lookup')
  expect([code, 'unknown secret', 'soughtafter', '🦚'].filter((secret) => metrics.includes(secret))).toEqual([])
  // These texts prove that the calls and the failure of the geocoder were logged.
  expect(text).toContain('"route":"/api/geo/reverse"')
  expect(text).toContain('status 503')
  const secrets = [
    '12.34',
    '98.76',
    '1234.5',
    'Secret garden',
    'behind the wall',
    'Hidden Lane',
    'whispered',
    '🦚',
    'soughtafter',
    circleId,
    'Nosy colleagues',
    '🦩',
    'Moving house',
  ]
  const accounts = [
    ann.email,
    bob.email,
    'wrong password',
    password,
    ann.session.access_token,
    ann.session.refresh_token,
    code,
    'unknown secret',
  ]
  expect([...secrets, ...accounts].filter((secret) => text.includes(secret))).toEqual([])
})

it('writes no passkey, recovery code, reset token or part of a callback at level debug', async () => {
  const person = await server.signUp('cat')
  const device = createAuthenticator('http://localhost:3000')
  const { body: creation } = await server.call(createPasskeyOptions, { body: {} }, person)
  await server.call(createPasskey, { body: { response: device.create(creation), name: 'Secret phone' } }, person)
  const { body: options } = await server.call(createPasskeySignInOptions, {})
  const response = device.get(options, { userVerified: false })
  expect((await server.call(signInWithPasskey, { body: { response } })).status).toBe(401)
  const { body: codes } = await server.call(createRecoveryCodes, { body: {} }, person)
  const [code = ''] = codes.codes
  const { body: recovery } = await server.call(recover, { body: { email: person.email, code } })
  await server.call(recover, { body: { email: person.email, code } })
  await server.call(resetPassword, { body: { token: recovery.reset_token, password } })
  const callback = await server.request('GET', '/api/auth/oidc/callback?state=secretstate&code=secretcode')
  expect(callback.status).toBe(302)
  const text = lines.join('') + JSON.stringify((await server.request('GET', '/metrics')).body)
  expect(text).toContain('/api/auth/recover')
  const credentialId = device.passkeys[0]?.credentialId.toString('base64url') ?? ''
  const secrets = ['Secret phone', 'secretstate', 'secretcode', person.email, code, recovery.reset_token, credentialId]
  expect([...secrets, options.challenge, creation.challenge].filter((secret) => text.includes(secret))).toEqual([])
})
