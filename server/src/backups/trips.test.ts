import { join } from 'node:path'
import { createPing, respondToPing } from '@hither/contract/pings.ts'
import { shareTrip, stopTrip } from '@hither/contract/trips.ts'
import { expect, it } from 'vitest'
import { startServer } from '../../test/harness.ts'
import { storages } from '../../test/storages.ts'
import { takeBackup } from './backups.service.ts'
import { depsOn, openMachine } from './harness.ts'
import { restoreBackup } from './restore.service.ts'

it('a backup that was made during a trip contains no trip', async () => {
  const kind = storages[0]
  if (!kind) throw new Error('No storage')
  const storage = await kind.open()
  const server = await startServer(storage.environment)
  const other = await openMachine(kind, join(storage.environment.DATA_DIR, 'backups'))
  try {
    const deps = depsOn(server.db, storage.environment)
    const [ann, bob] = [await server.signUp('ann'), await server.signUp('bob')]
    await server.befriend(ann, bob)
    const body = { name: 'Coffee', latitude: 45.5, longitude: -122.6 }
    const { id } = (await server.call(createPing, { body }, ann)).body
    await server.call(respondToPing, { body: { ping_id: id, response_type: 'accepted' } }, bob)
    await server.call(shareTrip, { params: { id }, body: { eta_minutes: 10 } }, bob)
    expect(await server.db`select state from ping_trips`).toHaveLength(1)
    const archive = await takeBackup(deps, 'manual')
    await restoreBackup(other.deps, { path: archive.path, force: false })
    expect(await other.deps.pool`select response_type from ping_responses`).toEqual([{ response_type: 'accepted' }])
    expect(await other.deps.pool`select state from ping_trips`).toEqual([])

    await server.call(stopTrip, { params: { id } }, bob)
    expect(await server.db`select state from ping_trips`).toEqual([])
    expect(await server.db`select kind from tombstones where kind like '%trip%'`).toEqual([])
  } finally {
    await other.close()
    await server.close()
    await storage.close()
  }
})
