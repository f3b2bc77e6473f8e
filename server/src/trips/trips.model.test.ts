import type { PingId } from '@hither/contract/ids.ts'
import type { Ping } from '@hither/contract/pings.ts'
import type { Trip } from '@hither/contract/trips.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Listener, type Person, type ReceivedChange, receivedBy, runsFor } from '../../test/harness.ts'
import { minuteMs } from '../pings/harness.ts'
import { type Cast, startCast } from './harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat } = cast)
})

afterAll(() => cast.server.close())

type Action = (id: PingId) => Promise<unknown>

const travelers = fc.constantFrom(
  () => ann,
  () => bob,
  () => cat,
)
const invitees = fc.constantFrom(
  () => bob,
  () => cat,
)

const going = (['accepted', 'accepted', 'tentative', 'declined'] as const).map((type) =>
  invitees.map((who): [string, Action] => [`answer ${type}`, (id) => cast.respond(id, type, who())]),
)

/** What people do, and time passing. A refusal counts as nothing done. */
const action: fc.Arbitrary<[string, Action]> = fc.oneof(
  {
    arbitrary: fc
      .tuple(travelers, fc.constantFrom(1, 10, 100))
      .map(([who, minutes]): [string, Action] => [`share ${minutes}`, (id) => cast.share(id, minutes, who())]),
    weight: 6,
  },
  travelers.map((who): [string, Action] => ['arrive', (id) => cast.arrive(id, who())]),
  travelers.map((who): [string, Action] => ['stop', (id) => cast.stop(id, who())]),
  ...going,
  invitees.map((who): [string, Action] => ['take the answer back', (id) => cast.takeBack(id, who())]),
  fc
    .boolean()
    .map((responses_visible): [string, Action] => [
      `responses visible: ${responses_visible}`,
      (id) => cast.change(id, { responses_visible }, ann),
    ]),
  invitees.map((who): [string, Action] => ['unfriend', () => cast.unfriend(who(), ann)]),
  invitees.map((who): [string, Action] => ['befriend', () => cast.server.befriend(who(), ann)]),
  fc.constantFrom<[string, Action]>(
    ['block', () => cast.block(bob, cat)],
    ['block back', () => cast.block(cat, bob)],
    ['unblock', () => cast.unblock(bob, cat)],
    ['unblock back', () => cast.unblock(cat, bob)],
    ['move', (id) => cast.change(id, { latitude: 45 + Math.random() }, ann)],
    ['end', (id) => cast.change(id, { end: true }, ann)],
    ['job', () => cast.server.app.tripJobs.runDue()],
  ),
  fc
    .constantFrom(1, 15, 31)
    .map((minutes): [string, Action] => [
      `${minutes} minutes`,
      async () => cast.server.clock.advance(minutes * minuteMs),
    ]),
)

it('after any sequence of actions, the live changes of each person add up to what the list shows them', async () => {
  const named = fc.array(action, { minLength: 4, maxLength: 14 })
  await fc.assert(
    fc.asyncProperty(named, async (actions) => {
      await begin()
      const listeners = new Map<Person, Listener>()
      for (const person of [ann, bob, cat])
        listeners.set(person, await cast.server.listen(person, ['ping_trips', 'users']))
      const { id } = await cast.dropFor([bob], { duration_minutes: 240 })
      for (const [, act] of actions) await act(id)
      await cast.server.app.tripJobs.runDue()
      await cast.server.app.pingJobs.runDue()
      for (const [person, listener] of listeners) {
        const received = tripsAfter(await receivedBy(cast.server, person, listener))
        expect(received, `${person.username}: ${actions.map(([name]) => name).join(', ')}`).toEqual(
          await shownTo(person, id),
        )
        await listener.close()
      }
    }),
    { numRuns: runsFor(12) },
  )
}, 300_000)

async function begin() {
  await cast.clear()
  for (const [who, other] of [
    [bob, cat],
    [cat, bob],
  ] as const)
    await cast.unblock(who, other)
  for (const who of [bob, cat]) {
    await cast.unfriend(who, ann)
    await cast.server.db`delete from friend_requests`
    await cast.server.befriend(who, ann)
  }
}

/** What a client that applies the changes in their order shows in the end, by traveler. */
function tripsAfter(changes: readonly ReceivedChange[]): Trip[] {
  const trips = new Map<unknown, Trip>()
  for (const { eventType, new: row, old } of changes) {
    if (eventType === 'DELETE') trips.delete(old['user_id'])
    else {
      // A change of a trip that the person does not see would be an error.
      expect(trips.has(row['user_id']), `${eventType} of ${String(row['username'])}`).toBe(eventType === 'UPDATE')
      trips.set(row['user_id'], row as unknown as Trip)
    }
  }
  return [...trips.values()].sort(byTraveler)
}

async function shownTo(person: Person, id: PingId): Promise<Trip[]> {
  const ping = (await cast.list(person)).body.find((one: Ping) => one.id === id)
  return [...(ping?.trips ?? [])].sort(byTraveler)
}

function byTraveler(a: Trip, b: Trip): number {
  return a.user_id < b.user_id ? -1 : 1
}
