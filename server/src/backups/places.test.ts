import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createPing } from '@hither/contract/pings.ts'
import { areaOf } from '@hither/contract/runtime/areas.ts'
import { expect, it } from 'vitest'
import { startServer } from '../../test/harness.ts'
import { storages } from '../../test/storages.ts'
import type { Pool } from '../platform/db/database.ts'
import { takeBackup } from './backups.service.ts'
import { depsOn, openMachine } from './harness.ts'
import { restoreBackup } from './restore.service.ts'
import { createTombstoneCopy } from './tombstones.service.ts'

const hourMs = 3_600_000
const exact = { latitude: 45.52317, longitude: -122.67648, address: '2 Hudson Street' }
const { latitude, longitude } = areaOf(exact.latitude, exact.longitude, 1)
const area = { latitude, longitude, address: null }

async function placesIn(pool: Pool) {
  return pool<{ name: string; latitude: number; longitude: number; address: string | null }[]>`
    select name, latitude, longitude, address from location_pins order by name`
}

it('a restore brings back no place that was erased after the backup or is due, and no ping that was ended after it', async () => {
  const kind = storages[0]
  if (!kind) throw new Error('No storage')
  const storage = await kind.open()
  const server = await startServer(storage.environment)
  // Elsewhere, with nothing but the archive and the list of erasures next to it.
  const other = await openMachine(kind)
  try {
    const deps = depsOn(server.db, storage.environment)
    const ann = await server.signUp('ann')
    const drop = async (name: string, activates_at: string | null = null) => {
      const body = { name, ...exact, is_public: true, recipient_ids: [], activates_at }
      expect((await server.call(createPing, { body }, ann)).status).toBe(201)
    }
    /** Moves these pings, so that they ended this long ago. */
    const setEnded = (names: string[], hours: number) => server.db`
      update location_pins set created_at = now() - interval '3 days', expires_at = now() - make_interval(hours => ${hours})
      where name = any(${names}::text[])`
    await drop('Ended')
    await drop('Live')
    await drop('Scheduled', new Date(Date.now() + 48 * hourMs).toISOString())
    await setEnded(['Ended'], 1)
    const archive = await takeBackup(deps, 'manual')

    await setEnded(['Ended', 'Live'], 25)
    await server.app.pingJobs.runDue()
    expect(await placesIn(server.db)).toEqual([
      { name: 'Ended', ...area },
      { name: 'Live', ...area },
      { name: 'Scheduled', ...exact },
    ])
    const folder = join(other.deps.settings.folder, 'elsewhere')
    await mkdir(folder)
    await createTombstoneCopy(folder, () => new Date()).update(server.db)
    const path = join(folder, 'archive.tar.gz')
    await copyFile(archive.path, path)
    await restoreBackup(other.deps, { path, force: false })
    expect(await placesIn(other.deps.pool)).toEqual([
      { name: 'Ended', ...area },
      { name: 'Scheduled', ...exact },
    ])

    // Without the list, a place goes that is due by now.
    await other.deps.pool`delete from tombstones`
    await server.db`delete from tombstones`
    await server.db`update location_pins set place_erased_at = null, latitude = ${exact.latitude},
      longitude = ${exact.longitude}, address = ${exact.address}`
    const due = await takeBackup(deps, 'manual')
    const alone = join(folder, 'alone')
    await mkdir(alone)
    await copyFile(due.path, join(alone, 'archive.tar.gz'))
    await restoreBackup(other.deps, { path: join(alone, 'archive.tar.gz'), force: true })
    expect(await placesIn(other.deps.pool)).toEqual([
      { name: 'Ended', ...area },
      { name: 'Live', ...area },
      { name: 'Scheduled', ...exact },
    ])
  } finally {
    await server.close()
    await other.close()
    await storage.close()
  }
})
