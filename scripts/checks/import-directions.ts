import { join, posix } from 'node:path'
import { root } from '../run.ts'
import { findCycles } from './import-cycles.ts'
import { graphOf, importsOf, type Module, readModules } from './module-imports.ts'

/** The order of the folders of one source tree, and what else holds for its imports. */
export interface Area {
  /** The source folder, relative to the repository. */
  readonly root: string
  /**
   * Folders and files below `root`. A module imports only from its own entry and from entries before it. Of several entries that
   * match, the longest counts; every module needs one. Types count like values.
   */
  readonly order: readonly string[]
  /** Tests and what they share. They import from everywhere, and no other module imports them. Without it, tests count too. */
  readonly tests?: RegExp
  /** Modules that are imported only from their own top folder, also by tests. */
  readonly internal?: RegExp
  /** Whether modules, and the folders of one entry, may not import each other in a circle. */
  readonly isAcyclic?: boolean
  /** The packages of this repository that may be imported. With it, no file outside of `root` may be imported. */
  readonly packages?: readonly string[]
  /** Modules of these packages from which only types may be imported. */
  readonly typesOnly?: RegExp
}

const areas: readonly Area[] = [
  {
    root: 'server/src',
    order: [
      // Shared parts, which know no feature.
      'platform/errors',
      'version.ts',
      'config',
      'config.ts',
      'platform/async',
      'platform/crypto',
      'platform/languages',
      'platform/data-folder',
      'platform/db',
      'platform/http',
      'platform/mail',
      'platform/media',
      // How changes of the product reach every node and every client.
      'presence',
      'events',
      'cluster',
      'ops',
      // What the server must know about each change feed.
      'feeds',
      // Features.
      'app-links',
      'geo',
      'maps',
      'relations',
      'users',
      'circles',
      'admission',
      'service',
      'updates',
      'ping-access',
      'trips',
      'pings',
      'previews',
      'files',
      'messages',
      'friends',
      'friend-links',
      'notifications',
      'auth',
      'moderation',
      'accounts',
      'diagnostics',
      'backups',
      'realtime/protocol',
      'realtime/subscriptions',
      'realtime/broadcasts',
      'realtime/presence',
      'realtime/gateway',
      // The composition of all of them.
      'jobs.ts',
      'app.ts',
      'data-access.ts',
      'serve.ts',
      'main.ts',
    ],
    tests: /\.(?:test|model)\.ts$|(?:^|\/)(?:harness|fixture)\.ts$/,
    internal: /\.queries\.ts$/,
    isAcyclic: true,
  },
  {
    root: 'web/src',
    order: [
      'device',
      'i18n',
      'api',
      'ui',
      'platform',
      'map',
      'moderation',
      'realtime',
      'admin',
      'session',
      'auth',
      'service-worker',
      'notifications',
      'friends',
      'friend-links',
      'circles',
      'outbox',
      'chat',
      'trips',
      'pings',
      'share',
      'home',
      'safety',
      'sign-out',
      'profile',
      'live',
      'notification-events',
      'pwa',
      'shell',
      // The composition of all of them.
      'routes.tsx',
      'app.tsx',
      'main.tsx',
    ],
    packages: ['@hither/contract', '@hither/locales'],
    // The other modules of the contract load the schema library.
    typesOnly: /^@hither\/contract\/(?!runtime\/|feeds\.ts$|refusals\.ts$)/,
  },
]

/** One sentence for each import that the area does not allow, and for each module without an entry in its order. */
export function findViolations(
  { order, tests, internal, packages, typesOnly }: Area,
  modules: readonly Module[],
): string[] {
  const isTest = (path: string) => tests?.test(path) ?? false
  return modules.flatMap((module) => {
    const from = entryOf(order, module.path)
    if (from === undefined && !isTest(module.path)) return [`${module.path} is in no folder of the order`]
    return targetsOf(module).flatMap(({ target: imported, clause }) => {
      const fault = (reason: string) => [`${module.path} imports ${imported}: ${reason}`]
      if (imported.startsWith('@hither/')) {
        if (typesOnly?.test(imported) && !clause.startsWith('type ')) return fault('only types may be imported from it')
        if (!packages || packages.some((name) => contains(name, imported))) return []
        return fault(`only these packages may be imported: ${packages.join(', ')}`)
      }
      if (imported.startsWith('..')) return packages ? fault('it is outside of the checked folder') : []
      if (internal?.test(imported) && topOf(imported) !== topOf(module.path))
        return fault(`only ${topOf(imported)} may import it`)
      if (isTest(module.path)) return []
      if (isTest(imported)) return fault('only tests may import it')
      const to = entryOf(order, imported)
      if (from === undefined || to === undefined || from === to || order.indexOf(to) < order.indexOf(from)) return []
      return fault(`${from} comes before ${to}`)
    })
  })
}

/** One sentence for each entry of the order that no module belongs to. */
export function findEmptyEntries({ order }: Area, modules: readonly Module[]): string[] {
  return order
    .filter((entry) => !modules.some(({ path }) => contains(entry, path)))
    .map((entry) => `no module belongs to ${entry} of the order`)
}

/** One sentence for each circle of modules, and of folders of one entry. Types count like values, tests do not. */
export function findCircles({ order, tests, isAcyclic = false }: Area, modules: readonly Module[]): string[] {
  if (!isAcyclic) return []
  const graph = graphOf(modules.filter(({ path }) => !tests?.test(path)))
  const folders = new Map<string, string[]>()
  for (const [path, targets] of graph) {
    const folder = folderWithin(order, path)
    const others = targets.map((target) => folderWithin(order, target))
    if (folder !== null)
      folders.set(folder, [...(folders.get(folder) ?? []), ...others.filter((other) => other !== null)])
  }
  return [...findCycles(graph), ...findCycles(folders)].map((circle) => `${circle.join(', ')} import each other`)
}

/** The folder directly below the entry that a module belongs to; null for a module in the entry itself. */
function folderWithin(order: readonly string[], path: string): string | null {
  const entry = entryOf(order, path)
  const [folder = '', ...rest] = path.slice((entry?.length ?? 0) + 1).split('/')
  return entry === undefined || rest.length === 0 ? null : `${entry}/${folder}`
}

function entryOf(order: readonly string[], path: string): string | undefined {
  return order.filter((entry) => contains(entry, path)).sort((a, b) => b.length - a.length)[0]
}

function contains(entry: string, path: string): boolean {
  return path === entry || path.startsWith(`${entry}/`)
}

/** The imports of files, with paths relative to the root of the area, and of packages of this repository. */
function targetsOf({ path, text }: Module) {
  return importsOf(text)
    .filter(({ target }) => target.startsWith('.') || target.startsWith('@hither/'))
    .map(({ target, clause }) => ({
      target: target.startsWith('.') ? posix.join(posix.dirname(path), target) : target,
      clause,
    }))
}

function topOf(path: string): string {
  return path.split('/', 1)[0] ?? path
}

if (import.meta.main) {
  const violations = areas.flatMap((area) => {
    const modules = readModules(join(root, area.root))
    const violations = [
      ...findViolations(area, modules),
      ...findEmptyEntries(area, modules),
      ...findCircles(area, modules),
    ]
    return violations.map((violation) => `${area.root}: ${violation}`)
  })
  for (const violation of violations) process.stderr.write(`${violation}\n`)
  if (violations.length > 0) process.exitCode = 1
}
