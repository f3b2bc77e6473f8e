import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { compileCache, startProcess } from '../../../../test/server-process.ts'

const main = fileURLToPath(new URL('../../../main.ts', import.meta.url))

/** Unfinished database folders. */
const unfinished = async (dataDir: string) =>
  (await readdir(dataDir).catch(() => [])).filter((name) => name.startsWith('postgres-18.'))

it.each([
  ['the folder', ''],
  ['the version', 'PG_VERSION'],
  ['the settings', 'postgresql.conf'],
  ['the control file', 'global/pg_control'],
  ['the template database', 'base/5'],
])('starts after a first start that was killed with SIGKILL after initdb created %s', async (_, file) => {
  const parent = await mkdtemp(join(tmpdir(), 'hither-first-'))
  await chmod(parent, 0o711)
  const dataDir = join(parent, 'data')
  const environment = { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'silent', MAP_ONLINE: 'off', ...compileCache }
  const killed = spawn(process.execPath, [main], { env: { ...environment, DATA_DIR: dataDir }, stdio: 'ignore' })
  const isMade = async () => (await unfinished(dataDir)).some((name) => existsSync(join(dataDir, name, file)))
  await vi.waitUntil(isMade, { timeout: 60_000, interval: 1 })
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  // The `initdb` of the killed server may still be running.
  const server = await startProcess({ DATA_DIR: dataDir })
  const account = { email: 'ann@example.org', password: 'correct horse battery', username: 'ann' }
  expect((await server.call('POST', '/api/auth/signup', account)).status).toBe(201)
  expect(await server.end('SIGTERM')).toBe(0)
  const again = await startProcess({ DATA_DIR: dataDir })
  expect((await again.call('POST', '/api/auth/login', account)).status).toBe(200)
  expect(await again.end('SIGTERM')).toBe(0)
  expect(await unfinished(dataDir)).toEqual([])
  await rm(parent, { recursive: true })
})
