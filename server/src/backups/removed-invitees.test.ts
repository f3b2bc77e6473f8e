import { join } from 'node:path'
import { createPing, removeInvitee, respondToPing } from '@hither/contract/pings.ts'
import { expect, it } from 'vitest'
import { startServer } from '../../test/harness.ts'
import { storages } from '../../test/storages.ts'
import { takeBackup } from './backups.service.ts'
import { depsOn, openMachine } from './harness.ts'
import { restoreBackup } from './restore.service.ts'
import { createTombstoneCopy } from './tombstones.service.ts'

it('a restore brings back neither the invitation nor the response of a person who was removed after the backup', async () => {
  const kind = storages[0]
  if (!kind) throw new Error('No storage')
  const storage = await kind.open()
  const server = await startServer(storage.environment)
  const other = await openMachine(kind, join(storage.environment.DATA_DIR, 'backups'))
  try {
    const deps = depsOn(server.db, storage.environment)
    const [ann, bob, cat] = [await server.signUp('ann'), await server.signUp('bob'), await server.signUp('cat')]
    for (const friend of [bob, cat]) await server.befriend(ann, friend)
    const body = { name: 'Coffee', latitude: 45.5, longitude: -122.6 }
    const { id } = (await server.call(createPing, { body }, ann)).body
    for (const friend of [bob, cat])
      await server.call(respondToPing, { body: { ping_id: id, response_type: 'accepted' } }, friend)
    const archive = await takeBackup(deps, 'manual')
    await server.call(removeInvitee, { params: { id, userId: bob.id } }, ann)
    await createTombstoneCopy(join(storage.environment.DATA_DIR, 'backups'), () => new Date()).update(server.db)
    await restoreBackup(other.deps, { path: archive.path, force: false })
    expect(await other.deps.pool`select recipient_id from ping_recipients`).toEqual([{ recipient_id: cat.id }])
    expect(await other.deps.pool`select user_id from ping_responses`).toEqual([{ user_id: cat.id }])
  } finally {
    await other.close()
    await server.close()
    await storage.close()
  }
})
