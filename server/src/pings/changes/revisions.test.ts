import { randomBytes } from 'node:crypto'
import { changeGuest, createGuest, getGuest } from '@hither/contract/guests.ts'
import type { OwnPing, PublicPing } from '@hither/contract/pings.ts'
import { filledPath } from '@hither/contract/runtime/address.ts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type Cast, startCast } from '../harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

afterEach(() => cast.clear())

afterAll(() => cast.server.close())

const drop = () => cast.drop(cast.ann, { activates_at: cast.ahead(60), is_public: true, guest_policy: 'open' })
const move = (ping: { id: OwnPing['id'] }, longitude: number) =>
  cast.change(ping.id, { latitude: 1, longitude }, cast.ann)
const revisions = async (ping: { id: OwnPing['id'] }) =>
  (await cast.answers(ping.id, cast.ann)).body.map(({ username, revision }) => [username, revision]).sort()

it('a response has the revision of the ping, and keeps it until the person responds again', async () => {
  const ping = await drop()
  expect((await cast.respond(ping.id, 'accepted', cast.bob)).body.revision).toBe(0)
  await cast.change(ping.id, { activates_at: cast.ahead(120) }, cast.ann)
  const { body } = await cast.read(ping.id, cast.bob)
  expect(body).toMatchObject({ revision: 1, time_revision: 1, responses: [{ response_type: 'accepted', revision: 0 }] })
  const listener = await cast.server.listen(cast.ann, ['ping_responses'])
  expect((await cast.respond(ping.id, 'accepted', cast.bob, 1)).body.revision).toBe(1)
  const { new: row } = await listener.until(({ eventType }) => eventType === 'UPDATE')
  expect(row['revision']).toBe(1)
  await listener.close()
  expect(await revisions(ping)).toEqual([['bob', 1]])
})

it('a response to an earlier revision is outdated when it arrives', async () => {
  const ping = await drop()
  await move(ping, 1)
  await move(ping, 2)
  await cast.respond(ping.id, 'accepted', cast.bob, 1)
  await cast.respond(ping.id, 'tentative', cast.cat, 99)
  expect(await revisions(ping)).toEqual([
    ['bob', 1],
    ['cat', 2],
  ])
})

it('a name or message is no revision', async () => {
  const ping = await drop()
  await cast.respond(ping.id, 'accepted', cast.bob)
  await cast.change(ping.id, { name: 'Tea', message: 'Cake', address: 'Here' }, cast.ann)
  expect((await cast.read(ping.id, cast.bob)).body).toMatchObject({ revision: 0, responses: [{ revision: 0 }] })
})

it('a guest with account has the revision too', async () => {
  const ping = await drop()
  await cast.respond(ping.id, 'accepted', cast.eve)
  await move(ping, 1)
  expect(((await cast.read(ping.id, cast.eve)).body as PublicPing).guest).toMatchObject({ revision: 0 })
  expect((await cast.respond(ping.id, 'accepted', cast.eve, 0)).body.revision).toBe(0)
  expect((await cast.respond(ping.id, 'accepted', cast.eve)).body.revision).toBe(1)
})

it('a guest without account has the revision, which a new name does not change', async () => {
  const { id } = await drop()
  const token = randomBytes(32).toString('base64url')
  const body = { token, name: 'Mia', response_type: 'accepted', revision: 0 } as const
  await move({ id }, 1)
  expect((await cast.server.call(createGuest, { params: { id }, body })).body).toMatchObject({
    guest: { revision: 0 },
    ping: { revision: 1, place_revision: 1 },
  })
  const change = (changed: object) =>
    cast.server.request('PATCH', `/api${filledPath(changeGuest.address, { id })}`, {
      body: changed,
      headers: { authorization: `Guest ${token}` },
    })
  expect((await change({ name: 'Mia B' })).body).toMatchObject({ guest: { revision: 0 } })
  expect((await change({ response_type: 'accepted' })).body).toMatchObject({ guest: { revision: 1 } })
  const headers = { authorization: `Guest ${token}` }
  const read = () => cast.server.request('GET', `/api${filledPath(getGuest.address, { id })}`, { headers })
  expect((await read()).body).toMatchObject({ guest: { revision: 1 } })
  await cast.cancel(id, cast.ann, 'Rain')
  expect((await read()).body).toMatchObject({ ping: { status: 'expired', cancel_message: 'Rain' } })
})

it('`revision` must be a number that is not negative', async () => {
  const { id } = await drop()
  for (const revision of [-1, 0.5, '1', null]) {
    const body = { ping_id: id, response_type: 'accepted', revision }
    expect((await cast.server.request('POST', '/api/pings/respond', { body, as: cast.bob })).status).toBe(422)
  }
})
