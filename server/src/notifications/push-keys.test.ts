import { beforeAll, expect, it } from 'vitest'
import { openNode } from '../../test/changes.ts'
import { openTestPool } from '../../test/harness.ts'
import { createLocalBus } from '../platform/bus.ts'
import { type Changes } from '../platform/changes.ts'
import { type Pool } from '../platform/database.ts'
import { keptPushKeys } from './push-keys.ts'

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
const keys = (authSecret = secret) => keptPushKeys({ pool, changes }, authSecret)

it('two nodes that start at once find one pair, and so does each later start', async () => {
  const [one, other] = await Promise.all([keys(), keys()])
  expect(other).toEqual(one)
  expect(await keys()).toEqual(one)
})

it('with another secret the pair cannot be read, and another one takes its place', async () => {
  const before = await keys()
  const after = await keys('another secret for tests, as long as that')
  expect(after.publicKey).not.toBe(before.publicKey)
  expect(await keys('another secret for tests, as long as that')).toEqual(after)
})
