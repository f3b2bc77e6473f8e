import { beforeEach, expect, it } from 'vitest'
import { openTestPool } from '../../../test/harness.ts'
import type { Pool } from './database.ts'
import { migrate } from './migrations.ts'

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
