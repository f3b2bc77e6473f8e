import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase } from '../../test/harness.ts'
import { createLocalBus } from '../platform/bus.ts'
import { createChanges } from '../platform/changes.ts'
import { type Database } from '../platform/database.ts'
import { migrate } from '../platform/migrations.ts'
import { createLocalTurns } from '../platform/turns.ts'
import { keptPushKeys } from './push-keys.ts'

let database: Database
let drop: () => Promise<void>

beforeAll(async () => {
  ;({ database, drop } = await openTestDatabase())
  await migrate(database.pool)
})

afterAll(async () => {
  await database.close()
  await drop()
})

const changes = createChanges(
  createLocalBus(() => undefined),
  createLocalTurns(),
  () => new Date(),
)
const secret = 'a secret for tests, long enough to sign'
const keys = (authSecret = secret) => keptPushKeys({ pool: database.pool, changes }, authSecret)

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
