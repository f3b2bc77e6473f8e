import { randomUUID } from 'node:crypto'
import { unsubscribeFromPush } from '@hither/contract/notifications.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { race } from '../../../test/race.ts'
import type { Tx } from '../../platform/db/database.ts'
import { type Cast, secondMs, startCast } from '../harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

beforeEach(() => cast.reset())

afterAll(() => cast.close())

describe('a device that signs out while a push to it is inserted', () => {
  it('gets no push, and the transaction of the sender succeeds', async () => {
    const { ann, bob, server } = cast
    const { id } = await cast.make(ann, [bob])
    const lockDevice = (tx: Tx) => tx`select 1 from push_subscriptions where user_id = ${bob.id} for update`
    const [gone, sent] = await race<{ status: number }>(
      server.db,
      lockDevice,
      () => server.call(unsubscribeFromPush, {}, bob),
      () => cast.send(id, ann, 'Hello', randomUUID()),
    )
    expect([gone?.status, sent?.status]).toEqual([204, 201])
    expect(await cast.notified()).toEqual([])
  })
})

describe('a message that arrives while another node finishes the push of the previous one', () => {
  it('is pushed too', async () => {
    const { ann, bob, server } = cast
    const { id } = await cast.make(ann, [bob])
    await cast.say(id, ann, 'One')
    server.clock.advance(3 * secondMs)
    const delivery = Promise.withResolvers<void>()
    cast.service.answer = { status: 201, until: delivery.promise }
    const sent = server.app.pushJobs.runDue()
    await expect.poll(() => cast.service.attempts).toBe(1)
    const before = cast.service.received.length
    // Both need the row: the later message first, then the finished push.
    await race<unknown>(
      server.db,
      (tx) => tx`select 1 from push_deliveries for update`,
      () => cast.say(id, ann, 'Two'),
      async () => {
        delivery.resolve()
        await sent
      },
    )
    await cast.arrivals()
    expect(cast.service.received.slice(before).map(({ payload }) => payload.body)).toEqual(['One', 'Two'])
    expect(await cast.waiting()).toEqual([])
  })
})
