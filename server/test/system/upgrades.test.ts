import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { hashPassword } from '../../src/auth/password-hashing/passwords.ts'
import { backUpBeforeMigrating } from '../../src/backups/before-migrating.ts'
import { contentOf, depsOn } from '../../src/backups/harness.ts'
import { restoreBackup } from '../../src/backups/restore.service.ts'
import { readConfig } from '../../src/config.ts'
import type { Pool } from '../../src/platform/db/database.ts'
import { applyMigrations, migrate } from '../../src/platform/db/migrations.ts'
import { openTestDatabase, password } from '../harness.ts'

const names = (await readdir(new URL('../../migrations/', import.meta.url))).sort()
const idOf = (number: number) => `0190a0a0-0000-7000-8000-${String(number).padStart(12, '0')}`
const [ann, bob, ping, chat] = [idOf(1), idOf(2), idOf(3), idOf(4)]
const passwordHash = await hashPassword(password)
const folder = await mkdtemp(join(tmpdir(), 'hither-upgrades-'))
const environment = { RATE_LIMITS: 'off', LOG_LEVEL: 'silent', DATA_DIR: folder }
const config = readConfig(environment)

/** Rows that each version of the schema contained, by the number of the migration that introduced it. */
const rows: Readonly<Record<string, string>> = {
  '0001': `
    insert into users (id, email, username, password_hash, email_confirmed_at, created_at, updated_at) values
      ('${ann}', 'ann@example.org', 'ann', '${passwordHash}', now(), now(), now()),
      ('${bob}', 'bob@example.org', 'bob', '${passwordHash}', now(), now(), now());
    insert into friendships (id, requester_id, requested_id, created_at) values ('${idOf(5)}', '${ann}', '${bob}', now());
    insert into location_pins (id, user_id, name, latitude, longitude, is_public, responses_visible, created_at, expires_at, announced_status)
      values ('${ping}', '${ann}', 'Coffee', 1, 2, false, true, now(), now() + interval '1 hour', 'active');
    insert into ping_recipients (id, ping_id, recipient_id, expires_at)
      select '${idOf(6)}', id, '${bob}', expires_at from location_pins;
    insert into ping_responses values ('${ping}', '${bob}', 'accepted', now(), now())`,
  '0002': `
    insert into images values ('${idOf(7)}', '${ann}', null, 'full', 'thumb', 'hash', 1, 1, 1, 1, now());
    update users set has_image = true where id = '${ann}'`,
  '0003': `insert into identities values ('https://accounts.example.org', 'subject', '${bob}', now())`,
  '0005': `
    insert into chats (id, type, pair_low_id, pair_high_id, last_seq, created_at, updated_at)
      values ('${chat}', 'direct', '${ann}', '${bob}', 1, now(), now());
    insert into chat_members (chat_id, user_id, role, joined_at, last_read_seq, read_at)
      select '${chat}', id, 'member', now(), 0, now() from users;
    insert into messages (id, chat_id, seq, sender_id, content, created_at)
      values ('${idOf(8)}', '${chat}', 1, '${ann}', '¡Hola!', now())`,
  '0007': `insert into admins (user_id, appointed_at) values ('${ann}', now())`,
}

/** A description of the complete schema, as text. */
async function schemaOf(db: Pool): Promise<string[]> {
  const parts = await db<{ part: string }[]>`
    select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as part
      from information_schema.columns where table_schema = 'public'
    union all select format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace`
  return parts.map(({ part }) => part).sort()
}

async function openEmpty() {
  const { database, drop } = await openTestDatabase()
  const close = async () => {
    await database.close()
    await drop()
  }
  return { db: database.pool, close }
}

/** Migrates the database up to `last` and inserts the rows of each version. */
async function migrateAndFillUpTo(db: Pool, last: string): Promise<void> {
  for (const name of names.filter((candidate) => candidate <= last)) {
    await db.begin(async (tx) => {
      await applyMigrations(tx, name)
      const done = rows[name.slice(0, 4)]
      if (done !== undefined) await tx.unsafe(done)
    })
  }
}

describe('a server that is started on a database of', () => {
  let today: string[]

  beforeAll(async () => {
    const fresh = await openEmpty()
    await migrate(fresh.db)
    today = await schemaOf(fresh.db)
    await fresh.close()
    await mkdir(join(folder, 'files'))
    for (const key of ['full', 'thumb']) await writeFile(join(folder, 'files', key), key)
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.each(names)('%s migrates the schema and keeps all rows, and so does a restored backup of it', async (last) => {
    const old = await openEmpty()
    await migrateAndFillUpTo(old.db, last)
    await rm(join(folder, 'backups'), { recursive: true, force: true })
    const deps = depsOn(old.db, environment)
    await backUpBeforeMigrating(config, deps)
    await migrate(old.db)
    expect(await schemaOf(old.db)).toEqual(today)
    const { migrations: _, ...upgraded } = await contentOf(old.db)

    const [archive] = await readdir(join(folder, 'backups')).catch(() => [])
    expect(archive === undefined).toBe(last === names.at(-1))
    if (archive !== undefined) {
      await old.db`update users set username = 'nobody' where username = 'ann'`
      await restoreBackup(deps, { path: join(folder, 'backups', archive), force: true })
      expect(await contentOf(old.db)).toMatchObject(upgraded)
      expect(await schemaOf(old.db)).toEqual(today)
    }
    await expectAll(old.db, last)
    await old.close()
  })
})

/** Checks what users see after signing in, and that new features work on old rows. */
async function expectAll(pool: Pool, last: string): Promise<void> {
  const authSecret = 'a secret for tests, long enough to sign'
  const app = await createApp({ config, pool, authSecret, log: pino({ level: 'silent' }), now: () => new Date() })
  const call = async (method: 'GET' | 'POST', url: string, token = '', payload?: object) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await app.http.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) })
    expect(answer.statusCode, `${url}: ${answer.body}`).toBeLessThan(300)
    return answer.json()
  }
  const signIn = async (email: string) =>
    (await call('POST', '/auth/login', '', { email, password })).access_token as string
  const [first, second] = [await signIn('ann@example.org'), await signIn('bob@example.org')]
  expect(await call('GET', '/friends/', first)).toMatchObject([{ username: 'bob' }])
  expect(await call('GET', `/pings/${ping}`, second)).toMatchObject({
    name: 'Coffee',
    status: 'active',
    revision: 0,
    canceled_at: null,
    responses: [{ username: 'bob', response_type: 'accepted', revision: 0 }],
  })
  // Nobody is notified of the upgrade.
  expect(await pool`select 1 from push_deliveries`).toEqual([])
  const conversations = await call('GET', '/messages/conversations/', second)
  expect(conversations).toMatchObject(last < '0005' ? [] : [{ id: chat }])
  const { messages } = await call('GET', '/messages/search?q=hola', second)
  expect(messages).toMatchObject(last < '0005' ? [] : [{ content: '¡Hola!' }])
  expect((await call('GET', '/users/me', first)).has_image).toBe(last >= '0002')
  await call('POST', '/messages/conversations/', first, { participant_ids: [bob] })
  await app.stop()
}
