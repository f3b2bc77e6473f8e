import { chmod, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { removeFriend } from '@hither/contract/friends.ts'
import type { FriendshipId, PingId } from '@hither/contract/ids.ts'
import { createConversation, deleteMessage, sendMessage } from '@hither/contract/messages/messages.ts'
import { createPing, deletePing, respondToPing } from '@hither/contract/pings.ts'
import { deleteAccount } from '@hither/contract/users.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'
import { storages, type TestStorage } from '../../test/storages.ts'
import { makeLink } from '../friend-links/harness.ts'
import { type BackupDeps, takeBackup } from './backups.service.ts'
import { contentOf, depsOn, type Machine, openMachine, uploadPicture } from './harness.ts'
import { restoreBackup } from './restore.service.ts'
import { createTombstoneCopy } from './tombstones.service.ts'

/** The tables with data of sessions. They differ after a restore, because it ends all sessions. */
const perSession = ['sessions', 'refresh_tokens', 'push_subscriptions', 'push_deliveries', 'revoked_sessions']

let storage: TestStorage
let server: TestServer
let deps: BackupDeps
let folder: string
let other: Machine
let ann: Person
let bob: Person
let pingId: PingId

function setUp(kind: (typeof storages)[number]) {
  beforeEach(async () => {
    storage = await kind.open()
    folder = join(storage.environment.DATA_DIR, 'backups')
    server = await startServer(storage.environment)
    deps = depsOn(server.db, storage.environment)
    other = await openMachine(kind)
    ann = await server.signUp('ann')
    bob = await server.signUp('bob')
    await server.befriend(ann, bob)
    const { body: ping } = await server.call(
      createPing,
      {
        body: {
          name: 'Café "Zoë" 🏕\\',
          message: 'One\nTwo\tThree',
          latitude: 0.1 + 0.2,
          longitude: -1e-7,
          recipient_ids: [bob.id],
        },
      },
      ann,
    )
    pingId = ping.id
    await server.call(respondToPing, { body: { ping_id: pingId, response_type: 'accepted' } }, bob)
    await uploadPicture(server, '/api/files/profile-image', ann)
    await uploadPicture(server, `/api/files/pin-image/${pingId}`, ann)
    await server.db`insert into erasures (storage_key, due_at) values ('waiting.webp', 'infinity')`
    await server.db`insert into kept_keys (name, sealed) values ('test', '\\x00ff5c0a')`
  })

  afterEach(async () => {
    await server.close()
    await storage.close()
    await other.close()
  })
}

async function say(content: string) {
  const { body: chat } = await server.call(createConversation, { body: { participant_ids: [bob.id] } }, ann)
  const { body } = await server.call(sendMessage, { body: { conversation_id: chat.id, content } }, ann)
  return body.message
}

describe.each(storages)('a backup with pictures in $name', (kind) => {
  setUp(kind)

  it('restores every row of every table and every file on another machine', async () => {
    await say('Hello\u2028there')
    const before = await contentOf(server.db)
    const files = await storage.listFiles()
    expect(files).toHaveLength(4)
    const taken = await takeBackup(deps, 'manual')
    const restored = await restoreBackup(other.deps, { path: taken.path, force: false })
    expect(restored).toMatchObject({ files: 4, erased: 0, foreign: [] })
    const after = await contentOf(other.deps.pool)
    for (const table of perSession) {
      if (table !== 'revoked_sessions') expect(after[table]).toEqual([])
      delete before[table]
      delete after[table]
    }
    expect(after).toEqual(before)
    expect((await other.storage.listFiles()).sort()).toEqual(files.sort())
  })

  it('does not restore what was erased since, on the same machine or another', async () => {
    const kept = await say('This stays')
    const gone = await say('This was a mistake')
    const { body: second } = await server.call(
      createPing,
      { body: { name: 'Second', latitude: 1, longitude: 2, recipient_ids: [ann.id] } },
      bob,
    )
    const eve = await server.signUp('eve')
    await server.befriend(bob, eve)
    const [friendship] = await server.db<{ id: FriendshipId }[]>`
      select id from friendships where requester_id = ${bob.id} and requested_id = ${eve.id}`
    if (!friendship) throw new Error('No friendship')
    await uploadPicture(server, '/api/files/profile-image', eve)
    const { path } = await takeBackup(deps, 'manual')

    await server.call(deleteMessage, { params: { id: gone.id } }, ann)
    await server.call(deletePing, { params: { id: second.id } }, bob)
    await server.call(removeFriend, { params: { id: friendship.id } }, bob)
    const picture = await server.request('DELETE', '/api/files/profile-image', { as: eve })
    expect(picture.status).toBe(204)
    await server.call(deleteAccount, { body: { password } }, ann)
    await createTombstoneCopy(folder, () => new Date()).update(server.db)

    const restored = await restoreBackup(other.deps, { path, force: false })
    expect(restored.knewErased).toBe(true)
    expect(restored.erased).toBeGreaterThanOrEqual(5)
    const db = other.deps.pool
    expect(await db`select username, has_image from users order by username`).toEqual([
      { username: 'bob', has_image: false },
      { username: 'eve', has_image: false },
    ])
    expect(await db`select id, sender_id, content from messages where deleted_at is null`).toEqual([
      { id: kept.id, sender_id: null, content: 'This stays' },
    ])
    expect(await db`select deleted_count, last_seq from chats`).toEqual([{ deleted_count: 1, last_seq: 2 }])
    for (const table of ['location_pins', 'ping_recipients', 'ping_responses', 'friendships', 'images'])
      expect(await db`select * from ${db(table)}`, table).toHaveLength(0)
    // The restore does not write the erased files at all.
    expect(await other.storage.listFiles()).toEqual([])
    expect(JSON.stringify(await contentOf(db))).not.toContain('ann@example.org')
    expect(JSON.stringify(await contentOf(db))).not.toContain('a mistake')
  })

  it('changes nothing if the restore fails', async () => {
    const { path } = await takeBackup(deps, 'manual')
    await restoreBackup(other.deps, { path, force: false })
    const [there, files] = [await contentOf(other.deps.pool), await other.storage.listFiles()]
    await uploadPicture(server, '/api/files/profile-image', bob)
    const later = await takeBackup(deps, 'manual')
    let puts = 0
    const broken: BackupDeps = {
      ...other.deps,
      storage: {
        ...other.deps.storage,
        put: (...file) => (++puts > 1 ? Promise.reject(new Error('No space')) : other.deps.storage.put(...file)),
      },
    }
    await expect(restoreBackup(broken, { path: later.path, force: true })).rejects.toThrow('No space')
    expect(await contentOf(other.deps.pool)).toEqual(there)
    expect((await other.storage.listFiles()).sort()).toEqual(files.sort())
  })
})

describe.each(storages.slice(0, 1))('a backup', (kind) => {
  setUp(kind)

  it('is one file readable by its owner only, without other files in the folder', async () => {
    const { path } = await takeBackup(deps, 'nightly')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect(await readdir(folder)).toHaveLength(1)
  })

  it('ends all sessions when restored, also for access tokens that have not expired', async () => {
    const before = await server.db<{ id: string }[]>`select id from sessions order by id`
    const { path } = await takeBackup(deps, 'manual')
    await restoreBackup(other.deps, { path, force: false })
    expect(await other.deps.pool`select id from sessions`).toHaveLength(0)
    const revoked = await other.deps.pool`select session_id as id from revoked_sessions order by session_id`
    expect(revoked).toEqual(before)
  })

  it('revokes all friend links when restored, because some may have been revoked since', async () => {
    await makeLink(server, ann)
    const { path } = await takeBackup(deps, 'manual')
    await restoreBackup(other.deps, { path, force: false })
    const links = await other.deps.pool`select revoked_at is not null as is_revoked from friend_links`
    expect(links).toEqual([{ is_revoked: true }])
  })

  it('is not restored over accounts without force; with it, all other data and what was erased is removed', async () => {
    const { path } = await takeBackup(deps, 'manual')
    await restoreBackup(other.deps, { path, force: false })
    const there = await contentOf(other.deps.pool)
    await expect(restoreBackup(other.deps, { path, force: false })).rejects.toThrow(/accounts on this server.*--force/)
    expect(await contentOf(other.deps.pool)).toEqual(there)

    await other.deps.pool`delete from users where id = ${bob.id}`
    await other.deps.pool`
      insert into users (id, email, email_key, username, username_key, created_at, updated_at)
      values (gen_random_uuid(), 'new@example.org', 'new@example.org', 'new', 'new', now(), now())`
    await other.deps.pool`
      insert into images (id, user_id, storage_key, thumb_storage_key, hash, width, height, bytes, thumb_bytes, created_at)
      select gen_random_uuid(), id, 'new.webp', 'new-thumb.webp', 'h', 1, 1, 1, 1, now() from users where username = 'new'`
    await restoreBackup(other.deps, { path, force: true })
    const erasures = await other.deps.pool<{ storage_key: string }[]>`select storage_key from erasures`
    expect(erasures.map(({ storage_key }) => storage_key)).toEqual(
      expect.arrayContaining(['new.webp', 'new-thumb.webp']),
    )
    expect(await other.deps.pool`select username from users`).toEqual([{ username: 'ann' }])
  })

  it('is refused if a single bit has changed, before anything is modified', async () => {
    const { path } = await takeBackup(deps, 'manual')
    const bytes = await readFile(path)
    const positions = [12, Math.floor(bytes.length / 3), Math.floor(bytes.length / 2), bytes.length - 6]
    for (const position of positions) {
      const flipped = Buffer.from(bytes)
      flipped[position] = (flipped[position] ?? 0) ^ 1
      const copy = join(folder, 'flipped.tar.gz')
      await writeFile(copy, flipped)
      await expect(restoreBackup(other.deps, { path: copy, force: true }), `at ${position}`).rejects.toThrow(
        /is damaged or not complete\. Nothing was changed\./,
      )
    }
    // Packed again, so that only the checksums of the archive detect the change.
    const unpacked = gunzipSync(bytes)
    const at = unpacked.indexOf('ann@example.org')
    unpacked[at] = (unpacked[at] ?? 0) ^ 1
    const forged = { path: join(folder, 'forged.tar.gz'), force: true }
    await writeFile(forged.path, gzipSync(unpacked))
    await expect(restoreBackup(other.deps, forged)).rejects.toThrow(/is damaged or not complete/)
    await writeFile(join(folder, 'short.tar.gz'), bytes.subarray(0, bytes.length - 100))
    const short = { path: join(folder, 'short.tar.gz'), force: true }
    await expect(restoreBackup(other.deps, short)).rejects.toThrow(/is damaged or not complete/)
    expect(await contentOf(other.deps.pool)).toEqual({})
    expect(await other.storage.listFiles()).toEqual([])
  })

  it('leaves no files behind if it fails', async () => {
    const broken: BackupDeps = {
      ...deps,
      storage: { ...deps.storage, get: () => Promise.reject(new Error('The storage is unavailable')) },
    }
    await expect(takeBackup(broken, 'nightly')).rejects.toThrow('The storage is unavailable')
    expect(await readdir(folder)).toEqual([])
  })

  it('records a picture that was erased while the backup was made', async () => {
    const storageKeys = (
      await server.db<{ key: string }[]>`select storage_key as key from images where user_id = ${ann.id}`
    ).map(({ key }) => key)
    const racing: BackupDeps = {
      ...deps,
      storage: { ...deps.storage, get: async (key) => (storageKeys.includes(key) ? null : deps.storage.get(key)) },
    }
    const { path } = await takeBackup(racing, 'manual')
    await restoreBackup(other.deps, { path, force: false })
    expect(await other.deps.pool`select has_image from users where id = ${ann.id}`).toEqual([{ has_image: false }])
    // The thumbnail, too, is no file that a row names.
    expect(await other.storage.listFiles()).toHaveLength(2)
  })
})

describe('the folder of backups', () => {
  let machine: Machine

  beforeEach(async () => {
    machine = await openMachine()
  })
  afterEach(() => machine.close())

  it('is cleaned of files that a killed process left an hour ago, but not of a backup in progress', async () => {
    const { folder } = machine.deps.settings
    const old = new Date(Date.now() - 2 * 3_600_000)
    for (const name of ['.partial-old', '.partial-new']) await writeFile(join(folder, name), 'half')
    await utimes(join(folder, '.partial-old'), old, old)
    await machine.deps.pool`create table migrations (name text primary key, checksum text, applied_at timestamptz)`
    const { path } = await takeBackup(machine.deps, 'manual')
    expect((await readdir(folder)).sort()).toEqual(['.partial-new', path.slice(folder.length + 1)])
  })

  it('is named in the error if it is not writable', async () => {
    const { folder } = machine.deps.settings
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    await chmod(file, 0o400)
    const settings = { ...machine.deps.settings, folder: join(file, 'backups') }
    await expect(takeBackup({ ...machine.deps, settings }, 'manual')).rejects.toThrow(/ENOTDIR.*a-file/)
  })
})
