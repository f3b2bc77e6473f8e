import type { PingId } from '@hither/contract/ids.ts'
import { type CreatePing, cancelPing, changePing, createPing, deletePing } from '@hither/contract/pings.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Person } from '../../../test/harness.ts'
import { type Cast, minuteMs, startCast } from '../harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

beforeEach(() => cast.reset())

afterAll(() => cast.close())

const ahead = (minutes: number) => new Date(cast.server.clock.now().getTime() + minutes * minuteMs).toISOString()

async function drop(minutes: number, fields: Partial<CreatePing> = {}) {
  const body = { name: 'Coffee', latitude: 45.52, longitude: -122.68, activates_at: ahead(minutes), ...fields }
  const { body: ping } = await cast.server.call(createPing, { body }, cast.ann)
  await cast.arrivals()
  return ping
}

async function respond(ping: { id: PingId }, type: 'accepted' | 'tentative' | 'declined', ...people: Person[]) {
  for (const person of people) await cast.respond(ping, person, type)
  await cast.arrivals()
}

/** Advances the clock, runs the job that sends reminders, and returns the notifications. */
async function after(minutes: number) {
  cast.server.clock.advance(minutes * minuteMs)
  await cast.server.app.pingJobs.runDue()
  return cast.notified()
}

const started = ['ann: Your ping is active | Coffee', "bob: ann's ping is active | Coffee"]
const reminders = ['ann: Coffee starts in 15 min | 1 going, 0 maybe', 'bob: Coffee starts in 15 min | by ann']

it('the owner and everybody who is going or maybe are reminded once, 15 minutes before the start', async () => {
  const ping = await drop(60)
  await respond(ping, 'accepted', cast.bob)
  await respond(ping, 'tentative', cast.cat)
  expect(await after(44)).toEqual([])
  expect(await after(1)).toEqual([
    'ann: Coffee starts in 15 min | 1 going, 1 maybe',
    'bob: Coffee starts in 15 min | by ann',
    'cat: Coffee starts in 15 min | by ann',
  ])
  expect(await after(10)).toEqual([])
})

it('two nodes send one reminder, also if one of them is started at that moment', async () => {
  const ping = await drop(60, { recipient_ids: [cast.bob.id] })
  await respond(ping, 'accepted', cast.bob)
  cast.server.clock.advance(45 * minuteMs)
  const { app } = await cast.startNode()
  await Promise.all([cast.server.app.pingJobs.runDue(), app.pingJobs.runDue()])
  await app.stop()
  expect(await cast.notified()).toEqual(reminders)
  expect(await after(0)).toEqual([])
})

it('people who cannot come or have not answered are not reminded', async () => {
  const ping = await drop(60)
  await respond(ping, 'declined', cast.bob)
  expect(await after(45)).toEqual(['ann: Coffee starts in 15 min | 0 going, 0 maybe'])
})

it('after a postponement there is another reminder for the new time', async () => {
  const ping = await drop(60, { recipient_ids: [cast.bob.id] })
  await respond(ping, 'accepted', cast.bob)
  expect(await after(45)).toEqual(reminders)
  await cast.server.call(changePing, { params: { id: ping.id }, body: { activates_at: ahead(60) } }, cast.ann)
  await cast.respond(ping, cast.bob, 'accepted')
  expect(await after(44)).toEqual([])
  expect(await after(1)).toEqual(reminders)
  expect(await after(15)).toEqual(started)
})

it('a reminder that waits while the start is postponed is not sent', async () => {
  const ping = await drop(60, { recipient_ids: [cast.bob.id] })
  await respond(ping, 'accepted', cast.bob)
  cast.server.clock.advance(45 * minuteMs)
  await cast.server.app.pingJobs.runDue()
  await cast.server.call(changePing, { params: { id: ping.id }, body: { activates_at: ahead(60) } }, cast.ann)
  expect(await cast.notified()).toEqual([])
})

it('there is no reminder of a start that was set less than 20 minutes ahead', async () => {
  const soon = await drop(10)
  const moved = await drop(60)
  await respond(soon, 'accepted', cast.bob)
  await respond(moved, 'accepted', cast.bob)
  await cast.server.call(changePing, { params: { id: moved.id }, body: { activates_at: ahead(19) } }, cast.ann)
  await cast.respond(moved, cast.bob, 'accepted')
  expect(await after(5)).toEqual([])
  expect(await after(3)).toEqual([])
})

it('there is no reminder if less than 2 minutes are left when the job runs', async () => {
  const ping = await drop(60)
  await respond(ping, 'accepted', cast.bob)
  expect(await after(58.5)).toEqual([])
  const late = await drop(60)
  await respond(late, 'accepted', cast.bob)
  expect((await after(55)).filter((text) => text.includes('starts'))).toEqual([
    'ann: Coffee starts in 5 min | 1 going, 0 maybe',
    'bob: Coffee starts in 5 min | by ann',
  ])
})

it('there is no reminder of a canceled or deleted pin, or for somebody who is no longer a friend', async () => {
  const [canceled, deleted, kept] = [await drop(60), await drop(60), await drop(60)]
  for (const ping of [canceled, deleted, kept]) await respond(ping, 'accepted', cast.bob)
  await cast.server.call(cancelPing, { params: { id: canceled.id }, body: {} }, cast.ann)
  await cast.server.call(deletePing, { params: { id: deleted.id } }, cast.ann)
  await cast.arrivals()
  await cast.server.db`delete from friendships where ${cast.bob.id} in (requester_id, requested_id)`
  expect(await after(45)).toEqual(['ann: Coffee starts in 15 min | 0 going, 0 maybe'])
})
