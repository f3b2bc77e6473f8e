import { deleteMyPing } from '@hither/contract/pings.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Listener, type Person, receivedBy } from '../../test/harness.ts'
import { race } from '../../test/race.ts'
import type { Tx } from '../platform/db/database.ts'
import { type Cast, dayMs, minuteMs, startCast } from './harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let listener: Listener

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob } = cast)
})

afterAll(() => cast.server.close())

beforeEach(async () => {
  listener = await cast.server.listen(bob, ['location_pins', 'ping_responses', 'users'])
})

afterEach(async () => {
  await listener.close()
  await cast.clear()
})

const lockAnn = (tx: Tx) => tx`select id from users where id = ${ann.id} for update`

/** Runs the calls one after another up to the lock on ann that each needs, and then releases the lock. */
async function statusesOf(...calls: (() => Promise<{ status: number }>)[]) {
  return (await race(cast.server.db, lockAnn, ...calls)).map(({ status }) => status)
}

/** The changes that bob has received since the test began. */
async function received() {
  const changes = await receivedBy(cast.server, bob, listener)
  return changes.map(({ table, eventType }) => `${table} ${eventType}`)
}

const removeMine = () => cast.server.call(deleteMyPing, {}, ann)

describe('two concurrent deletions', () => {
  it('delete the ping once and announce it once', async () => {
    const { id } = await cast.drop(ann)
    await cast.respond(id, 'accepted', bob)
    expect(
      await statusesOf(
        () => cast.remove(id, ann),
        () => cast.remove(id, ann),
      ),
    ).toEqual([204, 404])
    expect(await received()).toEqual([
      'location_pins INSERT',
      'ping_responses INSERT',
      'ping_responses DELETE',
      'location_pins DELETE',
    ])
  })

  it('of the newest active ping delete two pings if there are two, and one if there is one', async () => {
    await cast.drop(ann)
    await cast.drop(ann)
    expect(await statusesOf(removeMine, removeMine)).toEqual([204, 204])
    await cast.drop(ann)
    expect(await statusesOf(removeMine, removeMine)).toEqual([204, 404])
    expect((await received()).filter((what) => what === 'location_pins DELETE')).toHaveLength(3)
  })
})

describe('a response concurrent with the deletion of its ping', () => {
  it('that comes first is announced and then deleted with the ping', async () => {
    const { id } = await cast.drop(ann)
    expect(
      await statusesOf(
        () => cast.respond(id, 'accepted', bob),
        () => cast.remove(id, ann),
      ),
    ).toEqual([200, 204])
    expect(await received()).toEqual([
      'location_pins INSERT',
      'ping_responses INSERT',
      'ping_responses DELETE',
      'location_pins DELETE',
    ])
  })

  it('that is removed while the ping is deleted is announced as deleted once, in either order', async () => {
    for (const isBackFirst of [true, false]) {
      const { id } = await cast.drop(ann)
      await cast.respond(id, 'accepted', bob)
      const calls = [() => cast.takeBack(id, bob), () => cast.remove(id, ann)]
      expect(await statusesOf(...(isBackFirst ? calls : calls.reverse()))).toEqual([204, 204])
    }
    expect((await received()).filter((what) => what === 'ping_responses DELETE')).toHaveLength(2)
  })

  it('that is removed while the friendship ends is announced as deleted once, in either order', async () => {
    for (const isBackFirst of [true, false]) {
      const { id } = await cast.drop(ann)
      await cast.respond(id, 'accepted', bob)
      const calls = [() => cast.takeBack(id, bob), () => cast.unfriend(ann, bob)]
      await race<unknown>(cast.server.db, lockAnn, ...(isBackFirst ? calls : calls.reverse()))
      await cast.server.befriend(ann, bob)
      expect((await cast.answers(id, ann)).body).toEqual([])
      await cast.remove(id, ann)
    }
    expect((await received()).filter((what) => what === 'ping_responses DELETE')).toHaveLength(2)
  })
})

it('returns the ping or 404 when it is opened while it is deleted', async () => {
  const { id } = await cast.drop(ann)
  const [removed, opened] = await race<{ status: number }>(
    cast.server.db,
    (tx) => tx`select 1 from ping_recipients where ping_id = ${id} and recipient_id = ${bob.id} for update`,
    () => cast.remove(id, ann),
    () => cast.read(id, bob),
  )
  expect(removed?.status).toBe(204)
  expect([200, 404]).toContain(opened?.status)
})

