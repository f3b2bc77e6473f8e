import { posix } from 'node:path'
import { root } from '../run.ts'
import { type Import, importsOf, type Module, readModules } from './module-imports.ts'

const folders = ['contract', 'server', 'web', 'e2e', 'bench', 'mobile', 'scripts']

/** One sentence for each name that a module exports and no other module imports. Types count, default exports do not. */
export function findUnusedExports(modules: readonly Module[]): string[] {
  const used = new Set<string>()
  const exports = new Map(modules.map(({ path, text }) => [path, exportsOf(text)]))
  for (const { path, text } of modules) {
    for (const imported of importsOf(text)) {
      const target = pathOf(path, imported.target)
      for (const name of namesOf(imported, text, exports.get(target) ?? [])) used.add(`${target} ${name}`)
    }
  }
  return [...exports].flatMap(([path, names]) =>
    names
      .filter((name) => !used.has(`${path} ${name}`))
      .map((name) => `${path} exports ${name}, which no other module imports`),
  )
}

/** Of `exported`, the names that an import uses. An import of a whole module uses those that occur anywhere in the text. */
function namesOf({ clause }: Import, text: string, exported: readonly string[]): readonly string[] {
  const list = /\{([^}]*)\}/.exec(clause)?.[1]
  if (list === undefined) return exported.filter((name) => new RegExp(`\\b${name}\\b`).test(text))
  return list.split(',').map(
    (name) =>
      name
        .trim()
        .replace(/^type /, '')
        .split(' as ', 1)[0] ?? '',
  )
}

function exportsOf(text: string): string[] {
  const declared = text.matchAll(/^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm)
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) => list.split(','))
  const names = [...declared].map(([, name = '']) => name)
  return [...new Set([...names, ...listed.map((name) => name.trim().split(' as ').at(-1) ?? '')])].filter(Boolean)
}

function pathOf(importer: string, target: string): string {
  return target.startsWith('.')
    ? posix.join(posix.dirname(importer), target)
    : target.replace(/^@hither\/contract\//, 'contract/src/')
}

if (import.meta.main) {
  const modules = folders.flatMap((folder) =>
    readModules(root + folder).map(({ path, text }) => ({ path: `${folder}/${path}`, text })),
  )
  const unused = findUnusedExports(modules)
  for (const sentence of unused) process.stderr.write(`${sentence}\n`)
  if (unused.length > 0) process.exitCode = 1
}
