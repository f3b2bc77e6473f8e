import type { ColumnType } from '@hither/contract/feeds.ts'
import { postgresChangesFilter } from '@supabase/realtime-js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileFilter, FilterError } from './filters.ts'
import { compileLike } from './like.ts'

const columns: Record<string, ColumnType> = {
  id: 'uuid',
  name: 'text',
  note: 'text',
  is_public: 'bool',
  latitude: 'float8',
  seq: 'int8',
  created_at: 'timestamptz',
}

const row = {
  id: '0190a0a0-0000-7000-8000-00000000000a',
  name: 'Oslo, Norway (north)',
  note: null,
  is_public: true,
  latitude: 9.5,
  seq: '9007199254740993',
  created_at: '2026-11-21T18:04:05.678Z',
}

const passes = (filter: string, of: Record<string, unknown> = row) => compileFilter(filter, columns).passes(of)

test.each([
  ['', true],
  ['   ', true],
  ['id=eq.0190A0A0-0000-7000-8000-00000000000A', true],
  ['id=neq.0190a0a0-0000-7000-8000-00000000000a', false],
  ['id=eq.0190a0a0-0000-7000-8000-00000000000b', false],
  ['latitude=lt.10', true],
  ['latitude=gt.10', false],
  ['latitude=lte.9.50', true],
  ['latitude=gte.95e-1', true],
  ['seq=eq.9007199254740993', true],
  ['seq=eq.9007199254740992', false],
  ['seq=gt.10', true],
  ['is_public=eq.true', true],
  ['is_public=neq.t', false],
  ['created_at=eq.2026-11-21 18:04:05.678+00', true],
  ['created_at=eq.2026-11-21T19:04:05.678+01:00', true],
  ['created_at=gt.2026-11-21', true],
  ['created_at=lt.2026-11-21T18:04:05', false],
  ['name=eq."Oslo, Norway (north)"', true],
  ['name=eq."Oslo, Norway (north)",latitude=lt.10', true],
  ['name=eq."Oslo, Norway (north)",latitude=gt.10', false],
  ['name=in.(Bergen,"Oslo, Norway (north)")', true],
  ['name=in.(Oslo,Norway)', false],
  ['name=not.in.(Oslo,Norway)', true],
  ['latitude=in.(9.50,1)', true],
  ['name=like.Oslo%', true],
  ['name=like.oslo%', false],
  ['name=ilike.oslo%', true],
  ['name=like.Osl_', false],
  ['name=not.like.%(south)', true],
  ['note=is.null', true],
  ['name=not.is.null', true],
  ['is_public=is.true', true],
  ['is_public=is.false', false],
  ['is_public=not.is.unknown', true],
  ['note=isdistinct.a', true],
  ['note=isdistinct.null', false],
  ['name=isdistinct.null', true],
  ['name=isdistinct."Oslo, Norway (north)"', false],
] as const)('%s is %s of the row', (filter, expected) => {
  expect(passes(filter)).toBe(expected)
})

test.each(['eq.a', 'neq.a', 'not.eq.a', 'in.(a)', 'not.in.(a)', 'like.%', 'not.like.a', 'gte.a'])(
  'NULL does not match %s',
  (condition) => {
    expect(passes(`note=${condition}`)).toBe(false)
    expect(passes(`note=${condition}`, {})).toBe(false)
  },
)

test('a value of the wrong type in a row matches nothing', () => {
  expect(passes('latitude=neq.1', { latitude: 'north' })).toBe(false)
  expect(passes('created_at=lt.2030-01-01', { created_at: 'yesterday' })).toBe(false)
})

test.each([
  ['latitude', 'is not of the form'],
  ['=eq.1', 'is not of the form'],
  ['latitude=eq.1,', 'is not of the form'],
  ['latitude=5', 'has no operator'],
  ['secret=eq.1', 'no column "secret"'],
  ['constructor=eq.1', 'no column "constructor"'],
  ['latitude=about.5', 'no operator "about"'],
  ['latitude=EQ.5', 'no operator "EQ"'],
  ['name=match.(a+)+$', 'is not available'],
  ['name=not.imatch.a', 'is not available'],
  ['latitude=eq.north', 'not a value of type float8'],
  ['latitude=eq.', 'not a value of type float8'],
  ['id=eq.42', 'not a value of type uuid'],
  ['seq=eq.1.5', 'not a value of type int8'],
  ['is_public=eq.perhaps', 'not a value of type bool'],
  ['created_at=gt.yesterday', 'not a value of type timestamptz'],
  ['created_at=gt.2026-13-45', 'not a value of type timestamptz'],
  ['latitude=like.9%', 'need a column of text'],
  ['name=like.a\\', 'middle of an escape'],
  ['name=is.true', 'does not fit'],
  ['is_public=is.maybe', 'does not fit'],
  ['name=in.a', 'takes a list'],
  ['latitude=in.()', 'not a value of type float8'],
  ['name=eq."open', 'not closed'],
  ['name=eq."a"b', 'not a well-formed'],
])('%s is refused: %s', (filter, reason) => {
  expect(() => compileFilter(filter, columns)).toThrow(FilterError)
  expect(() => compileFilter(filter, columns)).toThrow(reason)
})