it('shows a ping for all friends once or never to a user who becomes a friend while it is created', async () => {
  await cast.unfriend(ann, bob)
  const [, before] = await race<unknown>(
    cast.server.db,
    lockAnn,
    () => cast.server.befriend(ann, bob),
    () => cast.create(ann),
  )
  const shown = (before as Awaited<ReturnType<Cast['create']>>).body.recipients.some(
    ({ recipient_id }) => recipient_id === bob.id,
  )
  expect((await received()).filter((what) => what === 'location_pins INSERT')).toHaveLength(shown ? 1 : 0)
  expect((await cast.list(bob)).body).toHaveLength(shown ? 1 : 0)
})

it('deletes a ping for good while its expiry is announced, in either order', async () => {
  for (const isToldFirst of [true, false]) {
    const { id } = await cast.drop(ann, { duration_minutes: 15 })
    cast.server.clock.advance(15 * minuteMs)
    const calls: (() => Promise<unknown>)[] = [() => cast.server.app.pingJobs.runDue(), () => cast.remove(id, ann)]
    await race(cast.server.db, lockAnn, ...(isToldFirst ? calls : calls.reverse()))
    expect((await cast.read(id, bob)).status).toBe(404)
  }
  const [first, updated, gone, second, goneToo] = await received()
  expect([first, updated, gone]).toEqual(['location_pins INSERT', 'location_pins UPDATE', 'location_pins DELETE'])
  expect([second, goneToo]).toEqual(['location_pins INSERT', 'location_pins DELETE'])
  expect(await received()).toHaveLength(5)
})

describe('a change concurrent with the announcement of the expiry', () => {
  const [more, end] = [{ extend_minutes: 15 }, { end: true }] as const

  it.each([more, end])(
    '%j that waits for the announcement is refused, and the expiry is announced once',
    async (change) => {
      const { id } = await cast.drop(ann)
      cast.server.clock.advance(30 * minuteMs)
      const [, answer] = await race<unknown>(
        cast.server.db,
        lockAnn,
        () => cast.server.app.pingJobs.runDue(),
        () => cast.change(id, change, ann),
      )
      expect(answer).toMatchObject({ status: 409 })
      expect(await received()).toEqual(['location_pins INSERT', 'location_pins UPDATE'])
    },
  )

  it('that was sent in time and waited past the end is refused', async () => {
    const { id } = await cast.drop(ann)
    let answer: Promise<{ status: number }> | undefined
    await race<unknown>(
      cast.server.db,
      async (tx) => {
        await lockAnn(tx)
        cast.server.clock.advance(30 * minuteMs - 1)
      },
      async () => {
        answer = cast.change(id, more, ann)
        await answer
      },
      async () => {
        cast.server.clock.advance(1)
        await cast.server.app.pingJobs.runDue()
      },
    )
    expect(await answer).toMatchObject({ status: 409 })
    expect(await received()).toEqual(['location_pins INSERT', 'location_pins UPDATE'])
  })

  it('accepts one of two concurrent extensions if the limit allows only one', async () => {
    const { id } = await cast.drop(ann, { duration_minutes: 120 })
    await cast.change(id, { extend_minutes: 60 }, ann)
    const extend = () => cast.change(id, { extend_minutes: 60 }, ann)
    expect(await statusesOf(extend, extend)).toEqual([200, 409])
  })

  it('ends the ping once for two concurrent calls and announces it once', async () => {
    const { id } = await cast.drop(ann)
    const finish = () => cast.change(id, end, ann)
    expect(await statusesOf(finish, finish)).toEqual([200, 409])
    expect(await received()).toEqual(['location_pins INSERT', 'location_pins UPDATE'])
  })
})

it('deletes an expired ping while a response is removed, without an error', async () => {
  const { id } = await cast.drop(ann, { duration_minutes: 15 })
  await cast.respond(id, 'accepted', bob)
  cast.server.clock.advance(15 * minuteMs)
  await cast.server.app.pingJobs.runDue()
  cast.server.clock.advance(31 * dayMs)
  const [, back] = await race<unknown>(
    cast.server.db,
    (tx) => tx`select 1 from ping_recipients where ping_id = ${id} and recipient_id = ${bob.id} for update`,
    () => cast.server.app.pingJobs.runDue(),
    () => cast.takeBack(id, bob),
  )
  expect(back).toMatchObject({ status: 204 })
  expect((await cast.read(id, ann)).status).toBe(404)
  expect((await received()).filter((what) => what === 'ping_responses DELETE')).toHaveLength(1)
})
