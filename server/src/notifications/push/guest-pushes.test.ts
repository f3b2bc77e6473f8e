import { randomBytes } from 'node:crypto'
import type { ExactPlaceFor } from '@hither/contract/areas.ts'
import { approveGuest, createGuest, removeGuest } from '@hither/contract/guests.ts'
import type { PingId } from '@hither/contract/ids.ts'
import { createPing, type GuestPolicy, type ResponseType, removeResponse } from '@hither/contract/pings.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Person } from '../../../test/harness.ts'
import { type Cast, minuteMs, secondMs, startCast } from '../harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

beforeEach(() => cast.reset())

afterAll(() => cast.close())

async function open(guest_policy: GuestPolicy, exact_place_for: ExactPlaceFor = 'everyone') {
  const place = { name: 'Coffee', latitude: 45.52, longitude: -122.68 }
  const body = { ...place, is_public: true, guest_policy, exact_place_for, recipient_ids: [] }
  return (await cast.server.call(createPing, { body }, cast.ann)).body
}

async function respond(ping: { id: PingId }, name: string, type: ResponseType = 'accepted') {
  const token = randomBytes(32).toString('base64url')
  const body = { token, name, response_type: type }
  const { guest } = (await cast.server.call(createGuest, { params: { id: ping.id }, body })).body
  return { ...guest, token }
}

function takeBack({ id }: { id: PingId }, who: Person) {
  return cast.server.call(removeResponse, { params: { id } }, who)
}

function withdraw({ id }: { id: PingId }, token: string) {
  return cast.server.request('DELETE', `/api/pings/${id}/guests/me`, { headers: { authorization: `Guest ${token}` } })
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

it.each<['going' | 'everyone', string[]]>([
  ['going', ['ann: Mia (guest) said going and took it back | Coffee']],
  ['everyone', []],
])('a guest who withdraws at once from a ping whose place is for %s is notified of: %j', async (setting, expected) => {
  const ping = await open('open', setting)
  const { token } = await respond(ping, 'Mia')
  await withdraw(ping, token)
  expect(await cast.notified()).toEqual(expected)
})

it('a guest who sees the place and withdraws in the minute after another guest is notified after it', async () => {
  const ping = await open('open', 'going')
  await respond(ping, 'Mia')
  expect(await cast.notified()).toEqual(['ann: Mia (guest) is going | Coffee'])
  await withdraw(ping, (await respond(ping, 'Tom')).token)
  expect(await cast.notified()).toEqual([])
  cast.server.clock.advance(minuteMs)
  expect(await cast.notified()).toEqual(['ann: Tom (guest) said going and took it back | Coffee'])
})

it('a signed-in guest who takes the answer back is named, and counts as an answer', async () => {
  const ping = await open('open', 'going')
  const { eve } = cast
  await cast.respond(ping, eve, 'accepted')
  await takeBack(ping, eve)
  expect(await cast.notified()).toEqual(['ann: eve said going and took it back | Coffee'])
  await cast.respond(ping, eve, 'accepted')
  await takeBack(ping, eve)
  await respond(ping, 'Mia')
  cast.server.clock.advance(minuteMs)
  expect(await cast.notified()).toEqual(['ann: 2 new guest responses | Coffee'])
})

it('with hidden details, the notification names nobody', async () => {
  await cast.prefer(cast.ann, { hide_details: true })
  await respond(await open('open'), 'Mia')
  expect(await cast.notified()).toEqual(['ann: New answer to your ping | '])
})
