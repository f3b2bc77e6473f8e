import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../../../test/free-port.ts'
import { layOutImage } from '../../../../test/image.ts'
import { type BuiltInDatabase, startBuiltInDatabase } from './built-in-database.ts'
import { packedFolder } from './database-folder.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const log = pino({ level: 'silent' })
const isRoot = process.geteuid?.() === 0
const hasNamespaces = spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0
const megabyte = 1_000_000

let parent: string
let image: string

/** Runs the steps of the image's build that need no container: the files of its last stage, and its packed database folder. */
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'hither-image-'))
  await chmod(parent, 0o755)
  image = join(parent, 'image')
  await layOutImage(image)
  const dockerfile = await readFile(join(root, 'deploy/Dockerfile'), 'utf8')
  const [, program, script = ''] = /^RUN (\S+) (scripts\/pack-database\.ts)$/m.exec(dockerfile) ?? []
  expect(program).toBe('node')
  const build = spawn(process.execPath, [script], { cwd: image, stdio: 'inherit' })
  expect(await once(build, 'exit')).toEqual([0, null])
})

afterAll(() => rm(parent, { recursive: true, force: true }))

describe('the container image', () => {
  it('contains a packed database folder of at most 6 MB, which this repository does not', async () => {
    const { size, mode } = await stat(join(image, 'server/assets/postgres-18.tar.br'))
    expect(size).toBeLessThan(6 * megabyte)
    expect(mode & 0o777).toBe(0o644)
    await expect(stat(packedFolder)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it.runIf(isRoot)('unpacks it for a user id without a name, who alone may read it', async () => {
    const dataDir = await mkdtemp(join(parent, 'data-'))
    await chown(dataDir, 12_345, 12_345)
    const packed = join(image, 'server/assets/postgres-18.tar.br')
    let database: BuiltInDatabase | null = null
    try {
      database = await startBuiltInDatabase({ dataDir, log, packed })
      const { uid, mode } = await stat(join(dataDir, 'postgres-18'))
      expect([uid, mode & 0o777]).toEqual([12_345, 0o700])
      expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres-18.'))).toEqual([])
    } finally {
      await database?.close()
    }
  })

  it('reports a damaged packed folder and does not start on a part of it', async () => {
    const dataDir = await mkdtemp(join(parent, 'data-'))
    const packed = join(parent, 'cut.tar.br')
    await copyFile(join(image, 'server/assets/postgres-18.tar.br'), packed)
    await truncate(packed, 700_000)
    await expect(startBuiltInDatabase({ dataDir, log, packed })).rejects.toThrow(
      /^The built-in database did not start: /,
    )
    expect(await readdir(dataDir)).not.toContain('postgres-18')
  })
})

/**
 * Runs the image's server without a container engine: the file system is read-only except for the temporary folder and the
 * volume, and the user id has no name and no rights. The temporary folder is not `/tmp`, below which this repository may be.
 */
const script = `
  mount -t tmpfs tmpfs /mnt && mkdir /mnt/hither /mnt/data && mkdir -m 1777 /mnt/tmp
  mount --bind "$0" /mnt/hither && mount --bind "$1" /mnt/data
  mount -o remount,bind,ro /mnt/hither && mount -o remount,bind,ro /
  cd /mnt/hither && shift && exec setpriv --reuid 12345 --regid 12345 --clear-groups --no-new-privs --bounding-set=-all "$@"`

function runImage(volume: string, port: number, namespaces: readonly string[] = []) {
  const args = ['--mount', ...namespaces, 'sh', '-ec', script, image, volume, process.execPath, 'server/src/main.ts']
  const child = spawn('unshare', args, {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: '/mnt/data',
      TMPDIR: '/mnt/tmp',
      PORT: String(port),
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const { promise: running, resolve } = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text
      if (output.includes('Hither is running')) resolve()
    })
  const ended = once(child, 'close') as Promise<[number | null]>
  return { child, ended, running: Promise.race([running, ended]), output: () => output }
}

it.runIf(isRoot && hasNamespaces)(
  'the image runs as any user id on a read-only file system, alone on its volume, and stops with exit code 0',
  async () => {
    const volume = join(parent, 'volume')
    await mkdir(volume, { mode: 0o700 })
    await chown(volume, 12_345, 12_345)
    const port = await freePort()
    const first = runImage(volume, port)
    await first.running
    expect(first.output()).toContain('Hither is running')
    const account = { email: 'ann@example.org', password: 'correct horse battery', username: 'ann' }
    const answer = await fetch(`http://127.0.0.1:${port}/api/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(account),
    })
    expect(answer.status).toBe(201)
    expect((await stat(join(volume, 'postgres-18'))).uid).toBe(12_345)
    expect(await readdir(volume)).not.toContain('postgres-programs')

    // As another container: it cannot see the processes of the first one.
    const second = runImage(volume, await freePort(), ['--pid', '--fork', '--mount-proc'])
    expect((await second.ended)[0]).toBe(1)
    expect(second.output()).toContain('Another Hither is already running on the data folder /mnt/data.')
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)

    first.child.kill('SIGTERM')
    expect((await first.ended)[0], first.output()).toBe(0)
  },
)
