import { randomInt } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addSystemd, type Debian, packageOn, sh, startDebian } from './debian.ts'
import type { Machine } from './machine.ts'

const password = 'correct horse battery'
const settings = '/etc/hither/hither.env'

let folder: string
let file: string
let oldMachine: Debian
let newMachine: Debian
let filesBefore: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hither-move-'))
  file = await packageOn('.deb')
  oldMachine = await startDebian(folder)
  newMachine = await startDebian(folder)
  await addSystemd(newMachine)
  filesBefore = await filesOf(newMachine)
})

afterAll(async () => {
  await oldMachine.stop()
  await newMachine.stop()
  await rm(folder, { recursive: true, force: true })
})

async function call(machine: Machine, method: string, path: string, token = '', given: object = {}): Promise<unknown> {
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
  const { status, body } = await machine.call({ method, path: `/api${path}`, headers, ...given })
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${body}`)
  return path.startsWith('/files') && method === 'GET' ? body : body === '' ? null : JSON.parse(body)
}

async function tokenOf(machine: Machine, how: 'signup' | 'login', name: string): Promise<string> {
  const json = { email: `${name}@example.org`, password, ...(how === 'signup' && { username: name }) }
  return ((await call(machine, 'POST', `/auth/${how}`, '', { json })) as { access_token: string }).access_token
}

/** What Ann and Bob see on a server. */
async function everything(
  machine: Machine,
  how: 'signup' | 'login',
  prepare?: (ann: string, bob: string) => Promise<void>,
) {
  const [ann, bob] = [await tokenOf(machine, how, 'ann'), await tokenOf(machine, how, 'bob')]
  await prepare?.(ann, bob)
  return {
    friends: await call(machine, 'GET', '/friends/', ann),
    pins: await call(machine, 'GET', '/pings/', ann),
    pinsOfFriends: await call(machine, 'GET', '/pings/', bob),
    picture: await call(machine, 'GET', '/files/profile-image/me', ann),
  }
}

/** All paths of a machine but those in which Debian's own programs write. */
async function filesOf(machine: Debian): Promise<string[]> {
  const left = '/proc /dev /mnt /tmp /run /var/log /var/cache /var/lib/apt /var/lib/dpkg /etc/shadow- /etc/gshadow-'
  const pruned = left.split(' ').map((path) => `-path ${path}`)
  return (await sh(machine, `find / '(' ${pruned.join(' -o ')} ')' -prune -o -print`)).split('\n').toSorted()
}

// These tests follow one move.
describe('a move between two machines with the Debian package', () => {
  let seen: unknown
  let move: Buffer

  it('begins with one file of the running server', async () => {
    await sh(oldMachine, `apt-get install --yes ${file}; echo 'SERVER_NAME=Old' >>${settings}`)
    const server = oldMachine.start(['hither', 'start'])
    await server.says('Hither is running')
    seen = await everything(oldMachine, 'signup', async (ann, bob) => {
      await call(oldMachine, 'POST', '/friends/request', ann, { json: { username: 'bob' } })
      await call(oldMachine, 'POST', '/friends/request', bob, { json: { username: 'ann' } })
      const pin = { latitude: 48.1, longitude: 11.5, duration_minutes: 240 }
      await call(oldMachine, 'POST', '/pings/', ann, { json: { ...pin, name: 'Kept' } })
      const deleted = await call(oldMachine, 'POST', '/pings/', ann, { json: { ...pin, name: 'Deleted' } })
      await call(oldMachine, 'DELETE', `/pings/${(deleted as { id: string }).id}`, ann)
      const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
      await call(oldMachine, 'POST', '/files/profile-image', ann, { picture: picture.toString('base64') })
    })
    const made = await oldMachine.run(['hither', 'backup', '-'])
    expect(made.code, made.stderr).toBe(0)
    expect(made.stderr).toMatch(/Stop this server before you start the new one\.\n$/)
    move = made.bytes
    await server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
  })

  it('finds the package running on the new machine, which says how to go on', async () => {
    const output = await sh(newMachine, `apt-get install --yes ${file}`)
    expect(output.replaceAll('\r', '')).toContain(`
Hither runs on http://localhost:3000 (this machine only).
  sudo hither code             shows the link that makes you its administrator
  /etc/hither/hither.env       the settings; then: sudo systemctl restart hither
  /usr/share/doc/hither        four ways to HTTPS, backups, moving
`)
    expect((await newMachine.call({ path: '/readyz' })).status).toBe(200)
  })

  it('changes nothing if the file is cut', async () => {
    await writeFile(join(newMachine.root, settings), 'SERVER_NAME=New\n')
    const cut = randomInt(1, move.length)
    const { code, stderr } = await newMachine.run(['hither', 'restore', '-'], { input: move.subarray(0, cut) })
    expect(code, `cut at ${cut}`).toBe(1)
    expect(stderr).toContain('Nothing was restored.')
    await answers(newMachine)
    await expect(tokenOf(newMachine, 'login', 'ann')).rejects.toThrow('401')
  })

  it('ends with the same accounts, pins, pictures and deletions, and the settings of the new machine', async () => {
    const { code, stdout, stderr } = await newMachine.run(['hither', 'restore', '-'], { input: move })
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('Settings of the old machine: /var/lib/hither/old-machine.env')
    await answers(newMachine)
    expect(await everything(newMachine, 'login')).toEqual(seen)
    expect(JSON.stringify(seen)).toContain('Kept')
    expect(JSON.stringify(seen)).not.toContain('Deleted')
    expect(await readFile(join(newMachine.root, settings), 'utf8')).toBe('SERVER_NAME=New\n')
    expect(await readFile(join(newMachine.root, 'var/lib/hither/old-machine.env'), 'utf8')).toContain('SERVER_NAME=Old')
    expect(JSON.stringify(await call(newMachine, 'GET', '/config'))).toContain('"server_name":"New"')
  })

  it('is refused on a server with accounts', async () => {
    const { code } = await newMachine.run(['hither', 'restore', '-'], { input: move })
    expect(code).toBe(1)
    await answers(newMachine)
  })

  it('goes on after an upgrade, which stops and starts the service', async () => {
    const pid = await sh(newMachine, 'cat /run/hither.pid')
    await sh(newMachine, `dpkg --install ${file}`)
    await answers(newMachine)
    expect(await sh(newMachine, 'cat /run/hither.pid')).not.toBe(pid)
    expect(await everything(newMachine, 'login')).toEqual(seen)
  })

  it('leaves nothing after the uninstall but what it names, and nothing with the data deleted', async () => {
    const output = await sh(newMachine, 'apt-get purge --yes hither')
    expect(output).toContain('The data of Hither stays in /var/lib/hither.')
    const left = (await filesOf(newMachine)).filter((path) => !filesBefore.includes(path))
    expect(left.filter((path) => !path.startsWith('/var/lib/hither'))).toEqual([])
    expect(left).toContain('/var/lib/hither')

    await sh(
      newMachine,
      `dpkg --install ${file}; echo 'hither hither/delete-data boolean true' | debconf-set-selections`,
    )
    await sh(newMachine, 'apt-get purge --yes hither')
    expect((await filesOf(newMachine)).filter((path) => !filesBefore.includes(path))).toEqual([])
    expect(await sh(newMachine, 'cat /etc/passwd /etc/group /proc/[0-9]*/comm')).not.toMatch(/hither|node|postgres/)
  })
})

/** Waits until the service, which was started a moment ago, answers. */
async function answers(machine: Machine): Promise<void> {
  const log = machine.start(['tail', '--lines=+1', '--follow=name', '--retry', '/var/log/hither'])
  await log.says('Hither is running')
  await log.signal('SIGKILL')
}
