import { deleteMyPing } from '@hither/contract/pings.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Listener, type Person } from '../../test/harness.ts'
import { race } from '../../test/race.ts'
import { type Db } from '../platform/database.ts'
import { type Cast, dayMs, heardBy, minuteMs, startCast } from './harness.ts'

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

const holdAnn = (db: Db) => db`select id from users where id = ${ann.id} for update`

/** Runs these one after another up to the lock on ann that each needs, and then lets them go. */
async function statusesOf(...calls: (() => Promise<{ status: number }>)[]) {
  return (await race(cast.server.db, holdAnn, ...calls)).map(({ status }) => status)
}

/** What bob has heard since the test began. */
async function heard() {
  const changes = await heardBy(cast.server, bob, listener)
  return changes.map(({ table, eventType }) => `${table} ${eventType}`)
}

const removeMine = () => cast.server.call(deleteMyPing, {}, ann)

describe('deleting twice at once', () => {
  it('deletes once, and tells of it once', async () => {
    const { id } = await cast.drop(ann)
    await cast.respond(id, 'accepted', bob)
    expect(
      await statusesOf(
        () => cast.remove(id, ann),
        () => cast.remove(id, ann),
      ),
    ).toEqual([204, 404])
    expect(await heard()).toEqual([
      'location_pins INSERT',
      'ping_responses INSERT',
      'ping_responses DELETE',
      'location_pins DELETE',
    ])
  })

  it('of the current one takes two where there are two, and one where there is one', async () => {
    await cast.drop(ann)
    await cast.drop(ann)
    expect(await statusesOf(removeMine, removeMine)).toEqual([204, 204])
    await cast.drop(ann)
    expect(await statusesOf(removeMine, removeMine)).toEqual([204, 404])
    expect((await heard()).filter((what) => what === 'location_pins DELETE')).toHaveLength(3)
  })
})

describe('an answer and the ping’s end at once', () => {
  it('answered first, is told and then goes with the ping', async () => {
    const { id } = await cast.drop(ann)
    expect(
      await statusesOf(
        () => cast.respond(id, 'accepted', bob),
        () => cast.remove(id, ann),
      ),
    ).toEqual([200, 204])
    expect(await heard()).toEqual([
      'location_pins INSERT',
      'ping_responses INSERT',
      'ping_responses DELETE',
      'location_pins DELETE',
    ])
  })

  it('taken back as the ping goes, goes once, whichever is first', async () => {
    for (const isBackFirst of [true, false]) {
      const { id } = await cast.drop(ann)
      await cast.respond(id, 'accepted', bob)
      const calls = [() => cast.takeBack(id, bob), () => cast.remove(id, ann)]
      expect(await statusesOf(...(isBackFirst ? calls : calls.reverse()))).toEqual([204, 204])
    }
    expect((await heard()).filter((what) => what === 'ping_responses DELETE')).toHaveLength(2)
  })

  it('taken back as the friendship ends, goes once, whichever is first', async () => {
    for (const isBackFirst of [true, false]) {
      const { id } = await cast.drop(ann)
      await cast.respond(id, 'accepted', bob)
      const calls = [() => cast.takeBack(id, bob), () => cast.unfriend(ann, bob)]
      await race<unknown>(cast.server.db, holdAnn, ...(isBackFirst ? calls : calls.reverse()))
      await cast.server.befriend(ann, bob)
      expect((await cast.answers(id, ann)).body).toEqual([])
      await cast.remove(id, ann)
    }
    expect((await heard()).filter((what) => what === 'ping_responses DELETE')).toHaveLength(2)
  })
})

it('a ping opened while it is being deleted is shown or gone, and never a failure', async () => {
  const { id } = await cast.drop(ann)
  const [removed, opened] = await race<{ status: number }>(
    cast.server.db,
    (db) => db`select 1 from ping_recipients where ping_id = ${id} and recipient_id = ${bob.id} for update`,
    () => cast.remove(id, ann),
    () => cast.read(id, bob),
  )
  expect(removed?.status).toBe(204)
  expect([200, 404]).toContain(opened?.status)
})

