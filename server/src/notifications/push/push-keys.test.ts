import { beforeAll, expect, it } from 'vitest'
import { openNode } from '../../../test/changes.ts'
import { openTestPool } from '../../../test/harness.ts'
import { createLocalBus } from '../../events/bus.ts'
import type { Changes } from '../../events/changes.ts'
import type { Pool } from '../../platform/db/database.ts'
import { loadOrCreatePushKeys } from './push-keys.ts'

let pool: Pool
let changes: Changes

beforeAll(async () => {
  const opened = await openTestPool()
  pool = opened.db
  const bus = createLocalBus(() => undefined)
  const node = await openNode(pool, bus)
  changes = node.changesAt(() => new Date())
  return async () => {
    await node.outbox.stop()
    await opened.close()
  }
})

const secret = 'a secret for tests, long enough to sign'
const keys = (authSecret = secret) => loadOrCreatePushKeys({ pool, changes }, authSecret)

it('two nodes that start concurrently use one key pair, and so does each later start', async () => {
  const [one, other] = await Promise.all([keys(), keys()])
  expect(other).toEqual(one)
  expect(await keys()).toEqual(one)
})

it('a key pair that cannot be decrypted with another secret is replaced', async () => {
  const before = await keys()
  const after = await keys('another secret for tests, as long as that')
  expect(after.publicKey).not.toBe(before.publicKey)
  expect(await keys('another secret for tests, as long as that')).toEqual(after)
})
