import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { finished } from './machine.ts'

declare module 'vitest' {
  interface ProvidedContext {
    parts: Parts
  }
}

/** What all tests of the suite share. None of them changes it. */
interface Parts {
  /** A fresh Debian. */
  readonly debian: string
  /** The options with which buildah finds its images. */
  readonly storage: readonly string[]
  /** The base of the image: the Debian root with Node and npm. */
  readonly base: string
  /** The files of the image. */
  readonly image: string
  readonly imageConfig: ImageConfig
  /** The folder with the Debian package and the archive of this machine's architecture. */
  readonly packages: string
}

interface ImageConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Cmd: readonly string[]
  readonly WorkingDir: string
  readonly Volumes: Readonly<Record<string, object>>
  readonly StopSignal: string
  readonly ExposedPorts: Readonly<Record<string, object>>
}

const repository = fileURLToPath(new URL('../../../', import.meta.url))
const imageTag = 'localhost/hither'
const baseTag = 'localhost/base'

/**
 * Makes one Debian root, one image, one package and one archive for the run. With a folder in `HITHER_PARTS`, parts that it has are
 * taken from it, and it is kept: for work on these tests.
 */
export default async function setup(project: TestProject) {
  const kept = process.env['HITHER_PARTS']
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'hither-parts-')))
  // Users of the machines come through.
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o711)
  const storage = ['--root', join(folder, 'storage/root'), '--runroot', join(folder, 'storage/run')]
  const remove = async () => {
    await run('buildah', [...storage, 'rm', '--all'])
    // buildah leaves the mount point of all layers.
    await run('sh', ['-c', 'if mountpoint --quiet "$0"; then umount "$0"; fi', join(folder, 'storage/root/overlay')])
    if (kept === undefined) await rm(folder, { recursive: true, force: true })
  }
  try {
    const debian = await makeDebian(folder)
    const packages = await makePackages(folder)
    project.provide('parts', { ...(await makeImage(folder, debian, storage)), storage, packages })
  } catch (error) {
    await remove()
    throw error
  }
  return remove
}

async function makeDebian(folder: string): Promise<string> {
  const debian = join(folder, 'debian')
  if (existsSync(debian)) return debian
  const partial = `${debian}.new`
  await rm(partial, { recursive: true, force: true })
  await run('debootstrap', ['--variant=minbase', 'bookworm', partial])
  // These machines need not survive a power cut.
  await writeFile(join(partial, 'etc/dpkg/dpkg.cfg.d/fast'), 'force-unsafe-io\n')
  await run('mv', [partial, debian])
  return debian
}

async function makePackages(folder: string): Promise<string> {
  const packages = join(folder, 'packages')
  if (existsSync(packages)) return packages
  await buildPackages(repository, `${packages}.new`)
  await run('mv', [`${packages}.new`, packages])
  return packages
}

/** `npm run package:deb` and `npm run package:linux` in one run. */
export async function buildPackages(
  sources: string,
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  umask = '022',
): Promise<void> {
  const words = [process.execPath, join(sources, 'scripts/package.ts'), '--deb', '--linux', folder]
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  await run('sh', ['-euc', 'umask "$0"; exec "$@"', umask, 'env', ...variables, ...words])
}

async function makeImage(folder: string, debian: string, storage: readonly string[]) {
  const base = join(folder, 'base')
  const buildah = (...args: string[]) => run('buildah', [...storage, ...args])
  const cache = (await run('npm', ['config', 'get', 'cache'])).trim()
  if (!existsSync(base)) {
    await makeBase(debian, base)
    const container = (await buildah('from', 'scratch')).trim()
    const root = (await buildah('mount', container)).trim()
    await run('cp', ['--archive', `${base}/.`, root])
    await buildah('commit', '--quiet', '--rm', '--format', 'docker', container, baseTag)
  }
  if ((await buildah('images', '--quiet', '--filter', `reference=${imageTag}`)).trim() === '')
    await run('buildah', [
      ...storage,
      ...buildArguments(),
      '--volume',
      `${cache}:/npm-cache`,
      '--tag',
      imageTag,
      repository,
    ])
  const container = (await buildah('from', imageTag)).trim()
  const image = (await buildah('mount', container)).trim()
  const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', imageTag)) as {
    Docker: { config: ImageConfig }
  }
  return { debian, base, image, imageConfig: Docker.config }
}

/** How the image is built from the base, with another ignore file if one is given. */
export function buildArguments(ignoreFile = join(repository, 'deploy/Dockerfile.dockerignore')): string[] {
  return [
    ...['bud', '--format', 'docker', '--isolation', 'chroot', '--network', 'host', '--jobs', '2'],
    ...['--build-arg', `BASE=${baseTag}`, '--file', join(repository, 'deploy/Dockerfile'), '--ignorefile', ignoreFile],
  ]
}

/** Like the base that the Dockerfile names: Node and npm in `/usr/local` and the user `node` with the id 1000. */
async function makeBase(debian: string, base: string): Promise<void> {
  const partial = `${base}.new`
  await rm(partial, { recursive: true, force: true })
  await run('cp', ['--archive', debian, partial])
  const local = join(partial, 'usr/local')
  await mkdir(join(local, 'lib/node_modules'), { recursive: true })
  await cp(join(repository, 'node_modules/node/bin/node'), join(local, 'bin/node'))
  const npm = join((await run('npm', ['root', '--global'])).trim(), 'npm')
  await run('cp', ['--archive', npm, join(local, 'lib/node_modules/npm')])
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  await run('chroot', [partial, 'useradd', '--uid', '1000', '--create-home', 'node'])
  // How npm reaches its registry from this machine belongs to the base, so that nothing of it has a way into the image.
  await mkdir(join(local, 'etc'), { recursive: true })
  await mkdir(join(partial, 'npm-cache'))
  const lines = ['cache=/npm-cache', 'prefer-offline=true']
  const setting = async (name: string) => (await run('npm', ['config', 'get', name])).trim()
  lines.push(`registry=${await setting('registry')}`)
  const certificates = await setting('cafile')
  if (certificates !== 'null') {
    await cp(certificates, join(local, 'etc/npm-ca.crt'))
    lines.push('cafile=/usr/local/etc/npm-ca.crt')
  }
  await writeFile(join(local, 'etc/npmrc'), `${lines.join('\n')}\n`)
  await run('mv', [partial, base])
}

/** Runs a program of this system and returns its output. Throws if it fails. */
export async function run(program: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await finished(spawn(program, args, { cwd: '/' }))
  if (code !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${stdout.slice(-4000)}${stderr.slice(-4000)}`)
  return stdout
}
