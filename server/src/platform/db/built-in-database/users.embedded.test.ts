import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/free-port.ts'
import { startProcess } from '../../../../test/server-process.ts'

const main = fileURLToPath(new URL('../../../main.ts', import.meta.url))
const isRoot = process.geteuid?.() === 0
const works = (program: string, ...args: string[]) => spawnSync(program, args).status === 0
const hasUserNamespaces = works('unshare', '--user', '--map-root-user', 'true')
const hasMountNamespaces = works('unshare', '--mount', 'true')

let parent: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'hither-users-'))
  await chmod(parent, 0o755)
})
afterEach(() => rm(parent, { recursive: true, force: true }))

/** Runs the server to its end, started by the program `wrap`. */
async function outcomeOf(wrap: readonly string[], environment: Record<string, string>) {
  const [program = '', ...args] = [...wrap, process.execPath, main]
  const port = String(await freePort())
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'], PORT: port, LOG_LEVEL: 'silent', MAP_ONLINE: 'off', ...environment },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

describe('a server that root starts', () => {
  it.runIf(hasUserNamespaces)('prints what to do in a container with a single user id', async () => {
    // As in such a container: there is no user but root, so nothing can be given to another one or run as it.
    const { code, output } = await outcomeOf(['unshare', '--user', '--map-root-user'], { DATA_DIR: parent })
    expect({ code, output }).toEqual({
      code: 1,
      output:
        "Hither did not start. The database can't run as root, and this system doesn't let Hither change to the user nobody. " +
        'Run Hither as an ordinary user, or set DATABASE_URL.\n',
    })
    expect(await readdir(parent)).not.toContain('postgres-18')
  })

  it.runIf(isRoot && hasMountNamespaces)(
    'uses /var/lib/hither, also for compiled code, if DATA_DIR is not set and only root can enter the folder it is started in',
    async () => {
      const [closed, varLib] = [join(parent, 'closed'), join(parent, 'lib')]
      await mkdir(closed, { mode: 0o700 })
      await mkdir(varLib, { mode: 0o755 })
      // The /var/lib of this server alone.
      const script = 'mount --bind "$0" /var/lib && cd "$1" && shift && exec "$@"'
      const wrap = ['unshare', '--mount', 'sh', '-c', script, varLib, closed]
      for (const time of ['first', 'second']) {
        const server = await startProcess({ NODE_COMPILE_CACHE: '' }, wrap)
        expect(server.output()).toMatch(/^ {4}Data {7}\/var\/lib\/hither$/m)
        expect(server.output()).toContain('running as root: run Hither as a user of its own')
        expect((await fetch(`${server.url}/readyz`)).status, time).toBe(200)
        const pid = Number.parseInt(await readFile(join(varLib, 'hither', 'postgres-18', 'postmaster.pid'), 'utf8'), 10)
        const { uid } = await stat(join(varLib, 'hither', 'postgres-18'))
        expect(await readFile(`/proc/${pid}/status`, 'utf8')).toContain(`Uid:\t${uid}\t${uid}\t${uid}\t${uid}\n`)
        expect(uid).not.toBe(0)
        expect(await server.end('SIGTERM')).toBe(0)
      }
      const cached = await readdir(join(varLib, 'hither', 'cache'), { recursive: true })
      expect(cached.length).toBeGreaterThan(100)
      expect((await stat(join(varLib, 'hither', 'cache'))).mode & 0o077).toBe(0)
      expect(await readdir(closed)).toEqual([])
    },
  )

  it.runIf(isRoot)('gives a new DATA_DIR to the owner of the folder that contains it', async () => {
    await chown(parent, 1, 1)
    const folder = join(parent, 'new', 'data')
    const server = await startProcess({ DATA_DIR: folder })
    for (const path of [join(parent, 'new'), folder, join(folder, 'postgres-18')])
      expect((await stat(path)).uid, path).toBe(1)
    expect(await server.end('SIGTERM')).toBe(0)
  })
})

describe('a server that an ordinary user starts', () => {
  const asUserOne = ['setpriv', '--reuid', '1', '--regid', '1', '--clear-groups']

  it.runIf(isRoot)('runs its database as the same user, also if it was started with a lower priority', async () => {
    await chown(parent, 1, 1)
    const server = await startProcess({ DATA_DIR: join(parent, 'data') }, ['nice', '-n', '5', ...asUserOne])
    const account = { email: 'ann@example.org', password: 'correct horse battery', username: 'ann' }
    expect((await server.call('POST', '/api/auth/signup', account)).status).toBe(201)
    expect((await stat(join(parent, 'data', 'postgres-18'))).uid).toBe(1)
    expect(server.output()).not.toContain('running as root')
    expect(await server.end('SIGTERM')).toBe(0)
  })

  it.runIf(isRoot)('names the owner of a DATA_DIR that belongs to somebody else', async () => {
    const folder = join(parent, 'data')
    await mkdir(folder, { mode: 0o700 })
    await chown(folder, 4242, 4242)
    const { code, output } = await outcomeOf(asUserOne, { DATA_DIR: folder })
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^Hither did not start\. .*data belongs to the user 4242, but Hither runs as \w+\. Run Hither as that user, or change the owner of .*data\.\n$/,
      ),
    })
  })
})
