import { join } from 'node:path'
import { changePassword, login } from '@hither/contract/auth/auth.ts'
import { blockUser, unblockUser } from '@hither/contract/friends.ts'
import { createPing, deletePing } from '@hither/contract/pings.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { password, startServer, type TestServer } from '../../test/harness.ts'
import { openFolder, type TestStorage } from '../../test/storages.ts'
import { isPassword } from '../auth/password-hashing/passwords.ts'
import { takeBackup } from './backups.service.ts'
import { depsOn, type Machine, openMachine } from './harness.ts'
import { restoreBackup } from './restore.service.ts'
import { createTombstoneCopy, readTombstones } from './tombstones.service.ts'

let storage: TestStorage
let server: TestServer
let other: Machine
let folder: string

beforeEach(async () => {
  storage = await openFolder()
  folder = join(storage.environment['DATA_DIR'] ?? '', 'backups')
  server = await startServer({ ...storage.environment, BACKUPS_ENABLED: 'on' })
  other = await openMachine(undefined, folder)
})
afterEach(async () => {
  await other.close()
  await storage.close()
})

const backUp = () => takeBackup(depsOn(server.db, storage.environment), 'manual')
const copyErasures = () => createTombstoneCopy(folder, () => new Date()).update(server.db)

it('a restore makes the blocks again that were made after the backup, and lifts those that were lifted', async () => {
  const [ann, bob, cat, dan] = await Promise.all(['ann', 'bob', 'cat', 'dan'].map((name) => server.signUp(name)))
  if (!ann || !bob || !cat || !dan) throw new Error('Nobody')
  for (const friend of [bob, cat, dan]) await server.befriend(ann, friend)
  const block = (username: string, as = ann) => server.call(blockUser, { params: { username } }, as)
  const unblock = (username: string) => server.call(unblockUser, { params: { username } }, ann)
  await block('cat')
  const earlier = await backUp()
  await block('bob')
  await block('ann', dan)
  await unblock('cat')
  // A list that does not know yet of the last change, which the next archive knows.
  await copyErasures()
  await unblock('bob')
  const latest = await backUp()

  await restoreBackup(other.deps, { path: latest.path, force: false })
  const blocks = () => other.deps.pool`
    select a.username as by, b.username as of from blocks
    join users a on a.id = blocker_id join users b on b.id = blocked_id order by 1, 2`
  expect(await blocks()).toEqual([{ by: 'dan', of: 'ann' }])

  await block('bob')
  await copyErasures()
  await restoreBackup(other.deps, { path: earlier.path, force: true })
  expect(await blocks()).toEqual([
    { by: 'ann', of: 'bob' },
    { by: 'dan', of: 'ann' },
  ])
  expect(await other.deps.pool`select 1 from friendships`).toHaveLength(0)
  await server.close()
})

it('a restore accepts no password that was replaced after the backup', async () => {
  const [ann, bob] = [await server.signUp('ann'), await server.signUp('bob')]
  const archive = await backUp()
  const body = { current_password: password, new_password: 'another horse battery' }
  expect((await server.call(changePassword, { body }, ann)).status).toBe(204)
  await copyErasures()
  const restored = await restoreBackup(other.deps, { path: archive.path, force: false })
  expect(restored.passwords).toBe(1)
  const hashOf = async (id: string) => {
    const [row] = await other.deps.pool<
      { hash: string | null }[]
    >`select password_hash as hash from users where id = ${id}`
    return row?.hash ?? undefined
  }
  expect(await hashOf(ann.id)).toBeUndefined()
  expect(await isPassword(password, await hashOf(bob.id))).toBe(true)
  expect((await server.call(login, { body: { email: bob.email, password } })).status).toBe(200)
  await server.close()
})

it('a stop copies the erasures of the last requests next to the archives', async () => {
  const ann = await server.signUp('ann')
  server.app.start()
  await server.app.backupJobs.runDue()
  const place = { name: 'Coffee', latitude: 45.5, longitude: -122.6, is_public: true }
  const { id } = (await server.call(createPing, { body: { ...place, recipient_ids: [] } }, ann)).body
  expect((await server.call(deletePing, { params: { id } }, ann)).status).toBe(204)
  await server.close()
  expect((await readTombstones(folder))?.map(({ kind }) => kind)).toContain('location_pins')
})
