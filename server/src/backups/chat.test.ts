import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startServer } from '../../test/harness.ts'
import { storages } from '../../test/storages.ts'
import { actionsOn } from '../messages/harness.ts'
import { takeBackup } from './backups.service.ts'
import { contentOf, depsOn, openMachine, uploadPicture } from './harness.ts'
import { restoreBackup } from './restore.service.ts'
import { createTombstoneCopy } from './tombstones.service.ts'

it('a backup restores replies, reactions, photos and places, but nothing that was deleted since', async () => {
  const kind = storages[0]
  if (!kind) throw new Error('No storage')
  const storage = await kind.open()
  const folder = join(storage.environment.DATA_DIR, 'backups')
  const server = await startServer(storage.environment)
  const other = await openMachine(kind)
  try {
    const deps = depsOn(server.db, storage.environment)
    const cast = actionsOn(server)
    const [ann, bob] = [await server.signUp('ann'), await server.signUp('bob')]
    await server.befriend(ann, bob)
    const { id } = await cast.make(ann, [bob])
    const original = await cast.say(id, ann, 'See you at 8')
    await cast.post(id, bob, { content: 'Yes!', reply_to_id: original.id })
    await cast.post(id, ann, { place: { latitude: 45.5, longitude: -122.6, name: 'Nero' } })
    await cast.react(original.id, bob)
    await cast.pin(id, ann)
    await uploadPicture(server, `/api/messages/conversations/${id}/photos`, ann)
    const [photo] = await server.db<{ id: never }[]>`select id from images`
    const sent = await cast.post(id, ann, { photo_id: photo?.id as never, content: 'Sunset' })
    // Moves the quoted message behind its reply, in the table and in the archive.
    await cast.edit(original.id, ann, 'See you at 9')
    const before = await contentOf(server.db)
    const { path } = await takeBackup(deps, 'manual')
    await cast.edit(original.id, ann, 'See you at 10')

    await restoreBackup(other.deps, { path, force: false })
    const after = await contentOf(other.deps.pool)
    for (const table of ['messages', 'message_reactions', 'chat_members', 'images'])
      expect(after[table]).toEqual(before[table])
    expect(await other.storage.listFiles()).toHaveLength(2)

    await cast.erase(sent.body.message.id, ann)
    await cast.erase(original.id, ann)
    await createTombstoneCopy(folder, () => new Date()).update(server.db)
    await restoreBackup(other.deps, { path, force: true })
    const db = other.deps.pool
    expect(await db`select content, attachment from messages where deleted_at is null order by seq`).toEqual([
      { content: 'Yes!', attachment: null },
      { content: '', attachment: 'place' },
    ])
    for (const table of ['message_reactions', 'images']) expect(await db`select 1 from ${db(table)}`).toEqual([])
    // The next start deletes the files of the photo.
    const erasures = await db<{ storage_key: string }[]>`select storage_key from erasures`
    const files = await other.storage.listFiles()
    expect(erasures.map(({ storage_key }) => storage_key).sort()).toEqual(files.sort())
    expect(JSON.stringify(await contentOf(db))).not.toMatch(/Sunset|See you/)
  } finally {
    await other.close()
    await server.close()
    await storage.close()
  }
})
