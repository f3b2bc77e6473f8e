import { execFile } from 'node:child_process'
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createDataFolders, type DataFolders } from '../../test/data-folder.ts'
import { type ServerProcess, startProcess } from '../../test/server-process.ts'

// The test starts several processes, one after the other.
vi.setConfig({ testTimeout: 300_000 })

const hither = fileURLToPath(new URL('../../../scripts/hither.ts', import.meta.url))
const password = 'correct horse battery'
let folders: DataFolders

beforeAll(async () => {
  folders = await createDataFolders()
})
afterAll(() => folders.remove())

/** Runs a shell command in which `hither` is the command, as an operator types it. */
async function shell(command: string, dataDir: string) {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, LOG_LEVEL: 'silent' }
  return promisify(execFile)('sh', ['-c', `hither() { "${process.execPath}" "${hither}" "$@"; }\n${command}`], {
    env,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  )
}

const signUp = (server: ServerProcess, username: string) =>
  server.call('POST', '/api/auth/signup', { email: `${username}@example.org`, username, password })
const signIn = async (server: ServerProcess, username: string) =>
  (await server.call('POST', '/api/auth/login', { email: `${username}@example.org`, password })).status

test('a server moves to another machine with one file, which changes nothing if it is cut or there are accounts', async () => {
  const [old, next] = [await folders.make(), await folders.make()]
  const settings = join(old, 'settings.env')
  const file = join(old, 'move.tar')
  await writeFile(settings, 'MAIL_FROM=old@example.org\n')
  const first = await startProcess({ DATA_DIR: old })
  await signUp(first, 'ann')
  const bob = await signUp(first, 'bob')
  const gone = await first.call('DELETE', '/api/users/me', { password }, String(bob.body['access_token']))
  expect(gone.status).toBe(204)
  const backup = await shell(`hither --settings "${settings}" backup - > "${file}"`, old)
  expect(backup).toMatchObject({ code: 0, stdout: '' })
  expect(backup.stderr).toMatch(/Stop this server before you start the new one\.\n$/)
  await first.end('SIGTERM')
  // The copy of the file is the only one.
  expect((await readdir(join(old, 'backups'))).filter((name) => name.endsWith('.gz'))).toEqual([])
  const { stdout } = await promisify(execFile)('tar', ['tf', file])
  expect(stdout.split('\n')).toEqual([expect.stringMatching(/-manual\.tar\.gz$/), 'tombstones.jsonl', 'hither.env', ''])

  const restored = await shell(`hither restore - < "${file}"`, next)
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect(restored.stdout).toContain(`Settings of the old machine: ${join(next, 'old-machine.env')}\n`)
  expect(restored.stdout).toContain('Everyone has to sign in again.')
  expect(await readFile(join(next, 'old-machine.env'), 'utf8')).toBe('MAIL_FROM=old@example.org\n')

  const again = await shell(`hither restore - < "${file}"`, next)
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toContain('There are accounts on this server')
  await truncate(file, Math.floor(Math.random() * (await readFile(file)).byteLength))
  const cut = await shell(`hither restore - --force < "${file}"`, next)
  expect(cut).toMatchObject({ code: 1, stdout: '' })
  expect(cut.stderr).toBe(
    'Nothing was restored. The backup of standard input is damaged or not complete. Nothing was changed.\n',
  )

  const second = await startProcess({ DATA_DIR: next })
  expect([await signIn(second, 'ann'), await signIn(second, 'bob')]).toEqual([200, 401])
  await second.end('SIGTERM')
  await rm(file)
})

test('the link for the administrator is printed until there is one, and hither code makes another one', async () => {
  const folder = await folders.make()
  const environment = { DATA_DIR: folder, PUBLIC_URL: 'https://hither.example.org' }
  const stopped = await shell('hither code', folder)
  expect(stopped).toEqual({
    code: 1,
    stdout: '',
    stderr: 'No code was made. Hither is not running. Start it: it prints a link.\n',
  })
  const server = await startProcess(environment)
  expect(server.output()).toContain('This server has no admin yet. Scan this code, or open')
  const { body } = await signUp(server, 'ann')
  const printed = await shell('hither code', folder)
  expect(printed).toMatchObject({ code: 0, stderr: '' })
  expect(printed.stdout).toContain('█')
  const code = /https:\/\/hither\.example\.org\/admin#code=(\S+)/.exec(printed.stdout)?.[1]
  expect(server.output()).not.toContain(code)
  const claim = await server.call('POST', '/api/admin/claim', { code }, String(body['access_token']))
  expect(claim.status).toBe(204)
  expect(await shell('hither code', folder)).toEqual({
    code: 0,
    stdout: '\n    This server has an administrator.\n\n',
    stderr: '',
  })
  await server.end('SIGTERM')
  const restarted = await startProcess(environment)
  expect(restarted.output()).not.toMatch(/admin#code|█|Phones need/)
  await restarted.end('SIGTERM')
})

test('wrong arguments get the usage of the subcommand', async () => {
  const folder = await folders.make()
  expect((await shell('hither', folder)).stderr).toBe(
    'Usage: hither start | code | backup | backup-key | restore | reset-link | version\n',
  )
  expect((await shell('hither restore', folder)).stderr).toBe(
    'Nothing was restored. Usage: hither restore FILE|- [--identity FILE] [--force | --check]\n',
  )
  expect((await shell('hither restore x --fast', folder)).stderr).toBe(
    'Nothing was restored. Usage: hither restore FILE|- [--identity FILE] [--force | --check]\n',
  )
  expect((await shell('hither backup --all', folder)).stderr).toBe(
    'No backup was made. Usage: hither backup [FILE|-]\n',
  )
  expect((await shell('hither version', folder)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})
