import { beforeEach, expect, it } from 'vitest'
import { openTestPool } from '../../../test/harness.ts'
import type { Pool } from './database.ts'
import { applyMigrations, migrate } from './migrations.ts'

let db: Pool

beforeEach(async () => {
  const opened = await openTestPool('empty')
  db = opened.db
  return opened.close
})

it('applies no migration at the second start', async () => {
  await migrate(db)
  const first = await db`select name, checksum, applied_at from migrations order by name`
  expect(first.length).toBeGreaterThan(0)
  await migrate(db)
  expect(await db`select name, checksum, applied_at from migrations order by name`).toEqual(first)
})

it('refuses a database whose applied migrations were changed', async () => {
  await migrate(db)
  await db`update migrations set checksum = 'another' where name like '0001%'`
  await expect(migrate(db)).rejects.toThrow(/^Migration 0001_\w+\.sql ran on this database but is not what/)
})

it('refuses a database of a newer version and leaves it unchanged', async () => {
  await migrate(db)
  await db`insert into migrations (name, checksum) values ('9999_future.sql', 'x')`
  await expect(migrate(db)).rejects.toThrow(/^Migration 9999_future\.sql .*newer version\?$/)
})

it('leaves the database unchanged if a migration fails', async () => {
  // The last table of the first migration already exists.
  await db`create table ping_responses (id int)`
  await expect(migrate(db)).rejects.toThrow(/ping_responses/)
  const tables = await db`select table_name from information_schema.tables where table_schema = 'public'`
  expect(tables).toEqual([{ table_name: 'ping_responses' }])
})

it('keeps both accounts whose addresses or names were two and are one, and says so', async () => {
  await db.begin((tx) => applyMigrations(tx, '0028_search_words.sql'))
  // As in a database whose locale has another lower case of I.
  await db.unsafe('drop index users_username_key; create index users_username_key on users (username)')
  await db.unsafe(`insert into users (id, email, username, email_confirmed_at, created_at, updated_at)
    select gen_random_uuid(), email, username, confirmed::timestamptz, created::timestamptz, now() from (values
      ('eva@m\u00fcnchen.example', 'Eva', null, '2026-01-01'),
      ('EVA@xn--mnchen-3ya.example', 'eva2', '2026-02-02', '2026-02-02'),
      ('ivi@example.org', 'IVI', null, '2026-02-01'),
      ('other@example.org', 'ivi', null, '2026-01-01')) as v (email, username, confirmed, created)`)
  const notices = await migrate(db)
  const rows = await db`select id, email_key, username_key from users order by email`
  const idOf = (index: number) => rows[index]?.['id']
  expect(rows.map(({ email_key, username_key }) => [email_key, username_key])).toEqual([
    ['eva@xn--mnchen-3ya.example', 'eva2'],
    [`eva@xn--mnchen-3ya.example ${idOf(1)}`, 'eva'],
    ['ivi@example.org', `ivi ${idOf(2)}`],
    ['other@example.org', 'ivi'],
  ])
  expect(notices.map((notice) => notice.split('.')[0])).toEqual([
    `The accounts ${idOf(0)} and ${idOf(1)} have the same email address in two spellings`,
    `The accounts ${idOf(3)} and ${idOf(2)} have the same username in two spellings`,
  ])
})
