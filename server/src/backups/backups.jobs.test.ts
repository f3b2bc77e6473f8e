import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from '../platform/db/migrations.ts'
import { type BackupJobs, createBackupJobs } from './backups.jobs.ts'
import { archivesAmong, archivesToDelete, isNightlyDue, latestNight, nameOf } from './backups.rules.ts'
import { type Machine, openMachine } from './harness.ts'
import { readTombstones } from './tombstones.service.ts'

const dayMs = 86_400_000
const at = (text: string) => new Date(`2030-03-${text}`)

describe('archives', () => {
  it('are recognized by their names among other files', () => {
    const made = at('04T05:06:07.089Z')
    expect(nameOf('nightly', made)).toBe('hither-20300304T050607089Z-nightly.tar.gz')
    expect(nameOf('nightly', made, true)).toBe('hither-20300304T050607089Z-nightly.tar.gz.age')
    const names = [
      'tombstones.jsonl',
      '.partial-1',
      'hither-x.tar.gz',
      nameOf('manual', at('05T00:00:00Z')),
      nameOf('nightly', made),
      nameOf('migration', at('04T20:00:00Z'), true),
      `${nameOf('nightly', made, true)}.part`,
    ]
    expect(archivesAmong(names).map(({ kind, madeAt, isEncrypted }) => [kind, madeAt, isEncrypted])).toEqual([
      ['nightly', made, false],
      ['migration', at('04T20:00:00Z'), true],
      ['manual', at('05T00:00:00Z'), false],
    ])
  })

  it('are due once a night, also after a machine slept through it', () => {
    const night = latestNight(at('04T12:00:00'))
    expect(night).toEqual(at('04T03:00:00'))
    expect(latestNight(at('04T02:59:59'))).toEqual(at('03T03:00:00'))
    const archives = archivesAmong([nameOf('nightly', at('04T03:00:10'))])
    const first = at('01T00:00:00')
    expect(isNightlyDue([], first, at('04T12:00:00'))).toBe(true)
    expect(isNightlyDue(archives, first, at('04T12:00:00'))).toBe(false)
    expect(isNightlyDue(archives, first, at('05T02:59:00'))).toBe(false)
    expect(isNightlyDue(archives, first, at('09T22:00:00'))).toBe(true)
    // A manual backup is not among those that the job keeps for two weeks.
    expect(isNightlyDue(archivesAmong([nameOf('manual', at('04T11:00:00'))]), first, at('04T12:00:00'))).toBe(true)
    // Before the first night, a new server has missed no backup.
    expect(isNightlyDue([], at('04T10:00:00'), at('04T12:00:00'))).toBe(false)
  })

  it('are deleted when they expire, except the newest and those made on request', () => {
    const kinds = fc.constantFrom('nightly' as const, 'migration' as const, 'manual' as const)
    const now = at('31T12:00:00Z')
    const archive = fc.tuple(kinds, fc.integer({ min: 0, max: 100 }), fc.boolean())
    fc.assert(
      fc.property(fc.array(archive), fc.integer({ min: 1, max: 60 }), (made, keepDays) => {
        const archives = archivesAmong(
          made.map(([kind, days, isEncrypted]) => nameOf(kind, new Date(now.getTime() - days * dayMs), isEncrypted)),
        )
        const deleted = archivesToDelete(archives, keepDays, now)
        const remaining = archives.filter((candidate) => !deleted.includes(candidate))
        expect(
          deleted.every(({ kind, madeAt }) => kind !== 'manual' && now.getTime() - madeAt.getTime() > keepDays * dayMs),
        ).toBe(true)
        if (archives.length > 0) expect(remaining).toContain(archives.at(-1))
        expect(
          remaining
            .slice(0, -1)
            .every(({ kind, madeAt }) => kind === 'manual' || now.getTime() - madeAt.getTime() <= keepDays * dayMs),
        ).toBe(true)
      }),
    )
  })
})

