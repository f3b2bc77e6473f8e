import { spawn } from 'node:child_process'
import { chown, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { logIn, signUp } from './accounts.ts'
import { finished, type Ids, type Machine, startMachine } from './machine.ts'
import { buildArguments, run } from './setup.ts'

const repository = fileURLToPath(new URL('../../../', import.meta.url))
const { base, image, imageConfig, storage } = inject('parts')
const megabyte = 1_000_000
const environment = Object.fromEntries(imageConfig.Env.map((pair) => pair.split(/=(.*)/s).slice(0, 2)))

let folder: string
let server: Machine | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hither-containers-'))
})

afterEach(async () => {
  await server?.stop()
  server = undefined
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** A volume as a container engine makes it: with what the image has in its place, or of another owner and empty. */
async function makeVolume(owner: Ids | null): Promise<string> {
  const volume = join(await mkdtemp(join(folder, 'volume-')), 'data')
  if (owner === null) await run('cp', ['--archive', join(image, 'data'), volume])
  else {
    await mkdir(volume, { mode: 0o700 })
    await chown(volume, owner.uid, owner.gid)
  }
  return volume
}

/** `docker run` with a read-only file system, `/tmp` in memory and no settings. */
async function startContainer(volume: string, user: Ids): Promise<Machine> {
  const options = { as: user, environment, folder: imageConfig.WorkingDir }
  const command = imageConfig.Cmd
  server = await startMachine({ root: image, volumes: { '/data': volume }, isReadOnly: true, command, options })
  await server.first.says('Hither is running')
  return server
}

/** `docker stop`, which waits for ten seconds. */
async function stopContainer({ first }: Machine): Promise<number | null> {
  await first.signal('SIGTERM')
  const late = AbortSignal.timeout(10_000)
  return Promise.race([
    first.ended,
    new Promise<never>((_, reject) => late.addEventListener('abort', () => reject(new Error('It did not stop.')))),
  ])
}

describe('the container image', () => {
  it('starts as the user node, on a port and a volume that it names', () => {
    expect(imageConfig).toMatchObject({
      User: 'node',
      WorkingDir: '/hither',
      Volumes: { '/data': {} },
      ExposedPorts: { '3000/tcp': {} },
      StopSignal: 'SIGTERM',
    })
  })

  it('adds at most 200 MB to its base', async () => {
    expect((await bytesOf(image)) - (await bytesOf(base))).toBeLessThan(200 * megabyte)
  })

  it('contains no tests, no sources of the web app and no settings of npm', async () => {
    const files = await readdir(join(image, 'hither'), { recursive: true })
    expect(files).toEqual(expect.arrayContaining(['web/dist/index.html', 'server/src/main.ts']))
    const own = files.filter((path) => !path.startsWith('node_modules'))
    expect(
      own.filter((path) => /\.(?:test|model)\.ts$|\/(?:harness|fixture)\.ts$|^(?:web\/src|server\/test)/.test(path)),
    ).toEqual([])
    expect(files.filter((path) => /(?:^|\/)\.(?:npmrc|package-lock\.json)$/.test(path))).toEqual([])
    for (const name of ['vite', 'vitest', 'typescript', 'node', 'react', '@biomejs', '@playwright'])
      expect(files).not.toContain(`node_modules/${name}`)
    expect(await readdir(join(image, 'root'))).toEqual(await readdir(join(base, 'root')))
  })

  it('is not built without a file that the ignore file has to let through', async () => {
    const complete = await readFile(join(repository, 'deploy/Dockerfile.dockerignore'), 'utf8')
    const ignoreFile = join(folder, 'ignore')
    expect(complete).toContain('\n!locales\n')
    await writeFile(ignoreFile, complete.replace('\n!locales\n', '\n'))
    const { code, stderr } = await finished(spawn('buildah', [...storage, ...buildArguments(ignoreFile), repository]))
    expect(code).not.toBe(0)
    expect(stderr).toContain('locales/package.json')
  })

  it.each([
    ['node, on the volume that the engine makes', { uid: 1000, gid: 1000 }, null],
    ['an id without a name, which owns the volume', { uid: 12_345, gid: 12_345 }, { uid: 12_345, gid: 12_345 }],
  ])('runs as %s, keeps the data over a restart and stops on SIGTERM', async (_, user, owner) => {
    const volume = await makeVolume(owner)
    const container = await startContainer(volume, user)
    expect((await container.call({ path: '/readyz' })).status).toBe(200)
    expect((await container.call({ path: '/' })).body).toContain('<script type="module"')
    expect(await signUp(container)).toBe(201)
    expect(await stopContainer(container), container.first.output()).toBe(0)

    const again = await startContainer(volume, user)
    expect(await logIn(again)).toBe(200)
    expect(await stopContainer(again), again.first.output()).toBe(0)
  })

  it('has the command hither, which makes codes and backups and restores them on another volume', async () => {
    const user = { uid: 1000, gid: 1000 }
    const exec = { as: user, environment, folder: imageConfig.WorkingDir }
    const container = await startContainer(await makeVolume(null), user)
    const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as { version: string }
    expect((await container.run(['hither', 'version'], exec)).stdout).toBe(`${version}\n`)
    expect((await container.run(['hither', 'code'], exec)).stdout).toMatch(/\/admin#code=\S+/)
    expect(await signUp(container)).toBe(201)
    const backup = await container.run(['hither', 'backup', '-'], exec)
    expect(backup.code, backup.stderr).toBe(0)
    expect(backup.stderr).toContain('Stop this server before you start the new one.')
    expect(await stopContainer(container)).toBe(0)

    const volume = await makeVolume(null)
    const idle = await startMachine({ root: image, volumes: { '/data': volume }, isReadOnly: true })
    server = idle
    const restored = await idle.run(['hither', 'restore', '-'], { ...exec, input: backup.bytes })
    expect(restored.code, restored.stderr).toBe(0)
    await idle.stop()
    expect(await logIn(await startContainer(volume, user))).toBe(200)
  })
})

/** The bytes of all files in a folder, each counted once. */
async function bytesOf(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const stats = await Promise.all(files.map((entry) => lstat(join(entry.parentPath, entry.name))))
  const once = new Map(stats.map((stat) => [`${stat.dev}:${stat.ino}`, stat.size]))
  return [...once.values()].reduce((sum, size) => sum + size, 0)
}
