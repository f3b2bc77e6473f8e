import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openFolder } from '../../test/data-folder.ts'
import { compileCache, startProcess } from '../../test/server-process.ts'
import type { Pool } from '../platform/db/database.ts'
import { openDatabase } from '../platform/db/open-database.ts'
import type { Manifest } from './backups.service.ts'

/**
 * Archives that earlier versions wrote with `npm run backup`. The name says up to which migration their database was, and which
 * database it was.
 */
const fixtures = fileURLToPath(new URL('../../test/archives/', import.meta.url))
const hither = fileURLToPath(new URL('../../../scripts/hither.ts', import.meta.url))
const execute = promisify(execFile)

/** A restore ends all sessions and erases the places of pings that ended a day ago, and the list of migrations goes on. */
const changed = ['sessions', 'revoked_sessions', 'refresh_tokens', 'known_devices', 'migrations', 'tombstones']

let parent: string
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'hither-archives-'))
  // The database user of root passes through.
  await execute('chmod', ['711', parent])
})
afterAll(() => rm(parent, { recursive: true, force: true }))

async function manifestOf(archive: string): Promise<Manifest> {
  const { stdout } = await execute('tar', ['--extract', '--gzip', '--to-stdout', '--file', archive, 'manifest.json'])
  return JSON.parse(stdout) as Manifest
}

async function countRows(pool: Pool, tables: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const [row] = await pool<[{ count: number }]>`select count(*)::int from ${pool(table)}`
    counts[table] = row.count
  }
  return counts
}

async function createExternalDatabase(): Promise<string> {
  const name = `archive_${randomUUID().replaceAll('-', '')}`
  const admin = postgres(`${inject('postgresUrl')}/postgres`, { max: 1, onnotice: () => undefined })
  await admin.unsafe(`create database ${name}`)
  await admin.end()
  return `${inject('postgresUrl')}/${name}`
}

describe.each((await readdir(fixtures)).sort())('the archive %s', { timeout: 180_000 }, (name) => {
  it.each(['the built-in database', 'an external PostgreSQL'])(
    'restores on %s with every row and picture',
    async (where) => {
      const isExternal = where === 'an external PostgreSQL'
      const folder = join(parent, randomUUID())
      await mkdir(folder)
      const archive = join(parent, basename(name))
      await copyFile(join(fixtures, name), archive)
      const manifest = await manifestOf(archive)
      const expected = Object.fromEntries(
        manifest.tables.filter(({ name }) => !changed.includes(name)).map(({ name, rows }) => [name, rows]),
      )
      expect(expected['users']).toBeGreaterThan(0)

      const url = isExternal ? await createExternalDatabase() : ''
      const database = { DATA_DIR: folder, ...(isExternal && { DATABASE_URL: url, AUTH_SECRET: 'a'.repeat(64) }) }
      const { stdout } = await execute(process.execPath, [hither, 'restore', archive], {
        env: { PATH: process.env['PATH'], LOG_LEVEL: 'silent', ...compileCache, ...database },
      })
      expect(stdout).toContain('Everyone has to sign in again.')
      const { pool, close } = isExternal ? await openDatabase({ url }) : await openFolder(folder)
      expect(await countRows(pool, Object.keys(expected))).toEqual(expected)
      await close()

      const server = await startProcess({ ...database, PING_RETENTION_DAYS: '3650' })
      const ann = { email: 'ann@example.org', password: 'correct horse battery' }
      const { status, body } = await server.call('POST', '/api/auth/login', ann)
      expect(status).toBe(200)
      const token = body['access_token'] as string
      const { id } = body['user'] as { id: string }
      const pings = (await server.call('GET', '/api/pings/my-pings', undefined, token)).body as unknown as unknown[]
      expect(pings).toHaveLength(expected['location_pins'] ?? 0)
      expect((await server.call('GET', `/api/files/profile-image/${id}`, undefined, token)).status).toBe(200)
      expect(await server.end('SIGTERM')).toBe(0)
    },
  )
})
