import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { root } from '../run.ts'
import { findCycles } from './import-cycles.ts'
import { graphOf, readModules } from './module-imports.ts'

// Counts how much there is to read, as a table. Run it with the folder of another checkout to compare the two. It counts
// only what a program can count: how many files a person opens for a change is counted by a person.

const sources = ['server', 'web', 'contract', 'scripts']
const sourceFile = /\.(?:tsx?|css|sql|html|cjs|js|json)$/
const test = /(?:^|\/)(?:test|e2e)\/|\.(?:test|model)\.tsx?$|(?:^|\/)(?:harness|fixture)\.tsx?$/
const skipped = new Set(['node_modules', 'dist', '.git'])
const smallBytes = 2048

type Row = readonly [measure: string, value: string]

function measure(folder: string): Row[] {
  const all = filesOf(folder)
  const source = all.filter(
    (file) => sources.includes(file.split('/', 1)[0] ?? '') && sourceFile.test(file) && !test.test(file),
  )
  const generated = all.filter((file) => /^locales\/(?:compiled\/|\w+\/emoji\.json$)/.test(file))
  const web = graphOf(readModules(join(folder, 'web/src')).filter(({ path }) => !test.test(path)))
  const platform = graphOf(readModules(join(folder, 'server/src/platform')).filter(({ path }) => !test.test(path)))
  const kind = /\bping_trip\b|\bpingTrip\b/
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const server = source.filter((file) => /^server\/src\/.*\.ts$/.test(file))
  const exactPlace = /exactPlaceFor === '|exact_place_for (?:=|!==|===|<>) '|'going' \?/
  return [
    ['source lines without tests', `${sum(source.map((file) => linesOf(read(file))))}`],
    ['files in web/src without tests', `${web.size}`],
    ['of these, with exactly one importer', `${countWithOneImporter(web)}`],
    ['generated or data lines in git', `${sum(generated.map((file) => linesOf(read(file))))}`],
    ...chunksOf(join(folder, 'web/dist')),
    ['import cycles inside server/src/platform', `${findCycles(platform).length}`],
    [
      'comments "Needs … locked", "Needs `lock…`" and "Joins the … transaction"',
      `${sum(server.map((file) => countOfLockComments(read(file))))}`,
    ],
    [
      'files of the server that decide by the setting of the exact place',
      `${server.filter((file) => exactPlace.test(read(file))).length}`,
    ],
    [
      'files that name one kind of notification (ping_trip), migrations aside',
      `${source.filter((file) => /^\w+\/src\//.test(file) && kind.test(read(file))).length}`,
    ],
  ]
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return []
    if (!entry.isDirectory()) return entry.isFile() ? [entry.name] : []
    return filesOf(join(folder, entry.name)).map((file) => `${entry.name}/${file}`)
  })
}

function countWithOneImporter(graph: ReadonlyMap<string, readonly string[]>): number {
  const importers = new Map<string, number>()
  for (const targets of graph.values())
    for (const target of targets) importers.set(target, (importers.get(target) ?? 0) + 1)
  return [...importers.values()].filter((count) => count === 1).length
}

function chunksOf(dist: string): Row[] {
  const name = `chunks of the web app / below ${smallBytes} bytes`
  if (!existsSync(dist)) return [[name, 'not built']]
  const sizes = filesOf(dist)
    .filter((file) => file.endsWith('.js'))
    .map((file) => statSync(join(dist, file)).size)
  return [[name, `${sizes.length} / ${sizes.filter((size) => size < smallBytes).length}`]]
}

/** A sentence of a comment may stand on several lines. */
function countOfLockComments(text: string): number {
  const sentences = text.replace(/\n\s*(?:\*|\/\/)\s?/g, ' ')
  return (
    sentences.match(/\b[Nn]eeds? [^.]*\blocked\b|\bNeeds `lock|\b[Jj]oins (?:the|that) [^.]*\btransaction\b/g)
      ?.length ?? 0
  )
}

function linesOf(text: string): number {
  return text.split('\n').length - 1
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? root)
  const rows = measure(folder)
  const width = Math.max(...rows.map(([name]) => name.length))
  process.stdout.write(`${relative(process.cwd(), folder) || '.'}\n`)
  for (const [name, value] of rows) process.stdout.write(`${name.padEnd(width)}  ${value}\n`)
}