test('a list is limited to 100 values', () => {
  const listOf = (length: number) => `latitude=in.(${Array.from({ length }, (_, i) => i - 0.5).join()})`
  expect(passes(listOf(100))).toBe(true)
  expect(() => passes(listOf(101))).toThrow('at most 100')
})

test('a filter that is too long is refused', () => {
  expect(() => passes(`name=like.${'a'.repeat(65)}`)).toThrow('too long')
  expect(() => passes(`name=eq.${'a'.repeat(8192)}`)).toThrow('too long')
})

test('a filter written by the builder of the official client matches exactly the requested value', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (value, other) => {
      // The builder quotes a value only if it contains a reserved character, and unquoted values are trimmed here.
      const filter = postgresChangesFilter().eq('name', value).in('note', [value, other]).build()
      expect(passes(filter, { name: value, note: other })).toBe(true)
      expect(passes(filter, { name: `${value}x`, note: other })).toBe(false)
      expect(passes(postgresChangesFilter().not('name', 'eq', value).build(), { name: other })).toBe(value !== other)
    }),
  )
})

test('any invalid filter fails with a FilterError', () => {
  const operator = fc.constantFrom('eq', 'in', 'like', 'is', 'isdistinct', 'lt', 'not.eq', 'not.in')
  const plausible = fc
    .tuple(fc.constantFrom(...Object.keys(columns)), operator, fc.string())
    .map(([column, operator, value]) => `${column}=${operator}.${value}`)
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.array(plausible).map(String)), (filter) => {
      try {
        expect(typeof compileFilter(filter, columns).passes(row)).toBe('boolean')
      } catch (error) {
        expect(error).toBeInstanceOf(FilterError)
      }
    }),
  )
})

test('LIKE matches the same texts as an equivalent regular expression', () => {
  const meanings = new Map([
    ['%', '.*'],
    ['_', '.'],
    ['.', '\\.'],
  ])
  const pieces = fc.array(fc.constantFrom('a', 'b', '%', '_', '\\%', '\\_', '.'), { maxLength: 8 })
  fc.assert(
    fc.property(pieces, fc.string({ unit: fc.constantFrom('a', 'b', '%', '_', '.'), maxLength: 8 }), (pieces, text) => {
      const source = pieces.map((piece) => meanings.get(piece) ?? piece)
      expect(compileLike(pieces.join(''), false)?.(text)).toBe(new RegExp(`^${source.join('')}$`, 's').test(text))
    }),
    { numRuns: 500 },
  )
})

test('a pattern made for exponential backtracking is fast', () => {
  const matches = compileLike('%a'.repeat(32), false)
  // Measures CPU time, which does not depend on other processes.
  const start = process.cpuUsage()
  expect(matches?.(`${'a'.repeat(31)}${'b'.repeat(5000)}`)).toBe(false)
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(200)
})

test('a filter is limited to ten conditions and one pattern', () => {
  const conditions = Array.from({ length: 10 }, (_, i) => `latitude=gt.${i - 10}`)
  expect(passes(conditions.join())).toBe(true)
  expect(() => passes([...conditions, 'latitude=gt.0'].join())).toThrow('at most 10 conditions')
  expect(passes(`name=like.Oslo%,latitude=gt.0`)).toBe(true)
  expect(() => passes('name=like.a%,name=not.ilike.b%')).toThrow('at most one "like" or "ilike"')
})

test('a condition is evaluated once for each row, however many filters contain it', () => {
  let reads = 0
  const counted = {
    get name() {
      reads++
      return 'Oslo'
    },
  }
  const filters = Array.from({ length: 50 }, (_, i) => compileFilter(`name=like.%o,name=neq.${i % 2}`, columns))
  expect(filters.map((filter) => filter.passes(counted))).toEqual(Array(50).fill(true))
  expect(reads).toBe(3)
  expect(filters.map((filter) => filter.passes({ name: 'Bergen' }))).toEqual(Array(50).fill(false))
})
