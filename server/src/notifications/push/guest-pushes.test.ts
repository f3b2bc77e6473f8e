import { randomBytes } from 'node:crypto'
import { approveGuest, createGuest, removeGuest } from '@hither/contract/guests.ts'
import { createPing, type GuestPolicy, type ResponseType } from '@hither/contract/pings.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Cast, minuteMs, secondMs, startCast } from '../harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

beforeEach(() => cast.reset())

afterAll(() => cast.close())

async function open(guest_policy: GuestPolicy) {
  const place = { name: 'Coffee', latitude: 45.52, longitude: -122.68 }
  const body = { ...place, is_public: true, guest_policy, recipient_ids: [] }
  return (await cast.server.call(createPing, { body }, cast.ann)).body
}

async function respond(
  ping: { id: Parameters<Cast['respond']>[0]['id'] },
  name: string,
  type: ResponseType = 'accepted',
) {
  const body = { token: randomBytes(32).toString('base64url'), name, response_type: type }
  return (await cast.server.call(createGuest, { params: { id: ping.id }, body })).body.guest
}

it.each<[GuestPolicy, ResponseType, string[]]>([
  ['open', 'accepted', ['ann: Mia (guest) is going | Coffee']],
  ['open', 'tentative', ['ann: Mia (guest) may come | Coffee']],
  ['open', 'declined', ["ann: Mia (guest) can't make it | Coffee"]],
  ['approval', 'accepted', ['ann: Mia wants to join | Coffee']],
  ['approval', 'tentative', ['ann: Mia wants to join | Coffee']],
  ['approval', 'declined', []],
])('the owner is notified of a guest with the policy %s and the answer %s', async (policy, type, expected) => {
  await respond(await open(policy), 'Mia', type)
  expect(await cast.notified()).toEqual(expected)
})

it('five guests within a minute are at most two notifications, the last with their number', async () => {
  const ping = await open('open')
  await respond(ping, 'Mia')
  const [first] = await cast.arrivals()
  expect([first?.payload.title, first?.payload.tag]).toEqual(['Mia (guest) is going', `guests:${ping.id}`])
  for (const name of ['Tom', 'Ida', 'Leo', 'Zoe']) {
    await respond(ping, name)
    cast.server.clock.advance(secondMs)
  }
  expect(await cast.notified()).toEqual([])
  cast.server.clock.advance(minuteMs)
  expect(await cast.notified()).toEqual(['ann: 4 new guest responses | Coffee'])
})

it('a guest who answers while an earlier answer is being sent is notified a minute later, and the earlier one not again', async () => {
  const ping = await open('open')
  await respond(ping, 'Mia')
  await cast.whileSending(() => respond(ping, 'Tom'))
  expect(await cast.notified()).toEqual([])
  cast.server.clock.advance(minuteMs)
  expect(await cast.notified()).toEqual(['ann: Tom (guest) is going | Coffee'])
})

it('a removed guest causes no notification, neither does an approval', async () => {
  const ping = await open('approval')
  const [mia, tom] = [await respond(ping, 'Mia'), await respond(ping, 'Tom')]
  await cast.server.call(removeGuest, { params: { id: ping.id, guestId: mia.id } }, cast.ann)
  await cast.server.call(removeGuest, { params: { id: ping.id, guestId: tom.id } }, cast.ann)
  expect(await cast.notified()).toEqual([])
  const late = await respond(ping, 'Ida', 'declined')
  await cast.server.call(approveGuest, { params: { id: ping.id, guestId: late.id } }, cast.ann)
  cast.server.clock.advance(2 * minuteMs)
  expect(await cast.notified()).toEqual([])
})

it('with hidden details, the notification names nobody', async () => {
  await cast.prefer(cast.ann, { hide_details: true })
  await respond(await open('open'), 'Mia')
  expect(await cast.notified()).toEqual(['ann: New answer to your ping | '])
})
