import { postgresChangesFilter } from '@supabase/realtime-js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FilterError, passes, readFilter } from './filters.ts'

const own = '0190a0a0-0000-7000-8000-00000000000a'
const other = '0190a0a0-0000-7000-8000-00000000000b'
const row = { id: own, ping_id: null, username: 'ann' }

test.each([
  ['', true],
  ['  \n ', true],
  [`id=eq.${own}`, true],
  [` id=eq.${own.toUpperCase()} `, true],
  [`id=eq.${other}`, false],
  [`id=in.(${own})`, true],
  [`id=in.(${other}, ${own} )`, true],
  [`id=in.(${other})`, false],
  [`ping_id=eq.${own}`, false],
  [`user_id=eq.${own}`, false],
])('%j is %s of the row', (filter, expected) => {
  expect(passes(readFilter(filter), row)).toBe(expected)
})

test.each([
  ['id', 'has the form'],
  [`=eq.${own}`, 'no filter by ""'],
  [`id=${own}`, 'has the form'],
  [`username=eq.${own}`, 'no filter by "username"'],
  ['constructor=eq.1', 'no filter by "constructor"'],
  ['content=ilike.%aaaa%', 'no filter by "content"'],
  ['latitude=gt.50', 'no filter by "latitude"'],
  [`ID=eq.${own}`, 'no filter by "ID"'],
  ...['neq', 'lt', 'lte', 'gt', 'gte', 'like', 'ilike', 'is', 'match', 'imatch', 'isdistinct', 'EQ', 'fts', ''].map(
    (operator) => [`id=${operator}.${own}`, `no operator "${operator}"`],
  ),
  [`id=not.eq.${own}`, 'no operator "not"'],
  [`id=not.in.(${own})`, 'no operator "not"'],
  [`id=eq.${own},user_id=eq.${own}`, 'is not an id'],
  [`id=in.(${own}),user_id=eq.${own}`, 'takes a list'],
  [`id=in.(${own}),user_id=in.(${own})`, 'is not an id'],
  ['id=eq.', '"" is not an id'],
  ['id=eq.42', '"42" is not an id'],
  [`id=eq."${own}"`, 'is not an id'],
  [`id=eq.${own}0`, 'is not an id'],
  ['id=in.()', '"" is not an id'],
  [`id=in.(${own},)`, '"" is not an id'],
  [`id=in.${own}`, 'takes a list'],
  [`id=in.(${own}`, 'takes a list'],
] as [string, string][])('%s is refused: %s', (filter, reason) => {
  expect(() => readFilter(filter)).toThrow(FilterError)
  expect(() => readFilter(filter)).toThrow(reason)
})

test('a list is limited to 100 values', () => {
  const listOf = (length: number) => `id=in.(${Array(length).fill(own).join()})`
  expect(passes(readFilter(listOf(100)), row)).toBe(true)
  expect(() => readFilter(listOf(101))).toThrow('at most 100 ids')
})

test('a filter written by the builder of the official client matches exactly the requested ids', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (id, another) => {
      const one = readFilter(postgresChangesFilter().eq('id', id).build())
      expect([passes(one, { id }), passes(one, { id: another })]).toEqual([true, id === another])
      const both = readFilter(postgresChangesFilter().in('id', [id, another]).build())
      expect([passes(both, { id }), passes(both, { id: another }), passes(both, {})]).toEqual([true, true, false])
    }),
  )
})

test('any other filter fails with a FilterError', () => {
  const part = fc.constantFrom('id', '=', 'eq', 'in', '.', '(', ')', ',', own, ' ', '"', '\\')
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(part).map((parts) => parts.join('')),
      ),
      (filter) => {
        try {
          expect(typeof passes(readFilter(filter), row)).toBe('boolean')
        } catch (error) {
          expect(error).toBeInstanceOf(FilterError)
        }
      },
    ),
  )
})
