import { expect, it } from 'vitest'
import { type Area, findCircles, findEmptyEntries, findViolations } from '../../scripts/checks/import-directions.ts'

const area: Area = {
  root: 'src',
  order: ['base', 'users', 'users/photos', 'app.ts'],
  tests: /\.test\.ts$|harness\.ts$/,
  internal: /\.queries\.ts$/,
}

function violationsOf(path: string, text: string): string[] {
  return findViolations(area, [{ path, text }])
}

it('a module may import from its own folder, from folders before it and from packages', () => {
  expect(violationsOf('users/a.ts', "import { b } from './b.ts'\nimport c from '../base/c.ts'\nimport 'pino'")).toEqual(
    [],
  )
  expect(violationsOf('app.ts', "import { a } from './users/a.ts'")).toEqual([])
})

it.each([
  ['a value', "import { a } from '../users/a.ts'"],
  ['a type', "import type { A } from '../users/a.ts'"],
  ['names on several lines', "import {\n  a,\n  b,\n} from '../users/a.ts'"],
  ['a side effect', "import '../users/a.ts'"],
  ['an export', "export { a } from '../users/a.ts'"],
  ['a module that is loaded later', "const a = await import('../users/a.ts')"],
  ['a worker', "new Worker(new URL('../users/a.ts', import.meta.url))"],
])('the import of %s from a later folder is a violation', (_name, text) => {
  expect(violationsOf('base/b.ts', text)).toEqual(['base/b.ts imports users/a.ts: base comes before users'])
})

it('the longest entry of the order counts', () => {
  expect(violationsOf('users/a.ts', "import { p } from './photos/p.ts'")).toHaveLength(1)
  expect(violationsOf('users/photos/p.ts', "import { a } from '../a.ts'")).toEqual([])
})

it('a module in no folder of the order is a violation', () => {
  expect(violationsOf('other/a.ts', '')).toEqual(['other/a.ts is in no folder of the order'])
})

it('queries are imported only within their own top folder, also by tests', () => {
  expect(violationsOf('app.ts', "import { q } from './users/a.queries.ts'")).toHaveLength(1)
  expect(violationsOf('base/b.test.ts', "import { q } from '../users/a.queries.ts'")).toHaveLength(1)
  expect(violationsOf('users/photos/p.ts', "import { q } from '../a.queries.ts'")).toEqual([])
})

it('tests import from every folder, and nothing else imports what belongs to tests', () => {
  expect(violationsOf('base/b.test.ts', "import { a } from '../users/a.ts'")).toEqual([])
  expect(violationsOf('users/a.ts', "import { h } from '../base/harness.ts'")).toHaveLength(1)
})

it('an area with a list of packages imports no other package of this repository and nothing outside of its folder', () => {
  const closed: Area = { root: 'src', order: ['base'], packages: ['@hither/contract'] }
  const isAllowed = (text: string) => findViolations(closed, [{ path: 'base/a.ts', text }]).length === 0
  expect(isAllowed("import { b } from '@hither/contract/ids.ts'")).toBe(true)
  expect(isAllowed("import { b } from '@hither/server/app.ts'")).toBe(false)
  expect(isAllowed("import { b } from '../../other/b.ts'")).toBe(false)
})

it('an area with modules of types imports no value from them', () => {
  const typed: Area = {
    root: 'src',
    order: ['base'],
    packages: ['@hither/contract'],
    typesOnly: /contract\/pings\.ts$/,
  }
  const isAllowed = (text: string) => findViolations(typed, [{ path: 'base/a.ts', text }]).length === 0
  expect(isAllowed("import type { Ping } from '@hither/contract/pings.ts'")).toBe(true)
  expect(isAllowed("import { type Ping, createPing } from '@hither/contract/pings.ts'")).toBe(false)
  expect(isAllowed("const pings = await import('@hither/contract/pings.ts')")).toBe(false)
  expect(isAllowed("import { createPing } from '@hither/contract/runtime/pings.ts'")).toBe(true)
})

it('an entry of the order that no module belongs to is a violation', () => {
  const modules = ['base/a.ts', 'users/photos/p.ts', 'app.ts'].map((path) => ({ path, text: '' }))
  expect(findEmptyEntries(area, modules)).toEqual([])
  expect(findEmptyEntries(area, modules.slice(1))).toEqual(['no module belongs to base of the order'])
})

it('modules may not import each other in a circle, also for types', () => {
  const modules = [
    { path: 'base/a.ts', text: "import type { B } from './b.ts'" },
    { path: 'base/b.ts', text: "import { c } from './c.ts'" },
    { path: 'base/c.ts', text: "import './a.ts'" },
    { path: 'base/d.ts', text: "import './a.ts'" },
  ]
  expect(findCircles({ ...area, isAcyclic: true }, modules)).toEqual([
    'base/a.ts, base/b.ts, base/c.ts import each other',
  ])
  expect(findCircles(area, modules)).toEqual([])
})

it('folders of a feature may not import each other in a circle, and a test may', () => {
  const modules = [
    { path: 'users/names/a.ts', text: "import '../photos/b.ts'" },
    { path: 'users/names/c.ts', text: '' },
    { path: 'users/photos/b.ts', text: '' },
    { path: 'users/photos/b.test.ts', text: "import '../names/c.ts'" },
  ]
  const flat = { ...area, order: ['users'], isAcyclic: true }
  expect(findCircles(flat, modules)).toEqual([])
  const back = { path: 'users/photos/d.ts', text: "import '../names/c.ts'" }
  expect(findCircles(flat, [...modules, back])).toEqual(['users/names, users/photos import each other'])
})
