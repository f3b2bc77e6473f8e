import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { logIn, signUp } from './accounts.ts'
import { type Debian, idsOf, packageOn, sh, startDebian } from './debian.ts'
import { run } from './setup.ts'

const { image, packages } = inject('parts')

let folder: string
let machine: Debian

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hither-archives-'))
  machine = await startDebian(folder)
})

afterAll(async () => {
  await machine.stop()
  await rm(folder, { recursive: true, force: true })
})

/** `hither start` of an unpacked archive, as an ordinary user. */
async function start(place: string) {
  const as = await idsOf(machine, 'ann')
  const server = machine.start(['./hither', 'start'], { as, environment: { HOME: '/home/ann' }, folder: place })
  await server.says('Hither is running')
  return server
}

describe('the archive with Node inside', () => {
  it('runs on a machine without Node, npm, network or root, and the next copy finds the data', async () => {
    await sh(machine, 'useradd --create-home ann')
    const archive = await packageOn('.tar.gz')
    const name = basename(archive, '.tar.gz')
    for (const place of ['/home/ann', '/home/ann/next'])
      await sh(
        machine,
        `install --directory --owner=ann ${place}; tar --extract --file ${archive} --directory ${place}`,
      )
    expect((await machine.run(['sh', '-c', 'command -v node npm'])).code).not.toBe(0)

    const server = await start(`/home/ann/${name}`)
    expect(server.output()).toContain('The data is in /home/ann/.local/share/hither')
    expect((await machine.call({ path: '/readyz' })).status).toBe(200)
    expect((await machine.call({ path: '/' })).body).toContain('<script type="module"')
    expect(await signUp(machine)).toBe(201)
    await server.signal('SIGTERM')
    expect(await server.ended).toBe(0)

    const again = await start(`/home/ann/${name}`)
    expect(await logIn(machine)).toBe(200)
    await again.signal('SIGTERM')
    expect(await again.ended).toBe(0)

    const next = await start(`/home/ann/next/${name}`)
    expect(await logIn(machine)).toBe(200)
    await next.signal('SIGTERM')
    expect(await next.ended).toBe(0)
  })

  it('leaves nothing on the machine but its folder and DATA_DIR', async () => {
    const left = await sh(
      machine,
      'find / -xdev -user ann -newer /home/ann/.profile ! -path "/home/ann/*" ! -path "/proc/*"',
    )
    expect(left.split('\n').filter((path) => !['', '/home/ann'].includes(path))).toEqual([])
    const home = (await readdir(join(machine.root, 'home/ann'))).filter((name) => !name.startsWith('hither-'))
    expect(home.toSorted()).toEqual(['.bash_logout', '.bashrc', '.local', '.profile', 'next'])
    expect(await readdir(join(machine.root, 'home/ann/.local/share'))).toEqual(['hither'])
  })
})

/** What one form has and another one does not, and why. */
const differences = {
  image: [
    // The first start of a container unpacks it, because `initdb` needs a name for the user id.
    'server/assets/postgres-18.tar.br',
    'scripts/pack-database.ts',
  ],
  // An image has the Node of its base.
  package: ['node/LICENSE', 'node/bin/node'],
  archive: ['node/LICENSE', 'node/bin/node', 'CHANGELOG.md', 'README.md', 'SECURITY.md'],
}

describe('image, package and archive', () => {
  let unpackedPackage: string
  let unpackedArchive: string

  beforeAll(async () => {
    const trees = join(folder, 'trees')
    const [deb, archive] = (await Promise.all([packageOn('.deb'), packageOn('.tar.gz')])).map((path) => basename(path))
    await run('dpkg-deb', ['--extract', join(packages, deb ?? ''), trees])
    await run('tar', ['--extract', '--file', join(packages, archive ?? ''), '--directory', trees])
    unpackedPackage = join(trees, 'usr/lib/hither')
    unpackedArchive = join(trees, basename(archive ?? '', '.tar.gz'))
  })

  it('contain the same files of ours, except for the listed ones', async () => {
    const own = async (tree: string) => {
      const entries = await readdir(tree, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => !entry.isDirectory())
      const paths = files.map((entry) => join(entry.parentPath, entry.name).slice(tree.length + 1))
      return paths.filter((path) => !/^(?:node_modules|docs)\//.test(path))
    }
    const forms = {
      image: await own(join(image, 'hither')),
      package: await own(unpackedPackage),
      archive: await own(unpackedArchive),
    }
    const shared = (form: keyof typeof forms) =>
      forms[form].filter((path) => !differences[form].includes(path)).toSorted()
    expect(shared('package')).toEqual(shared('image'))
    expect(shared('archive')).toEqual(shared('image'))
    for (const form of ['image', 'package', 'archive'] as const)
      expect(forms[form]).toEqual(expect.arrayContaining([...differences[form], 'hither', 'web/dist/index.html']))
  })

  it('contain no tests, no sources of the web app and no development libraries', async () => {
    const files = await readdir(unpackedPackage, { recursive: true })
    const own = files.filter((path) => !path.startsWith('node_modules'))
    expect(own.filter((path) => /\.(?:test|model)\.ts$|^(?:web\/src|server\/test)/.test(path))).toEqual([])
    for (const name of [
      'vite',
      'vitest',
      'typescript',
      'node',
      'react',
      '@biomejs',
      '@playwright',
      '.package-lock.json',
    ])
      expect(files).not.toContain(`node_modules/${name}`)
    expect(files.filter((path) => path.endsWith('.npmrc'))).toEqual([])
  })
})
