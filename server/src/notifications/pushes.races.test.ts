import { randomUUID } from 'node:crypto'
import { unsubscribeFromPush } from '@hither/contract/notifications.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { race } from '../../test/race.ts'
import { type Db } from '../platform/database.ts'
import { type Cast, secondMs, startCast } from './harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

beforeEach(() => cast.reset())

afterAll(() => cast.close())

describe('a device that signs out at the moment at which something is to be told to it', () => {
  it('is told nothing, and whoever wrote it is not disturbed', async () => {
    const { ann, bob, server } = cast
    const { id } = await cast.make(ann, [bob])
    const holdDevice = (db: Db) => db`select 1 from push_subscriptions where user_id = ${bob.id} for update`
    const [gone, sent] = await race<{ status: number }>(
      server.db,
      holdDevice,
      () => server.call(unsubscribeFromPush, {}, bob),
      () => cast.send(id, ann, 'Hello', randomUUID()),
    )
    expect([gone?.status, sent?.status]).toEqual([204, 201])
    expect(await cast.told()).toEqual([])
  })
})

describe('a message that comes while another node notes that the one before it has gone', () => {
  it('is told too', async () => {
    const { ann, bob, server } = cast
    const { id } = await cast.make(ann, [bob])
    await cast.say(id, ann, 'One')
    server.clock.advance(3 * secondMs)
    const held = Promise.withResolvers<void>()
    cast.service.answer = { status: 201, hold: held.promise }
    const sent = server.app.pushJobs.runDue()
    await expect.poll(() => cast.service.attempts).toBe(1)
    const before = cast.service.received.length
    // Both want the row: the later message first, then the note.
    await race<unknown>(
      server.db,
      (db) => db`select 1 from push_deliveries for update`,
      () => cast.say(id, ann, 'Two'),
      async () => {
        held.resolve()
        await sent
      },
    )
    await cast.arrivals()
    expect(cast.service.received.slice(before).map(({ payload }) => payload.body)).toEqual(['One', 'Two'])
    expect(await cast.waiting()).toEqual([])
  })
})
