import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'

/** Path, relative to a folder, and text of a module. */
export interface Module {
  readonly path: string
  readonly text: string
}

/** `clause` is the text between `import` and `from`. It is empty if the statement names nothing, as `import()` does. */
export interface Import {
  readonly target: string
  readonly clause: string
}

const statements = [
  /^(?:import|export)\s(?<clause>[^'";]*?)from\s*'(?<target>[^']+)'/gm,
  /^import\s*'(?<target>[^']+)'/gm,
  /\bimport\(\s*'(?<target>[^']+)'/g,
  /\bnew URL\(\s*'(?<target>[^']+\.tsx?)'/g,
]

/** The imports and re-exports of a module, in the form that the formatter gives them. */
export function importsOf(text: string): Import[] {
  return statements
    .flatMap((statement) => [...text.matchAll(statement)])
    .map(({ groups }) => ({ target: groups?.['target'] ?? '', clause: groups?.['clause']?.trim() ?? '' }))
}

export function readModules(folder: string): Module[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => /\.tsx?$/.test(name) && !/[\\/](?:node_modules|dist)[\\/]/.test(`${parentPath}/`))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(folder, file).replaceAll('\\', '/'), text: readFileSync(file, 'utf8') }))
}

/** For each module, the other modules of the list that it imports. Types count like values. */
export function graphOf(modules: readonly Module[]): Map<string, string[]> {
  const paths = new Set(modules.map(({ path }) => path))
  return new Map(
    modules.map(({ path, text }) => {
      const targets = importsOf(text).map(({ target }) => posix.join(posix.dirname(path), target))
      return [path, [...new Set(targets)].filter((target) => target !== path && paths.has(target))]
    }),
  )
}
