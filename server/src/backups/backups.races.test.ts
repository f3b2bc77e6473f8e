import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Pool } from '../platform/db/database.ts'
import { migrate } from '../platform/db/migrations.ts'
import { writeArchive } from './archive.ts'
import { takeBackup } from './backups.service.ts'
import { contentOf, type Machine, openMachine } from './harness.ts'
import { restoreBackup } from './restore.service.ts'
import { createTombstoneCopy } from './tombstones.service.ts'

let machine: Machine
let other: Machine

beforeEach(async () => {
  machine = await openMachine()
  other = await openMachine()
})
afterEach(async () => {
  await machine.close()
  await other.close()
})

it('a backup contains one snapshot, whatever is written while it is made', async () => {
  const { pool } = machine.deps
  await migrate(pool)
  await addUsers(pool, ['ann', 'bob'])
  let taking: Promise<{ path: string }> | undefined
  await pool.begin(async (tx) => {
    // The backup has read the users by the time it comes to this table.
    await tx`lock table blocks in access exclusive mode`
    taking = takeBackup(machine.deps, 'manual')
    taking.catch(() => undefined)
    await untilWaiting(pool)
    await addUsers(tx as unknown as Pool, ['cat', 'dan'])
    await tx`
      insert into blocks (blocker_id, blocked_id, created_at)
      select a.id, b.id, now() from users a, users b where a.username = 'cat' and b.username = 'dan'`
  })
  const { path } = (await taking) ?? { path: '' }
  await restoreBackup(other.deps, { path, force: false })
  expect(await other.deps.pool`select username from users order by username`).toEqual([
    { username: 'ann' },
    { username: 'bob' },
  ])
  expect(await other.deps.pool`select * from blocks`).toEqual([])
})

it.each([0, 3, -3])(
  'a restore repeats later removals and dismissals and keeps returned users, with the server’s clock %i hours off',
  async (hours) => {
    const { pool } = machine.deps
    let joinedAt = Date.now() + hours * 3_600_000
    await migrate(pool)
    await addUsers(pool, ['ann', 'bob', 'cat', 'dan'])
    const join = (db: Pool, name: string) => db`
    with joined as (
      insert into chat_members (chat_id, user_id, role, joined_at, last_read_seq, read_at)
      select c.id, u.id, 'member', ${new Date(++joinedAt)}, 0, now() from chats c, users u where u.username = ${name}
      returning user_id
    )
    insert into admins (user_id, appointed_at) select user_id, ${new Date(joinedAt)}::timestamptz from joined`
    const leave = async (db: Pool, name: string) => {
      await db`delete from chat_members where user_id = (select id from users where username = ${name})`
      await db`delete from admins where user_id = (select id from users where username = ${name})`
    }
    await pool`
    insert into chats (id, type, name, created_at, updated_at) values (gen_random_uuid(), 'group', 'Walks', now(), now())`
    for (const name of ['ann', 'bob', 'cat', 'dan']) await join(pool, name)
    await leave(pool, 'ann')
    await join(pool, 'ann')
    const { path } = await takeBackup(machine.deps, 'manual')
    await leave(pool, 'bob')
    // As it was remembered before 0010.
    await pool`
      insert into tombstones (kind, id_hash, erased_at)
      select g.kind, hash_of_id(g.id), ${new Date(joinedAt)}::timestamptz from users u, chats c,
        lateral (values ('chat_members', c.id || '/' || u.id), ('admins', u.id::text)) g (kind, id)
      where u.username = 'dan'`
    await createTombstoneCopy(machine.deps.settings.folder, () => new Date()).update(pool)
    expect(await restoreBackup(other.deps, { path, force: false })).toMatchObject({ erased: 4 })
    for (const table of ['chat_members', 'admins'])
      expect(
        await other.deps.pool`
        select username from users where id in (select user_id from ${other.deps.pool(table)}) order by username`,
      ).toEqual([{ username: 'ann' }, { username: 'cat' }])
  },
)

