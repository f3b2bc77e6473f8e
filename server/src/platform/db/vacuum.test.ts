import { deleteAccount } from '@hither/contract/users.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { password, startServer, type TestServer } from '../../../test/harness.ts'
import { listOwnTables } from './vacuum.queries.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

async function bytesOf(table: string): Promise<number> {
  const [row] = await server.db<{ bytes: string }[]>`select pg_relation_size(${table}::regclass) as bytes`
  return Number(row?.bytes)
}

it('removes the rows of an erased account from the data files', async () => {
  const ann = await server.signUp('ann')
  await server.call(deleteAccount, { body: { password } }, ann)
  expect(await server.db`select id from users`).toEqual([])
  expect(await bytesOf('users')).toBeGreaterThan(0)
  await server.app.vacuumJobs.runDue()
  expect(await bytesOf('users')).toBe(0)
})

it('covers every table that stores data of users', async () => {
  expect(await listOwnTables(server.db)).toEqual(
    expect.arrayContaining(['users', 'sessions', 'friendships', 'location_pins', 'messages', 'images', 'signups']),
  )
})
