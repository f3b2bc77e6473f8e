import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { restrictFolder } from './private-files.ts'

const module = fileURLToPath(new URL('./private-files.ts', import.meta.url))
const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
const hither = fileURLToPath(new URL('../../../../scripts/hither.ts', import.meta.url))
const log = { warn: () => undefined }
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hither-private-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}

async function exitOf(args: string[], environment: Record<string, string> = {}): Promise<number | null> {
  const child = spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, ...environment } })
  return new Promise((resolve) => child.once('exit', resolve))
}

test('removes the permissions of group and others from a folder and its entries, and keeps those of the owner', async () => {
  await mkdir(join(folder, 'data', 'files'), { recursive: true })
  await writeFile(join(folder, 'data', 'files', 'picture'), 'x')
  await writeFile(join(folder, 'data', 'program'), 'x')
  await writeFile(join(folder, 'elsewhere'), 'x')
  await symlink(join(folder, 'elsewhere'), join(folder, 'data', 'link'))
  for (const path of ['data', 'data/files', 'data/program', 'elsewhere']) await chmod(join(folder, path), 0o755)
  await chmod(join(folder, 'data', 'files', 'picture'), 0o644)
  await restrictFolder(join(folder, 'data'), log)
  expect(await modeOf(join(folder, 'data'))).toBe('700')
  expect(await modeOf(join(folder, 'data', 'files'))).toBe('700')
  expect(await modeOf(join(folder, 'data', 'files', 'picture'))).toBe('600')
  expect(await modeOf(join(folder, 'data', 'program'))).toBe('700')
  expect(await modeOf(join(folder, 'elsewhere'))).toBe('755')
})

test('lets a process create files with mode 0600 in folders with mode 0700', async () => {
  const script = `
    import { createPrivateFiles } from ${JSON.stringify(module)}
    import { mkdirSync, writeFileSync } from 'node:fs'
    createPrivateFiles()
    mkdirSync(${JSON.stringify(join(folder, 'made'))})
    writeFileSync(${JSON.stringify(join(folder, 'made', 'file'))}, 'x')`
  expect(await exitOf(['--input-type=module', '--eval', script])).toBe(0)
  expect(await modeOf(join(folder, 'made'))).toBe('700')
  expect(await modeOf(join(folder, 'made', 'file'))).toBe('600')
})

// Both processes exit soon after, because the database of the one and the archive of the other do not exist.
test.each([
  ['the server', [main]],
  ['a restore', [hither, 'restore', join(tmpdir(), 'no-such-archive.tar.gz')]],
])('%s restricts an existing data folder before it opens the database', async (_, args) => {
  const data = join(folder, 'data')
  await mkdir(join(data, 'files'), { recursive: true })
  await writeFile(join(data, 'files', 'picture'), 'x')
  await chmod(data, 0o755)
  await chmod(join(data, 'files'), 0o755)
  await chmod(join(data, 'files', 'picture'), 0o644)
  const DATABASE_URL = 'postgres://nobody@127.0.0.1:9/none'
  const AUTH_SECRET = 'a secret for tests, long enough to sign'
  expect(await exitOf(args, { DATA_DIR: data, DATABASE_URL, AUTH_SECRET, LOG_LEVEL: 'silent' })).toBe(1)
  expect(await modeOf(data)).toBe('700')
  expect(await modeOf(join(data, 'files'))).toBe('700')
  expect(await modeOf(join(data, 'files', 'picture'))).toBe('600')
  expect((await readdir(data)).filter((name) => name !== 'cache')).toEqual(['files'])
})
