import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Person } from '../../test/harness.ts'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { createLog } from '../ops/log.ts'
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

afterEach(() => cast.clear())

const end = () => cast.server.app.tripJobs.runDue()

it('ends a trip 30 minutes after its arrival time, and no earlier', async () => {
  const { id } = await cast.dropFor([bob, cat])
  const { arrives_at } = await cast.go(id, bob)
  cast.server.clock.advance(Date.parse(arrives_at) + 30 * minuteMs - cast.server.clock.now().getTime() - 1)
  expect(await cast.watch([ann, cat], end)).toEqual([[], []])
  cast.server.clock.advance(1)
  const once = ['ping_trips DELETE bob']
  expect(await cast.watch([ann, bob, cat], end)).toEqual([once, once, once])
  expect(await cast.watch([ann], end)).toEqual([[]])
  expect(await cast.rows()).toEqual([])
})

it('does not end the trip of a person who has arrived', async () => {
  const { id } = await cast.dropFor([bob])
  await cast.arrive(id, bob)
  cast.server.clock.advance(60 * minuteMs)
  expect(await cast.watch([ann], end)).toEqual([[]])
  expect(await cast.rows()).toHaveLength(1)
})

it('ends each of many trips once, on two nodes at the same time', async () => {
  const config = { ...readConfig({ RATE_LIMITS: 'off' }), port: 0 }
  const authSecret = 'a secret for tests, long enough to sign'
  const log = createLog('silent')
  const other = await createApp({ config, pool: cast.server.db, authSecret, log, now: cast.server.clock.now })
  try {
    for (let count = 0; count < 5; count++) {
      const { id } = await cast.dropFor([bob, cat])
      await cast.go(id, bob, 1)
      await cast.go(id, cat, 1)
    }
    cast.server.clock.advance(35 * minuteMs)
    const [anns] = await cast.watch([ann], async () => {
      await Promise.all([end(), other.tripJobs.runDue(), end(), other.tripJobs.runDue()])
      await cast.server.app.catchUp()
    })
    expect(anns?.toSorted()).toEqual([
      ...Array(5).fill('ping_trips DELETE bob'),
      ...Array(5).fill('ping_trips DELETE cat'),
    ])
    expect(await cast.rows()).toEqual([])
  } finally {
    await other.stop()
  }
})
