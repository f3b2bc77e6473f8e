import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run, tool } from './run.ts'

/** What the web app is built from. */
const sources = [
  'web/src',
  'web/public',
  'contract/src',
  'web/index.html',
  'web/vite',
  'web/vite.config.ts',
  'web/package.json',
  'package-lock.json',
]
const stamp = `${root}web/dist/.built-from`

/**
 * Builds the web app where there is no build of just these sources. Throws where the build fails. A release archive has the build
 * without the sources: there is nothing to do.
 */
export async function buildWebIfStale(): Promise<void> {
  if (!existsSync(`${root}web/src`)) return
  const digest = await digestOf(sources)
  if ((await readFile(stamp, 'utf8').catch(() => '')) === digest) return
  process.stdout.write('Building the web app…\n')
  const code = await run(tool('vite'), ['build', '--logLevel', 'warn'], {
    cwd: `${root}web`,
    // A caller's `test` would build an app that its own Content-Security-Policy does not let run.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (code !== 0) throw new Error('The web app could not be built.')
  await writeFile(stamp, digest)
}

// By content and not by time: a fresh clone and a copied folder have new times on old files.
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

async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(root + path, { recursive: true, withFileTypes: true }).catch(() => null)
  if (!entries) return [path]
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
  return files.sort()
}
