import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { root, run } from './run.ts'
import { buildWebIfStale } from './web-build.ts'

/**
 * `npm run package [-- FOLDER]`: writes `hither-<version>.tar.gz` with everything that a server needs except the libraries:
 * its code, the contract, the built web app, the scripts for operators, the documentation and the lock file. It contains
 * neither the sources of the web app nor tests.
 */
const contents = [
  'package.json',
  'package-lock.json',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs',
  'deploy/hither.service',
  'contract/package.json',
  'contract/src',
  'locales/package.json',
  'locales/compiled',
  'server/package.json',
  'server/assets',
  'server/migrations',
  'server/src',
  'web/dist',
  'scripts/commands',
  'scripts/hither.ts',
  'scripts/make-bucket.ts',
  'scripts/node-version.cjs',
  'scripts/run.ts',
  'scripts/server-options.ts',
  'scripts/web-build.ts',
  // npm requires the package files of all workspaces in the lock file.
  'web/package.json',
  'mobile/package.json',
  'e2e/package.json',
  'bench/package.json',
]

const leftOut = /\.(?:test|model)\.ts$|\/(?:harness|fixture)\.ts$|^docs\/screenshots$/

const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as { version: string }
const name = `hither-${version}`
const archive = join(resolve(process.argv[2] ?? '.'), `${name}.tar.gz`)

await buildWebIfStale()
const staging = await mkdtemp(join(tmpdir(), 'hither-package-'))
try {
  for (const path of contents) {
    const target = join(staging, name, path)
    await mkdir(dirname(target), { recursive: true })
    await cp(root + path, target, { recursive: true, filter: (source) => !leftOut.test(source.slice(root.length)) })
  }
  await mkdir(dirname(archive), { recursive: true })
  const code = await run('tar', ['--create', '--gzip', '--file', archive, '--directory', staging, name])
  if (code !== 0) throw new Error(`tar could not write ${archive}.`)
  process.stdout.write(`\n  ${basename(archive)} is in ${dirname(archive)}\n\n`)
} finally {
  await rm(staging, { recursive: true, force: true })
}