describe('every night', () => {
  let machine: Machine
  let jobs: BackupJobs
  let now: Date
  let folder: string

  beforeEach(async () => {
    machine = await openMachine()
    folder = machine.deps.settings.folder
    await migrate(machine.deps.pool)
    now = new Date(latestNight(new Date(Date.now() + 2 * dayMs)).getTime() + 60_000)
    jobs = createBackupJobs({ ...machine.deps, now: () => now })
  })
  afterEach(async () => {
    await jobs.stop()
    await machine.close()
  })

  const remaining = async () => archivesAmong(await readdir(folder)).map(({ name }) => name)

  it('a backup is made once a night and deleted after two weeks', async () => {
    await jobs.runDue()
    await jobs.runDue()
    const [first, ...more] = await remaining()
    expect(first).toMatch(/-nightly\.tar\.gz$/)
    expect(more).toEqual([])
    expect(await jobs.newest()).toEqual(now)
    for (let night = 1; night <= 15; night++) {
      now = new Date(now.getTime() + dayMs)
      await jobs.runDue()
    }
    const names = await remaining()
    expect(names).toHaveLength(15)
    expect(names).not.toContain(first)
  })

  it('a failed backup is retried after an hour and deletes no older one', async () => {
    const old = nameOf('nightly', new Date(now.getTime() - 20 * dayMs))
    await writeFile(join(folder, old), '')
    let tries = 0
    const failing = createBackupJobs({
      ...machine.deps,
      now: () => now,
      storage: {
        ...machine.deps.storage,
        get: () => {
          tries++
          return Promise.reject(new Error('The storage is unavailable'))
        },
      },
    })
    const { pool } = machine.deps
    await pool`
      insert into users (id, email, email_key, username, username_key, created_at, updated_at)
      values (gen_random_uuid(), 'a@b.c', 'a@b.c', 'ann', 'ann', now(), now())`
    await pool`
      insert into images (id, user_id, storage_key, thumb_storage_key, hash, width, height, bytes, thumb_bytes, created_at)
      select gen_random_uuid(), id, 'a.webp', 'a.webp', 'h', 1, 1, 1, 1, now() from users`
    await expect(failing.runDue()).rejects.toThrow('The storage is unavailable')
    await failing.runDue()
    expect(tries).toBe(1)
    now = new Date(now.getTime() + 3_600_000)
    await expect(failing.runDue()).rejects.toThrow('The storage is unavailable')
    expect(await remaining()).toEqual([old])
    await failing.stop()
  })

  it('erasures are written every minute to a file next to the backups', async () => {
    const { pool } = machine.deps
    await jobs.runDue()
    await pool`insert into tombstones (kind, id_hash) values ('users', 'one')`
    await jobs.runDue()
    await pool`insert into tombstones (kind, id_hash) values ('users', 'two')`
    await jobs.runDue()
    await jobs.runDue()
    const idsIn = async () => ((await readTombstones(folder)) ?? []).map(({ id_hash }) => id_hash)
    expect(await idsIn()).toEqual(['one', 'two'])

    // Cut off by a crash: the next start goes on after it, and writes nothing twice.
    const path = join(folder, 'tombstones.jsonl')
    await writeFile(path, `${await readFile(path, 'utf8')}{"kind":"us`)
    await pool`insert into tombstones (kind, id_hash) values ('users', 'three')`
    const restarted = createBackupJobs({ ...machine.deps, now: () => now })
    await restarted.runDue()
    await restarted.stop()
    expect(await idsIn()).toEqual(['one', 'two', 'three'])
  })

  it('erasures are written even if the clock of the database was set back', async () => {
    const { pool } = machine.deps
    await pool`insert into tombstones (kind, id_hash, erased_at) values ('users', 'one', now() + interval '1 hour')`
    await jobs.runDue()
    await pool`insert into tombstones (kind, id_hash) values ('users', 'two')`
    await jobs.runDue()
    await jobs.runDue()
    expect(((await readTombstones(folder)) ?? []).map(({ id_hash }) => id_hash)).toEqual(['one', 'two'])
  })

  it('erasures older than any backup are deleted', async () => {
    const { pool } = machine.deps
    await pool`insert into tombstones (kind, id_hash, erased_at) values ('users', 'long-ago', ${new Date(now.getTime() - 401 * dayMs)})`
    await pool`insert into tombstones (kind, id_hash, erased_at) values ('users', 'lately', ${new Date(now.getTime() - 399 * dayMs)})`
    await jobs.runDue()
    now = new Date(now.getTime() + dayMs)
    const restarted = createBackupJobs({ ...machine.deps, now: () => now })
    await restarted.runDue()
    await restarted.stop()
    expect((await pool<{ id_hash: string }[]>`select id_hash from tombstones`).map(({ id_hash }) => id_hash)).toEqual([
      'lately',
    ])
    expect((await readTombstones(folder))?.map(({ id_hash }) => id_hash)).toEqual(['lately'])
  })
})
