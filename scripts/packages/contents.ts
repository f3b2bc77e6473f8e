import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from '../run.ts'

/** The files of ours that run a server: image, package and archives contain them. */
export const serverFiles = [
  'package.json',
  'LICENSE',
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
]

export const documents = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs']

/** What npm needs to install the libraries: the package files of all workspaces in the lock file, among others. */
export const manifests = [
  'package.json',
  'package-lock.json',
  'contract/package.json',
  'locales/package.json',
  'server/package.json',
  'web/package.json',
  'mobile/package.json',
  'e2e/package.json',
  'bench/package.json',
]

const leftOut = /\.(?:test|model)\.ts$|\/(?:harness|fixture)\.ts$|^docs\/screenshots$|\/\.built-from$|\.tar\.br$/

/** Copies files and folders of the repository, without tests and what only this machine needs, to the same paths in `folder`. */
export async function copyFiles(paths: readonly string[], folder: string): Promise<void> {
  for (const path of paths) {
    const target = join(folder, path)
    await mkdir(dirname(target), { recursive: true })
    await cp(root + path, target, { recursive: true, filter: (source) => !leftOut.test(source.slice(root.length)) })
  }
}
