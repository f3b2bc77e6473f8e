import { expect, it } from 'vitest'
import { findUnusedExports } from '../../scripts/checks/unused-exports.ts'

const users =
  'export const limit = 5\nexport type Name = string\nexport async function findUser() {}\nconst local = limit\n'

function unusedOf(text: string): string[] {
  return findUnusedExports([
    { path: 'server/src/users.ts', text: users },
    { path: 'server/src/app.ts', text },
  ])
}

it('names each export that no other module imports, types included', () => {
  expect(unusedOf("import { findUser } from './users.ts'")).toEqual([
    'server/src/users.ts exports limit, which no other module imports',
    'server/src/users.ts exports Name, which no other module imports',
  ])
})

it.each([
  ['in one list', "import {\n  findUser as find,\n  limit,\n  type Name,\n} from './users.ts'"],
  [
    'in several statements',
    "import type { Name } from './users.ts'\nexport { findUser, limit as max } from './users.ts'\nexport { max }",
  ],
  ['as a whole', "import * as users from './users.ts'\nusers.findUser(users.limit as users.Name)"],
  ['later', "const { findUser, limit } = await import('./users.ts')\ntype A = import('./users.ts').Name"],
])('counts what is imported %s', (_name, text) => {
  expect(unusedOf(text).filter((sentence) => sentence.includes('users.ts'))).toEqual([])
})

it('of a module that is imported as a whole, counts only the names that occur', () => {
  expect(unusedOf("import * as users from './users.ts'\nusers.findUser()")).toHaveLength(2)
})

it('counts imports from the contract', () => {
  const modules = [
    { path: 'contract/src/users.ts', text: 'export const userLimits = {}' },
    { path: 'web/src/a.ts', text: "import { userLimits } from '@hither/contract/users.ts'" },
  ]
  expect(findUnusedExports(modules)).toEqual([])
})
