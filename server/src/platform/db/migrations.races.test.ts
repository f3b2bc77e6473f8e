import { expect, it } from 'vitest'
import { openTestDatabase } from '../../../test/harness.ts'
import { race } from '../../../test/race.ts'
import { migrate } from './migrations.ts'

it('two nodes that start concurrently on an empty database both start, and each migration runs once', async () => {
  const { database, drop } = await openTestDatabase()
  const db = database.pool
  await race(
    db,
    (tx) => tx`select pg_advisory_xact_lock(4871330)`,
    () => migrate(db),
    () => migrate(db),
  )
  const rows = await db<{ name: string }[]>`select name from migrations`
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
  await database.close()
  await drop()
})
