import type { PingId, UserId } from '@hither/contract/ids.ts'
import { describe, expect, it } from 'vitest'
import { startServer } from '../../test/harness.ts'
import type { Announce } from '../events/changes.ts'
import { hideDirect } from '../messages/directs.service.ts'
import type { Tx } from '../platform/db/database.ts'
import { endTripsTo } from '../trips/audience/trip-endings.service.ts'
import { lockPingOwnerShared, lockUsers } from './user-locks.ts'

describe('the locks of users', () => {
  it('are needed by functions that would be wrong without them', () => {
    const calls = (tx: Tx, announce: Announce, a: UserId, b: UserId, ping: PingId) => [
      // @ts-expect-error The id of a ping says nothing about the lock of its owner.
      endTripsTo(tx, announce, [ping]),
      async () => endTripsTo(tx, announce, [await lockPingOwnerShared(tx, ping)]),
      // @ts-expect-error Two ids say nothing about locks.
      hideDirect(tx, announce, a, b),
      async () => {
        const users = await lockUsers(tx, [a, b])
        return hideDirect(tx, announce, users.get(a), users.get(b))
      },
    ]
    expect(calls).toBeTypeOf('function')
  })

  it('are of the users who exist, in any spelling of the id, and of nobody else', async () => {
    const server = await startServer()
    const [ann, bob] = [await server.signUp('ann'), await server.signUp('bob')]
    const unknown = '01900000-0000-7000-8000-000000000000' as UserId
    await server.db.begin(async (tx) => {
      const users = await lockUsers(tx, [ann.id.toUpperCase() as UserId, unknown])
      expect([ann.id, unknown, bob.id].map(users.has)).toEqual([true, false, false])
      expect(users.get(ann.id.toUpperCase() as UserId)).toBe(ann.id)
      expect(() => users.get(bob.id)).toThrow('not locked')
    })
    await server.close()
  })
})