it('a friendship that begins while a ping for all friends is being dropped shows it to the new friend once or not at all', async () => {
  await cast.unfriend(ann, bob)
  const [, before] = await race<unknown>(
    cast.server.db,
    holdAnn,
    () => cast.server.befriend(ann, bob),
    () => cast.create(ann),
  )
  const shown = (before as Awaited<ReturnType<Cast['create']>>).body.recipients.some(
    ({ recipient_id }) => recipient_id === bob.id,
  )
  expect((await heard()).filter((what) => what === 'location_pins INSERT')).toHaveLength(shown ? 1 : 0)
  expect((await cast.list(bob)).body).toHaveLength(shown ? 1 : 0)
})

it('a ping deleted as its end is told of goes for good, whichever is first', async () => {
  for (const isToldFirst of [true, false]) {
    const { id } = await cast.drop(ann, { duration_minutes: 15 })
    cast.server.clock.advance(15 * minuteMs)
    const calls: (() => Promise<unknown>)[] = [() => cast.server.app.pingJobs.runDue(), () => cast.remove(id, ann)]
    await race(cast.server.db, holdAnn, ...(isToldFirst ? calls : calls.reverse()))
    expect((await cast.read(id, bob)).status).toBe(404)
  }
  const [first, told, gone, second, goneToo] = await heard()
  expect([first, told, gone]).toEqual(['location_pins INSERT', 'location_pins UPDATE', 'location_pins DELETE'])
  expect([second, goneToo]).toEqual(['location_pins INSERT', 'location_pins DELETE'])
  expect(await heard()).toHaveLength(5)
})

describe('a change and the telling of the ping’s end at once', () => {
  const [more, end] = [{ extend_minutes: 15 }, { end: true }] as const

  it.each([more, end])('%j that waits for the telling comes too late, and the end is told once', async (change) => {
    const { id } = await cast.drop(ann)
    cast.server.clock.advance(30 * minuteMs)
    const [, answer] = await race<unknown>(
      cast.server.db,
      holdAnn,
      () => cast.server.app.pingJobs.runDue(),
      () => cast.change(id, change, ann),
    )
    expect(answer).toMatchObject({ status: 409 })
    expect(await heard()).toEqual(['location_pins INSERT', 'location_pins UPDATE'])
  })

  it('that began in time and waited past the end is too late', async () => {
    const { id } = await cast.drop(ann)
    let answer: Promise<{ status: number }> | undefined
    await race<unknown>(
      cast.server.db,
      async (db) => {
        await holdAnn(db)
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
    expect(await heard()).toEqual(['location_pins INSERT', 'location_pins UPDATE'])
  })

  it('two extensions of which one has room are one', async () => {
    const { id } = await cast.drop(ann, { duration_minutes: 120 })
    await cast.change(id, { extend_minutes: 60 }, ann)
    const extend = () => cast.change(id, { extend_minutes: 60 }, ann)
    expect(await statusesOf(extend, extend)).toEqual([200, 409])
  })

  it('two endings are one, and told once', async () => {
    const { id } = await cast.drop(ann)
    const finish = () => cast.change(id, end, ann)
    expect(await statusesOf(finish, finish)).toEqual([200, 409])
    expect(await heard()).toEqual(['location_pins INSERT', 'location_pins UPDATE'])
  })
})

it('an answer taken back as the ping is erased is no failure, and the ping is erased', async () => {
  const { id } = await cast.drop(ann, { duration_minutes: 15 })
  await cast.respond(id, 'accepted', bob)
  cast.server.clock.advance(15 * minuteMs)
  await cast.server.app.pingJobs.runDue()
  cast.server.clock.advance(31 * dayMs)
  const [, back] = await race<unknown>(
    cast.server.db,
    (db) => db`select 1 from ping_recipients where ping_id = ${id} and recipient_id = ${bob.id} for update`,
    () => cast.server.app.pingJobs.runDue(),
    () => cast.takeBack(id, bob),
  )
  expect(back).toMatchObject({ status: 204 })
  expect((await cast.read(id, ann)).status).toBe(404)
  expect((await heard()).filter((what) => what === 'ping_responses DELETE')).toHaveLength(1)
})
