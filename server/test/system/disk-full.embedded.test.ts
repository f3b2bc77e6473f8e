import { spawnSync } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDataFolders, type DataFolders } from '../data-folder.ts'
import { childrenOf } from '../processes.ts'
import { type ServerProcess, startProcess } from '../server-process.ts'

let folders: DataFolders
beforeAll(async () => {
  folders = await createDataFolders()
})
afterAll(() => folders.remove())

/**
 * Limits the size of the files that the database may write. Writes then fail with `EFBIG` instead of the `ENOSPC` of a full
 * disk. The limit needs no separate disk and no privileges, and takes effect during work, as a full disk does.
 */
async function limitFiles({ child }: ServerProcess, folder: string, limit: '0' | 'unlimited'): Promise<void> {
  const file = await readFile(join(folder, 'postgres-18/postmaster.pid'), 'utf8').catch(() => '')
  const postmaster = Number.parseInt(file, 10)
  // The limit also applies to the server, because processes that it starts later inherit it.
  for (const pid of [child.pid, postmaster, ...(await childrenOf(postmaster))]) {
    const owner = await stat(`/proc/${pid}`).catch(() => null)
    // The process has ended meanwhile or never existed.
    if (owner === null) continue
    // The command runs as the user of that process, because root may lack the capability to limit other users' processes.
    const identity = process.geteuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {}
    spawnSync('prlimit', ['--pid', String(pid), `--fsize=${limit}:`], identity)
  }
}

const place = { name: 'Here', latitude: 1, longitude: 2, is_public: true }

async function answers(server: ServerProcess, path: string): Promise<number> {
  return (await fetch(`${server.url}${path}`)).status
}

test('responds with 503 while the database cannot write, and recovers with all acknowledged data when it can', {
  timeout: 300_000,
}, async () => {
  const folder = await folders.make()
  const server = await startProcess({ DATA_DIR: folder })
  const account = { email: 'ann@example.org', password: 'correct horse battery', username: 'ann' }
  const { access_token: token } = (await server.call('POST', '/api/auth/signup', account)).body as {
    access_token: string
  }
  const acknowledged: string[] = []
  const refused = new Set<number>()
  const drop = async () => {
    const { status, body } = await server.call('POST', '/api/pings/', place, token)
    if (status === 201) acknowledged.push(body['id'] as string)
    else refused.add(status)
    if (status === 409) throw new Error('The limit of unexpired pins is reached.')
    return status
  }
  for (let count = 0; count < 6; count++) await drop()
  await limitFiles(server, folder, '0')
  while ((await drop()) === 201);
  expect(await answers(server, '/healthz')).toBe(200)
  await limitFiles(server, folder, 'unlimited')
  while ((await drop()) !== 201) await limitFiles(server, folder, 'unlimited')
  expect([...refused]).toEqual([503])
  const mine = (await server.call('GET', '/api/pings/my-pings', undefined, token)).body as unknown as { id: string }[]
  expect(mine.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged))
  expect(await server.end('SIGTERM')).toBe(0)
  expect(await readdir(join(folder, 'run'))).toEqual([])
})
