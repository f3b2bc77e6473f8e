import { createPing, respondToPing } from '@hither/contract/pings.ts'
import { updateUser } from '@hither/contract/users.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Cast, startCast } from '../harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast(undefined, { DEFAULT_LOCALE: 'fr' })
  await cast.reset()
})

afterAll(() => cast.close())

it('each person is notified in their own language, with the name of the other isolated', async () => {
  const { server, ann, bob, cat } = cast
  const choose = (who: typeof ann, locale: string) =>
    server.call(updateUser, { params: { id: who.id }, body: { locale } }, who)
  await Promise.all([choose(ann, 'en'), choose(bob, 'de'), choose(cat, 'ar')])
  const place = { name: 'Coffee at Nero', latitude: 45.52, longitude: -122.68 }
  const { body: ping } = await server.call(createPing, { body: { ...place, recipient_ids: [bob.id, cat.id] } }, ann)
  const invited = await cast.arrivals()
  expect(invited.map(({ device, payload }) => [device, payload.title])).toEqual([
    ['bob', '\u2068ann\u2069 hat einen Pin gesetzt'],
    ['cat', 'وضع \u2068ann\u2069 دبوسًا'],
  ])
  expect(invited.map(({ payload }) => payload.actions?.map(({ title }) => title))).toEqual([
    ['Bin dabei', 'Vielleicht', 'Kann nicht'],
    ['سأحضر', 'ربما', 'لا أستطيع'],
  ])
  await server.call(respondToPing, { body: { ping_id: ping.id, response_type: 'accepted' } }, bob)
  expect((await cast.arrivals()).map(({ payload }) => payload.title)).toEqual(['bob is going'])
})

it('without a chosen language, the session of the device decides, and then the server', async () => {
  const { server, ann, bob, cat } = cast
  await server.db`update users set locale = null`
  await server.db`update sessions set locale = 'es' where user_id = ${bob.id}`
  const place = { name: 'Tea', latitude: 45.52, longitude: -122.68 }
  await server.call(createPing, { body: { ...place, recipient_ids: [bob.id, cat.id] } }, ann)
  expect((await cast.arrivals()).map(({ payload }) => payload.title)).toEqual([
    '\u2068ann\u2069 ha puesto un pin',
    '\u2068ann\u2069 a placé une épingle',
  ])
})

it('hidden details have a title in the language of the receiver', async () => {
  const { server, ann, bob } = cast
  await cast.prefer(bob, { hide_details: true })
  await server.call(updateUser, { params: { id: bob.id }, body: { locale: 'de' } }, bob)
  const place = { name: 'Tea', latitude: 45.52, longitude: -122.68 }
  await server.call(createPing, { body: { ...place, recipient_ids: [bob.id] } }, ann)
  const [push] = await cast.arrivals()
  expect(push?.payload).toMatchObject({ title: 'Neuer Pin', body: '' })
})
