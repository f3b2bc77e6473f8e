import { join, posix } from 'node:path'
import { readModules } from '../checks/module-imports.ts'
import { root } from '../run.ts'

/**
 * Which file of compiled messages a key belongs to. The web app loads `visitor` before the screens without a session, `home` with it
 * before Home, and `rest` before anything else. Only the server reads `server`.
 */
export type Group = 'visitor' | 'home' | 'rest' | 'server'
export const groups: readonly Group[] = ['visitor', 'home', 'rest', 'server']

/** The modules whose static imports run before the first screen. See `screenGroups` of the web build. */
const entries = {
  visitor: ['app.tsx', 'auth/LoginScreen.tsx'],
  home: ['shell/Shell.tsx', 'home/HomeScreen.tsx', 'notification-events/NotificationEvents.tsx'],
} as const

const staticImport = /^(?:import|export)\s(?!type\s)[^'";]*?from\s*'(\.[^']+)'|^import\s*'(\.[^']+)'/gm
const keyInCode = /\bt\(\s*'([\w.-]+)'/g
/** A key with a variable part, which stands for one part of the name: `circles.${kind}.title`. */
const keysInCode = /\bt\(\s*`([\w.-]*(?:\$\{[^}]+\}[\w.-]*)+)`/g
/** A key that is known only when the program runs. It may be missing, so nothing waits for it. */
const optionalKeysInCode = /\btextOf\(\s*`([\w.-]*(?:\$\{[^}]+\}[\w.-]*)+)`/g

/**
 * The keys in the code of the web app and of the server, by group. A key of two groups is in the one that is loaded first. A key
 * with a variable part stands for all of `keys` that match it.
 */
export function groupsInCode(keys: readonly string[]): Map<string, Set<Group>> {
  const web = new Map(readModules(join(root, 'web/src')).map(({ path, text }) => [path, text]))
  for (const path of Object.values(entries).flat())
    if (!web.has(path)) throw new Error(`web/src/${path} does not exist`)
  const isFirst = { visitor: reachedFrom(entries.visitor, web), home: reachedFrom(entries.home, web) }
  const found = new Map<string, Set<Group>>()
  const note = (key: string, group: Group) => found.set(key, (found.get(key) ?? new Set()).add(group))
  for (const [path, text] of web) {
    if (/\.test\.tsx?$/.test(path)) continue
    const group = isFirst.visitor.has(path) ? 'visitor' : isFirst.home.has(path) ? 'home' : 'rest'
    for (const key of keysIn(text, keys)) note(key, group)
    for (const key of matching(text, optionalKeysInCode, keys)) note(key, 'rest')
  }
  for (const { path, text } of readModules(join(root, 'server/src')))
    if (!/\.test\.ts$|harness\.ts$/.test(path)) for (const key of keysIn(text, keys)) note(key, 'server')
  return found
}

/** The keys that a module passes to `t`. */
function keysIn(text: string, keys: readonly string[]): string[] {
  return [...[...text.matchAll(keyInCode)].map(([, key = '']) => key), ...matching(text, keysInCode, keys)]
}

function matching(text: string, pattern: RegExp, keys: readonly string[]): string[] {
  const wanted = [...text.matchAll(pattern)].map(([, key = '']) => {
    const parts = key.split(/\$\{[^}]+\}/).map((part) => part.replaceAll('.', '\\.'))
    return new RegExp(`^${parts.join('[\\w-]+')}$`)
  })
  return keys.filter((key) => wanted.some((one) => one.test(key)))
}

function reachedFrom(start: readonly string[], modules: ReadonlyMap<string, string>): Set<string> {
  const reached = new Set(start)
  for (const path of reached)
    for (const [, from, bare] of (modules.get(path) ?? '').matchAll(staticImport)) {
      const target = posix.join(posix.dirname(path), from ?? bare ?? '')
      if (modules.has(target)) reached.add(target)
    }
  return reached
}
