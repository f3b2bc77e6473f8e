import { createGuest } from '@hither/contract/guests.ts'
import { type Ping, respondToPing } from '@hither/contract/pings.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { race } from '../../../test/race.ts'
import { type Cast, newToken, startCast } from './harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

beforeEach(() => cast.clear())

afterAll(() => cast.server.close())

/** The lock that every change of the guests of a ping needs. */
const ownerLock = (ping: Ping) => (tx: typeof cast.server.db) =>
  tx`select 1 from users where id = ${ping.user_id} for update`

it('of two accounts that claim one token, one gets it, in 50 rounds', async () => {
  const { eve } = cast
  const dan = await cast.server.signUp('dan')
  for (let round = 0; round < 50; round++) {
    await cast.clear()
    const { id } = await cast.open()
    const { token } = await cast.addGuest(id)
    const replies = await Promise.all([eve, dan].map((who) => cast.claim(id, token, who)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404])
    expect(await cast.rowsOf(id)).toHaveLength(1)
  }
})

it('a change that waits for the removal of the guest does not bring the row back', async () => {
  const ping = await cast.open()
  const { token, guest } = await cast.addGuest(ping.id)
  const statuses = await race<{ status: number }>(
    cast.server.db,
    ownerLock(ping) as never,
    () => cast.expel(ping.id, guest.id),
    () => cast.edit(ping.id, token, { name: 'Back' }),
    () => cast.withdraw(ping.id, token),
  )
  expect(statuses.map(({ status }) => status)).toEqual([204, 404, 204])
  expect(await cast.rowsOf(ping.id)).toMatchObject([{ state: 'removed', name: null }])
  expect(await cast.guestsSeenBy(ping.id, cast.ann)).toEqual([])
})

it('of 51 guests at once, 50 are added', async () => {
  const { id } = await cast.open()
  const replies = await Promise.all(Array.from({ length: 51 }, (_, index) => cast.respondAs(id, `Guest ${index}`)))
  expect(replies.map(({ status }) => status).sort()).toEqual([...Array(50).fill(201), 409])
  expect(await cast.rowsOf(id)).toHaveLength(50)
})

it('the same token sent at the same moment is one guest', async () => {
  const { id } = await cast.open()
  const body = { token: newToken(), name: 'Mia', response_type: 'accepted' } as const
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => cast.server.call(createGuest, { params: { id }, body })),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201])
  expect(await cast.rowsOf(id)).toHaveLength(1)
})

it('an account that responds on two devices at the same moment is one guest', async () => {
  const { eve } = cast
  const ping = await cast.open()
  const body = { ping_id: ping.id, response_type: 'accepted' } as const
  const respond = () => cast.server.call(respondToPing, { body }, eve)
  const replies = await race(cast.server.db, ownerLock(ping) as never, respond, respond)
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect(await cast.rowsOf(ping.id)).toMatchObject([{ user_id: eve.id }])
})
