import { logout } from '@hither/contract/auth/auth.ts'
import type { PingId } from '@hither/contract/ids.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../test/harness.ts'
import { race } from '../../test/race.ts'
import { minuteMs } from '../pings/harness.ts'
import type { Tx } from '../platform/db/database.ts'
import { type Cast, startCast } from './harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let id: PingId

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob } = cast)
})

afterAll(() => cast.server.close())

afterEach(() => cast.clear())

const lockInvitation = (tx: Tx) => tx`
  select 1 from ping_recipients where ping_id = ${id} and recipient_id = ${bob.id} for update`
const lockTrip = (tx: Tx) => tx`select 1 from ping_trips where ping_id = ${id} for update`
const lockAnn = (tx: Tx) => tx`select id from users where id = ${ann.id} for update`

type Call = () => Promise<{ status: number }>

const statusesOf = async (lock: (tx: Tx) => Promise<unknown>, ...calls: Call[]) =>
  (await race(cast.server.db, lock, ...calls)).map(({ status }) => status)

describe('an automatic update and a stop on another device', () => {
  it('leave no trip if the update is first', async () => {
    ;({ id } = await cast.dropFor([bob]))
    const { started_at } = await cast.go(id, bob)
    const [bobs] = await cast.watch([bob], async () => {
      expect(
        await statusesOf(
          lockTrip,
          () => cast.share(id, 20, bob, started_at),
          () => cast.stop(id, bob),
        ),
      ).toEqual([200, 204])
    })
    expect(bobs).toEqual(['ping_trips UPDATE bob', 'ping_trips DELETE bob'])
    expect(await cast.rows()).toEqual([])
  })

  it('leave no trip if the stop is first', async () => {
    ;({ id } = await cast.dropFor([bob]))
    const { started_at } = await cast.go(id, bob)
    const [bobs] = await cast.watch([bob], async () => {
      expect(
        await statusesOf(
          lockTrip,
          () => cast.stop(id, bob),
          () => cast.share(id, 20, bob, started_at),
        ),
      ).toEqual([204, 409])
    })
    expect(bobs).toEqual(['ping_trips DELETE bob'])
    expect(await cast.rows()).toEqual([])
  })
})

describe('ten starts at once', () => {
  it.each([
    ['of two devices are one trip', () => bob],
    ['by the owner are one trip', () => ann],
  ])('%s, with one INSERT, and the last change is what reads return', async (_name, who) => {
    ;({ id } = await cast.dropFor([bob]))
    const person = who()
    const other = await cast.server.signIn(person)
    const listener = await cast.server.listen(ann, ['ping_trips'])
    const calls = Array.from({ length: 5 }, (_, n) => () => cast.share(id, 10 + n, n % 2 === 0 ? person : other))
    expect(await statusesOf(lockAnn, ...calls)).toEqual(Array(5).fill(200))
    // More than the connections of the pool cannot wait for the lock.
    await Promise.all(calls.map((call) => call()))
    await listener.until(() => listener.received.length === 10)
    expect(listener.received.map(({ eventType }) => eventType)).toEqual(['INSERT', ...Array(9).fill('UPDATE')])
    const shown = (await cast.list(ann)).body.find((ping) => ping.id === id)?.trips
    expect(shown).toEqual([listener.received.at(-1)?.new])
    expect(await cast.rows()).toHaveLength(1)
    await listener.close()
  })
})

describe('a start while the answer becomes Maybe', () => {
  it('is refused if the answer is first', async () => {
    ;({ id } = await cast.dropFor([bob]))
    const statuses = await statusesOf(
      lockInvitation,
      () => cast.respond(id, 'tentative', bob),
      () => cast.share(id, 10, bob),
    )
    expect(statuses).toEqual([200, 403])
    expect(await cast.rows()).toEqual([])
  })

  it('is a trip that ends if the start is first', async () => {
    ;({ id } = await cast.dropFor([bob]))
    const [anns] = await cast.watch([ann], async () => {
      const statuses = await statusesOf(
        lockInvitation,
        () => cast.share(id, 10, bob),
        () => cast.respond(id, 'tentative', bob),
      )
      expect(statuses).toEqual([200, 200])
    })
    expect(anns).toEqual(['ping_trips INSERT bob', 'ping_trips DELETE bob', 'ping_responses UPDATE bob'])
    expect(await cast.rows()).toEqual([])
  })
})

