import { join } from 'node:path'
import { changeCircle, createCircle, deleteCircle } from '@hither/contract/circles.ts'
import { expect, it } from 'vitest'
import { startServer } from '../../test/harness.ts'
import { storages } from '../../test/storages.ts'
import { takeBackup } from './backups.service.ts'
import { depsOn, openMachine } from './harness.ts'
import { restoreBackup } from './restore.service.ts'
import { createTombstoneCopy } from './tombstones.service.ts'

it('a restore brings back neither a circle that was deleted after the backup nor a member who was removed', async () => {
  const kind = storages[0]
  if (!kind) throw new Error('No storage')
  const storage = await kind.open()
  const server = await startServer(storage.environment)
  const other = await openMachine(kind, join(storage.environment.DATA_DIR, 'backups'))
  try {
    const deps = depsOn(server.db, storage.environment)
    const [ann, bob, cat] = [await server.signUp('ann'), await server.signUp('bob'), await server.signUp('cat')]
    for (const friend of [bob, cat]) await server.befriend(ann, friend)
    const make = async (name: string, body = { name, member_ids: [bob.id, cat.id] }) =>
      (await server.call(createCircle, { body }, ann)).body.id
    const [gone, kept, again] = [await make('Gone'), await make('Kept'), await make('Again')]
    const put = (id: typeof gone, member_ids: (typeof bob.id)[]) =>
      server.call(changeCircle, { params: { id }, body: { member_ids } }, ann)
    // The member of the backup is another membership than the one that was removed before.
    await put(again, [cat.id])
    server.clock.advance(1000)
    await put(again, [bob.id, cat.id])
    const archive = await takeBackup(deps, 'manual')
    await server.call(deleteCircle, { params: { id: gone } }, ann)
    await put(kept, [cat.id])
    await createTombstoneCopy(join(storage.environment.DATA_DIR, 'backups'), () => new Date()).update(server.db)
    await restoreBackup(other.deps, { path: archive.path, force: false })
    const members = await other.deps.pool`
      select c.name, u.username from circles c
      join circle_members m on m.circle_id = c.id join users u on u.id = m.user_id order by c.name, u.username`
    expect(members.map(({ name, username }) => `${name} ${username}`)).toEqual(['Again bob', 'Again cat', 'Kept cat'])
    expect(await other.deps.pool`select name from circles order by name`).toEqual([{ name: 'Again' }, { name: 'Kept' }])
  } finally {
    await other.close()
    await server.close()
    await storage.close()
  }
})