it('a restore is refused while a server is connected to the database', async () => {
  const { pool } = machine.deps
  await migrate(pool)
  const { path } = await takeBackup(machine.deps, 'manual')
  await pool.begin(async (tx) => {
    await tx`select 1`
    await expect(restoreBackup(machine.deps, { path, force: true })).rejects.toThrow(
      /^Another Hither is connected to this database\./,
    )
  })
})

it('a restore is refused on a database that is not Hither’s', async () => {
  await migrate(machine.deps.pool)
  const { path } = await takeBackup(machine.deps, 'manual')
  await other.deps.pool`create table invoices (id int)`
  await expect(restoreBackup(other.deps, { path, force: true })).rejects.toThrow(/something other than Hither/)
  expect(Object.keys(await contentOf(other.deps.pool))).toEqual(['invoices'])
})

it('a table of another program stays in the backup and does not prevent the restore', async () => {
  await migrate(machine.deps.pool)
  await machine.deps.pool`create table statistics (id int)`
  await machine.deps.pool`insert into statistics values (1)`
  await addUsers(machine.deps.pool, ['ann'])
  const { path } = await takeBackup(machine.deps, 'manual')
  expect(await restoreBackup(other.deps, { path, force: false })).toMatchObject({ foreign: ['statistics'] })
  expect(await other.deps.pool`select username from users`).toEqual([{ username: 'ann' }])
})

async function addUsers(db: Pool, names: readonly string[]): Promise<void> {
  for (const name of names)
    await db`
      insert into users (id, email, email_key, username, username_key, created_at, updated_at)
      values (gen_random_uuid(), ${name}, ${name}, ${name}, ${name}, now(), now())`
}

async function untilWaiting(pool: Pool): Promise<void> {
  for (;;) {
    const rows = await pool`
      select 1 from pg_locks where not granted and relation = 'blocks'::regclass`
    if (rows.length > 0) return
  }
}

it('a forged archive with valid checksums is refused with a sentence and changes nothing', async () => {
  await migrate(machine.deps.pool)
  const folder = await mkdtemp(join(tmpdir(), 'hither-forged-'))
  const rows = `${JSON.stringify({ id: 'no id', email: 5 })}\n`
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const list = `${sha256(rows)}  database/users.0001.jsonl\n`
  const manifest = {
    format: 1,
    version: '0.1.0',
    made_at: '2026-01-01T00:00:00.000Z',
    kind: 'manual',
    migrations: await machine.deps.pool`select name, checksum from migrations order by name`,
    tables: [{ name: 'users', columns: ['id', 'email'], rows: 1, parts: ['users.0001.jsonl'] }],
    sequences: [],
    files: 0,
    missing_files: [],
    checksums_sha256: sha256(list),
  }
  const evil = { name: 'files/../../evil.webp', list: `${list}${sha256('')}  files/../../evil.webp\n` }
  const withEvil = { ...manifest, tables: [], checksums_sha256: sha256(evil.list) }
  const forge = async (name: string, text: string, extra?: typeof evil) => {
    const path = join(folder, name)
    const entry = (entryName: string, content: string) => ({
      name: entryName,
      size: Buffer.byteLength(content),
      content: [Buffer.from(content)],
    })
    await writeArchive(
      path,
      (async function* () {
        yield entry('database/users.0001.jsonl', rows)
        if (extra !== undefined) yield entry(extra.name, '')
        yield entry('checksums.txt', extra?.list ?? list)
        yield entry('manifest.json', text)
      })(),
      [],
    )
    return path
  }
  const { tables, ...withoutTables } = manifest
  for (const path of [
    await forge('rows.tar.gz', JSON.stringify(manifest)),
    await forge('shape.tar.gz', JSON.stringify(withoutTables)),
    await forge('text.tar.gz', 'no manifest'),
    await forge('name.tar.gz', JSON.stringify(withEvil), evil),
  ])
    await expect(restoreBackup(other.deps, { path, force: false })).rejects.toMatchObject({
      name: 'BackupError',
      message: `The backup ${path} is damaged or not complete. Nothing was changed.`,
    })
  expect(tables).toHaveLength(1)
  expect(await contentOf(other.deps.pool)).toEqual({})
  await rm(folder, { recursive: true })
})
