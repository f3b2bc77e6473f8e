import type { GuestId } from '@hither/contract/ids.ts'
import { deleteAccount } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Person, password, receivedBy } from '../../../test/harness.ts'
import { dayMs, minuteMs } from '../harness.ts'
import { type Cast, startCast } from './harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

beforeEach(() => cast.clear())

afterAll(() => cast.server.close())

/** Runs an action and returns the changes of guests that each person receives by it. */
async function changesFor(people: readonly Person[], action: () => Promise<unknown>) {
  const listeners = await Promise.all(people.map((person) => cast.server.listen(person, ['ping_guests', 'users'])))
  await action()
  const received: string[][] = []
  for (const [index, person] of people.entries()) {
    const listener = listeners[index]
    if (!listener) continue
    const changes = await receivedBy(cast.server, person, listener)
    received.push(
      changes.map((change) => [change.eventType, change.new['name'], change.new['state']].filter(Boolean).join(' ')),
    )
    await listener.close()
  }
  return received
}

it('the owner receives every change of a guest, and invitees receive approved guests', async () => {
  const { id } = await cast.open('approval')
  const { ann, bob, eve } = cast
  const watch = (action: () => Promise<unknown>) => changesFor([ann, bob, eve], action)
  let token = ''
  let guestId = '' as GuestId
  const add = async () => {
    const added = await cast.addGuest(id)
    token = added.token
    guestId = added.guest.id
  }
  expect(await watch(add)).toEqual([['INSERT Mia waiting'], [], []])
  expect(await watch(() => cast.edit(id, token, { name: 'Mia B.' }))).toEqual([['UPDATE Mia B. waiting'], [], []])
  expect(await watch(() => Promise.all([cast.approve(id, guestId), cast.approve(id, guestId)]))).toEqual([
    ['UPDATE Mia B. approved'],
    ['INSERT Mia B. approved'],
    [],
  ])
  expect(await watch(() => cast.claim(id, token, eve))).toEqual([['UPDATE eve approved'], ['UPDATE eve approved'], []])
  expect(await watch(() => cast.expel(id, guestId))).toEqual([['DELETE'], ['DELETE'], []])
})

it('a repeated creation is announced once', async () => {
  const { id } = await cast.open()
  const [anns] = await changesFor([cast.ann], async () => {
    const { token } = await cast.addGuest(id)
    await cast.respondAs(id, 'Mia', token)
  })
  expect(anns).toEqual(['INSERT Mia approved'])
})

it('only the owner receives guests if responses are not visible', async () => {
  const { id } = await cast.open('open', { responses_visible: false })
  expect(await changesFor([cast.ann, cast.bob], () => cast.addGuest(id))).toEqual([['INSERT Mia approved'], []])
})

it('a withdrawal, a block by the owner and the policy `open` are announced', async () => {
  const { id } = await cast.open('approval')
  const { ann, bob, eve } = cast
  const { token } = await cast.addGuest(id)
  expect(await changesFor([ann, bob], () => cast.setPolicy(id, 'open'))).toEqual([
    ['UPDATE Mia approved'],
    ['INSERT Mia approved'],
  ])
  expect(await changesFor([ann, bob], () => cast.withdraw(id, token))).toEqual([['DELETE'], ['DELETE']])
  await cast.respond(id, 'accepted', eve)
  expect(await changesFor([ann, bob], () => cast.block(ann, eve))).toEqual([['DELETE'], ['DELETE']])
  await cast.unblock(ann, eve)
})

it('a block between a guest and an invitee hides the guest from the invitee only', async () => {
  const { id } = await cast.open()
  const { ann, bob, eve } = cast
  await cast.respond(id, 'accepted', eve)
  expect(await changesFor([ann, bob], () => cast.block(bob, eve))).toEqual([[], ['DELETE']])
  expect(await cast.guestsSeenBy(id, bob)).toEqual([])
  expect(await changesFor([ann, bob], () => cast.respond(id, 'declined', eve))).toEqual([['UPDATE eve approved'], []])
  expect(await changesFor([ann, bob], () => cast.unblock(bob, eve))).toEqual([[], ['INSERT eve approved']])
})

it('the deletion of an account and the end of the retention are announced', async () => {
  const { id } = await cast.open()
  const fay = await cast.server.signUp(`fay${Date.now()}`)
  await cast.respond(id, 'accepted', fay)
  await cast.addGuest(id)
  const erase = () => cast.server.call(deleteAccount, { body: { password } }, fay)
  expect(await changesFor([cast.ann, cast.bob], erase)).toEqual([['DELETE'], ['DELETE']])
  cast.server.clock.advance(30 * minuteMs + dayMs)
  expect(await changesFor([cast.ann, cast.bob], () => cast.server.app.guestJobs.runDue())).toEqual([
    ['DELETE'],
    ['DELETE'],
  ])
})
