import { expect, it } from 'vitest'
import { mutantsOf, pickMutants } from '../../scripts/mutants/mutations.ts'
import { createRandom } from './chaos/random.ts'

const module = (text: string) => ({ path: 'a.tsx', text })

it.each([
  ['negated condition', 'if (isOpen) close()', 'if (!(isOpen)) close()'],
  ['removed statement', 'async () => { await save(row) }', 'async () => { ; }'],
  ['off by one', 'const days = 7', 'const days = 8'],
  ['other operator', 'const isNew = (mode & mask) !== none', 'const isNew = (mode & mask) === none'],
  ['other operator', 'const isLate = age < limit', 'const isLate = age <= limit'],
])('finds a %s', (kind, before, after) => {
  expect(mutantsOf(module(before)).map((mutant) => [mutant.kind, mutant.text])).toContainEqual([kind, after])
})

it('names the line', () => {
  expect(mutantsOf(module('\n\nconst days = 7')).map(({ line }) => line)).toEqual([3])
})

it('leaves alone what no test can notice: looks, directives and joined texts', () => {
  const text = `'use strict'\nconst view = <Box sx={{ p: open && 2 }} style={{ top: 3 }} />\nconst name = first + '!'`
  expect(mutantsOf(module(text))).toEqual([])
})

it('picks the same for the same seed, of each file one at most', () => {
  const files = ['a', 'b', 'c', 'd'].map((path) => ({ path, text: 'if (a < 1) b()' }))
  const pick = (seed: number) => pickMutants(files.flatMap(mutantsOf), 3, createRandom(seed))
  expect(pick(1)).toEqual(pick(1))
  expect(new Set(pick(1).map(({ path }) => path)).size).toBe(3)
  expect(pick(1)).not.toEqual(pick(2))
})