describe('a stop while another person begins to go', () => {
  const lockPing = (tx: Tx) => tx`select 1 from location_pins where id = ${id} for update`
  const answer = () => cast.respond(id, 'accepted', cast.cat)
  const stop = () => cast.stop(id, bob)

  it.each([
    ['shows that person the trip and its end if the answer is first', answer, stop, ['INSERT', 'DELETE']],
    ['shows that person no trip if the stop is first', stop, answer, []],
  ])('%s', async (_name, first, second, changes) => {
    ;({ id } = await cast.dropFor([bob]))
    await cast.go(id, bob)
    const [cats] = await cast.watch([cast.cat], async () => {
      await statusesOf(lockPing, first, second)
    })
    expect(cats?.filter((change) => change.startsWith('ping_trips'))).toEqual(
      changes.map((change) => `ping_trips ${change} bob`),
    )
    expect(await cast.rows()).toEqual([])
  })
})

describe('a start while another person', () => {
  const lockSession = (tx: Tx) => tx`select 1 from sessions where user_id = ${bob.id} for update`

  it('is not going any more is shown to that person only until then', async () => {
    const { cat } = cast
    ;({ id } = await cast.dropFor([bob, cat], { exact_place_for: 'going' }))
    const [cats] = await cast.watch([cat], async () => {
      const statuses = await statusesOf(
        lockSession,
        () => cast.share(id, 10, bob),
        () => cast.respond(id, 'tentative', cat),
      )
      expect(statuses).toEqual([200, 200])
    })
    expect(cats?.filter((change) => change.startsWith('ping_trips'))).toEqual([
      'ping_trips INSERT bob',
      'ping_trips DELETE bob',
    ])
    expect(await cast.seenBy(id, cat)).toEqual([])
  })

  it('begins to go is shown to that person', async () => {
    const { cat } = cast
    ;({ id } = await cast.dropFor([bob]))
    const [cats] = await cast.watch([cat], async () => {
      await statusesOf(
        lockSession,
        () => cast.share(id, 10, bob),
        () => cast.respond(id, 'accepted', cat),
      )
    })
    expect(cats).toContain('ping_trips INSERT bob')
    expect(await cast.seenBy(id, cat)).toEqual(['bob'])
  })
})

describe('a start while its session ends', () => {
  const lockSession = (other: Person) => (tx: Tx) => tx`select 1 from sessions where user_id = ${other.id} for update`

  async function newFriend(name: string) {
    const person = await cast.server.signUp(name)
    await cast.server.befriend(ann, person)
    ;({ id } = await cast.dropFor([person]))
    return person
  }
  const signOut = (who: Person) => () => cast.server.call(logout, { body: { access_token: who.session.access_token } })

  it('is refused if the sign-out is first', async () => {
    const dan = await newFriend('dan')
    expect(await statusesOf(lockSession(dan), signOut(dan), () => cast.share(id, 10, dan))).toEqual([204, 401])
    expect(await cast.rows()).toEqual([])
  })

  it('is a trip that ends if the start is first', async () => {
    const fay = await newFriend('fay')
    const [anns] = await cast.watch([ann], async () => {
      expect(await statusesOf(lockSession(fay), () => cast.share(id, 10, fay), signOut(fay))).toEqual([200, 204])
    })
    expect(anns).toEqual(['ping_trips INSERT unknown', 'ping_trips DELETE unknown'])
    expect(await cast.rows()).toEqual([])
  })
})

it('an overdue trip that is started again while the job runs ends once', async () => {
  ;({ id } = await cast.dropFor([bob]))
  await cast.go(id, bob, 1)
  cast.server.clock.advance(32 * minuteMs)
  const [anns] = await cast.watch([ann], async () => {
    const end = async () => {
      await cast.server.app.tripJobs.runDue()
      return { status: 200 }
    }
    expect(await statusesOf(lockAnn, end, () => cast.share(id, 10, bob))).toEqual([200, 200])
  })
  expect(anns?.filter((change) => change === 'ping_trips DELETE bob')).toHaveLength(1)
  expect(anns?.at(-1)).toBe('ping_trips INSERT bob')
  expect(await cast.rows()).toHaveLength(1)
})
