import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Diagnostics } from '@hither/contract/diagnostics.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDataFolders, type DataFolders, openFolder } from '../../../../test/data-folder.ts'
import { type ServerProcess, startProcess } from '../../../../test/server-process.ts'

let folders: DataFolders

beforeAll(async () => {
  folders = await createDataFolders()
})
afterAll(() => folders.remove())

const ann = { email: 'ann@example.org', password: 'correct horse battery', username: 'ann' }

async function signUp(server: ServerProcess): Promise<string> {
  const { body } = await server.call('POST', '/api/auth/signup', ann)
  return body['access_token'] as string
}

/** Changes one byte of the first page of a table. The row that it belongs to does not matter: the checksum is of the page. */
async function flipByte(path: string): Promise<void> {
  const { size } = await stat(path)
  expect(size).toBeGreaterThan(0)
  const file = await open(path, 'r+')
  const byte = Buffer.alloc(1)
  await file.read(byte, 0, 1, 8000)
  byte[0] = (byte[0] ?? 0) ^ 0xff
  await file.write(byte, 0, 1, 8000)
  await file.close()
}

it('answers 503, logs as fatal and fails the Diagnostics check for a table whose page was changed on the disk', async () => {
  const folder = await folders.make()
  const first = await startProcess({ DATA_DIR: folder })
  const token = await signUp(first)
  const place = { name: 'Here', latitude: 1, longitude: 2, is_public: true }
  expect((await first.call('POST', '/api/pings/', place, token)).status).toBe(201)
  expect(await first.end('SIGTERM')).toBe(0)

  const database = await openFolder(folder)
  await database.pool`insert into admins (user_id, appointed_at) select id, now() from users`
  const [table] = await database.pool<[{ path: string }]>`select pg_relation_filepath('location_pins') as path`
  await database.close()
  await flipByte(join(folder, 'postgres-18', table.path))

  const server = await startProcess({ DATA_DIR: folder })
  const mine = await fetch(`${server.url}/api/pings/my-pings`, { headers: { authorization: `Bearer ${token}` } })
  expect([mine.status, mine.headers.get('retry-after')]).toEqual([503, '2'])
  const fatal = server
    .output()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as { level: number; msg: string }] : []))
    .filter(({ level }) => level === 60)
  expect(fatal.map(({ msg }) => msg)).toContain('the database reports damaged data or an internal error')
  // The rest of the database still works.
  expect((await server.call('GET', '/api/users/me', undefined, token)).status).toBe(200)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(await verdictOf(server, token)).toEqual({
    state: 'failed',
    text: expect.stringMatching(
      /^The database in .*postgres-18 is damaged \(a page did not match its checksum (?:once|\d+ times)\)\. Nothing was changed\. Move that folder away and restore a backup: npm run restore -- ARCHIVE\.$/,
    ),
  })
  expect(await server.end('SIGTERM')).toBe(0)
})

async function verdictOf(server: ServerProcess, token: string) {
  const { body } = await server.call('GET', '/api/admin/diagnostics', undefined, token)
  const { checks } = body as unknown as Diagnostics
  const { state, text } = checks.find(({ id }) => id === 'database') ?? {}
  return { state, text }
}
