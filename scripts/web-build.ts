import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run, tool } from './run.ts'

/** The inputs of the build of the web app. */
const sources = [
  'web/src',
  'web/public',
  'contract/src',
  'locales/compiled',
  'web/index.html',
  'web/vite',
  'web/vite.config.ts',
  'web/package.json',
  'package-lock.json',
]
const stamp = `${root}web/dist/.built-from`

/**
 * Builds the web app if there is no build of the current sources. Throws if the build fails. In a release archive, which has
 * the build without the sources, it does nothing.
 */
export async function buildWebIfStale(): Promise<void> {
  if (!existsSync(`${root}web/src`)) return
  const digest = await digestOf(sources)
  if ((await readFile(stamp, 'utf8').catch(() => '')) === digest) return
  process.stdout.write('Building the web app…\n')
  const code = await run(tool('vite'), ['build', '--logLevel', 'warn'], {
    cwd: `${root}web`,
    // With the value `test` of a caller, the build would violate its own Content-Security-Policy.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (code !== 0) throw new Error('The web app could not be built.')
  await writeFile(stamp, digest)
}

// The digest uses contents instead of modification times, because a fresh clone or a copied folder has new times.
async function digestOf(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const path of paths)
    for (const file of await filesBelow(path))
      hash
        .update(file)
        .update('\0')
        .update(await readFile(root + file))
  return hash.digest('hex')
}

/** The files of a folder and of those within, sorted, or the path itself if it is a file. Paths are relative to the root of the repository. */
export async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(root + path, { recursive: true, withFileTypes: true }).catch(() => null)
  if (!entries) return [path]
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
  return files.sort()
}
