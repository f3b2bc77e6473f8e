import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConversationId } from '@hither/contract/ids.ts'
import type { Conversation } from '@hither/contract/messages/messages.ts'
import type { Ping } from '@hither/contract/pings.ts'
import { expect, it } from 'vitest'
import { startServer } from '../../test/harness.ts'
import { storages } from '../../test/storages.ts'
import { actionsOn } from '../messages/harness.ts'
import type { Pool } from '../platform/db/database.ts'
import { takeBackup } from './backups.service.ts'
import { contentOf, depsOn, openMachine } from './harness.ts'
import { restoreBackup } from './restore.service.ts'
import { createTombstoneCopy } from './tombstones.service.ts'

const dayMs = 86_400_000

async function chatsIn(pool: Pool) {
  const rows = await pool<{ name: string; erase_at: string | null }[]>`select name, erase_at from chats order by name`
  return Object.fromEntries(rows.map(({ name, erase_at }) => [name, erase_at]))
}

it('a restore brings back no erased chat, and gives one a new date that may have been kept after the backup', async () => {
  const kind = storages[0]
  if (!kind) throw new Error('No storage')
  const storage = await kind.open()
  const server = await startServer(storage.environment)
  // Elsewhere, with nothing but the archive and the list of erasures next to it.
  const other = await openMachine(kind)
  try {
    const deps = depsOn(server.db, storage.environment)
    const cast = actionsOn(server)
    const [ann, bob, cat] = [await server.signUp('ann'), await server.signUp('bob'), await server.signUp('cat')]
    for (const friend of [bob, cat]) await server.befriend(ann, friend)
    const make = async (name: string, days = 0): Promise<{ ping: Ping; chat: Conversation }> => {
      const activates_at = days === 0 ? null : new Date(server.clock.now().getTime() + days * dayMs).toISOString()
      const ping = await cast.drop(ann, [bob, cat], { activates_at })
      const chat = await cast.make(ann, [bob, cat], { name, ping_id: ping.id, system_created: true })
      await cast.say(chat.id, ann, `Words of ${name}`)
      return { ping, chat }
    }
    /** The chats have no date in the future, as if a week had passed. */
    const setDue = (...ids: ConversationId[]) =>
      server.db`update chats set erase_at = now() - interval '1 hour' where id = any(${ids}::uuid[])`
    const [erased, kept, live, deleted] = [
      await make('Erased'),
      await make('Kept'),
      await make('Live', 2),
      await make('Deleted', 2),
    ]
    await cast.keep(erased.chat.id, bob)
    await cast.keep(live.chat.id, bob)
    await setDue(erased.chat.id, kept.chat.id)
    const archive = await takeBackup(deps, 'manual')

    await server.app.chatErasureJobs.runDue()
    await cast.removePing(deleted.ping, ann)
    const date = (await cast.open(deleted.chat.id, ann)).body.erase_at
    expect(Object.keys(await chatsIn(server.db))).toEqual(['Deleted', 'Live'])
    // Kept, as a tombstone of the test's own erasure would say otherwise.
    await server.db`delete from tombstones where id_hash = hash_of_id(${kept.chat.id}::text)`
    const folder = join(other.deps.settings.folder, 'elsewhere')
    await mkdir(folder)
    await createTombstoneCopy(folder, () => new Date()).update(server.db)
    const path = join(folder, 'archive.tar.gz')
    await copyFile(archive.path, path)

    const before = Date.now()
    await restoreBackup(other.deps, { path, force: false })
    const { pool } = other.deps
    const restored = await chatsIn(pool)
    expect(Object.keys(restored)).toEqual(['Deleted', 'Kept', 'Live'])
    expect(restored['Live']).toBe(live.chat.erase_at)
    const postponed = Date.parse(restored['Kept'] ?? '')
    expect(postponed).toBeGreaterThanOrEqual(before + 7 * dayMs)
    expect(postponed).toBeLessThanOrEqual(Date.now() + 7 * dayMs)
    // The ping was deleted after the backup, which moved the date of its chat.
    expect(Math.abs(Date.parse(restored['Deleted'] ?? '') - Date.parse(date ?? ''))).toBeLessThan(60_000)
    const content = JSON.stringify(await contentOf(pool))
    expect(content).not.toContain('Words of Erased')
    expect(content).toContain('Words of Kept')
    const requests = await pool<{ chat_id: ConversationId }[]>`select chat_id from chat_keep_requests`
    expect(requests).toEqual([{ chat_id: live.chat.id }])
    expect(await pool`select 1 from chats where ping_owner_id is distinct from ${ann.id}`).toEqual([])
  } finally {
    await server.close()
    await other.close()
    await storage.close()
  }
})
