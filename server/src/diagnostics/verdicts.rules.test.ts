import { expect, it } from 'vitest'
import { NotInTime } from '../platform/in-time.ts'
import { ageOf, failures, judgeClock, judgeDatabase, judgeDisk, reasonOf } from './verdicts.rules.ts'

it('a disk is enough, low or full', () => {
  expect([3e9, 2e9, 2e9 - 1, 256e6, 256e6 - 1, 0].map((bytes) => judgeDisk(bytes).state)).toEqual([
    'ok',
    'ok',
    'warning',
    'warning',
    'failed',
    'failed',
  ])
  expect(judgeDisk(1.25e9).text).toMatch(/^1\.3 GB free/)
  expect(judgeDisk(12.3e6).text).toMatch(/^12 MB free/)
})

it('a database is slow from a quarter of a second on', () => {
  expect([1, 249, 250].map((ms) => judgeDatabase('PostgreSQL', ms).state)).toEqual(['ok', 'ok', 'warning'])
})

it('clocks agree that are no farther apart than the question took, and two seconds', () => {
  expect(judgeClock(0, 4000, 5000).state).toBe('ok')
  expect(judgeClock(5000, 3001, 5000).state).toBe('ok')
  expect(judgeClock(5000, 2999, 5000).text).toContain('2 seconds ahead of')
  expect(judgeClock(5000, 6999, 5000).state).toBe('ok')
  expect(judgeClock(5000, 12_000, 6000).text).toContain('6 seconds behind')
})

it('an age is told in the unit that fits', () => {
  expect([1, 89, 90, 3600, 5400, 47 * 3600, 48 * 3600].map(ageOf)).toEqual([
    '1 second',
    '89 seconds',
    '2 minutes',
    '60 minutes',
    '2 hours',
    '47 hours',
    '2 days',
  ])
})

it('a reason is the innermost that is known, and never what the error says', () => {
  const inner = Object.assign(new Error('connect postgres://hither:secret@db'), { code: 'ECONNREFUSED' })
  const outer = Object.assign(new Error('secret', { cause: inner }), { code: 'E_CANNOT_WRITE_FILE' })
  expect(reasonOf(outer)).toBe('nothing listens there, ECONNREFUSED')
  expect(reasonOf(new AggregateError([inner]))).toBe('nothing listens there, ECONNREFUSED')
  expect(reasonOf(Object.assign(new Error('secret'), { code: 'EWHATEVER' }))).toBe('EWHATEVER')
  expect(reasonOf(new Error('secret'))).toBe('for a reason that nobody knows')
  expect(reasonOf(Object.assign(new Error(''), { code: 'secret of somebody' }))).toBe('for a reason that nobody knows')
  expect(reasonOf(new NotInTime(''))).toBe('no answer within 3 seconds')
  expect(reasonOf('secret')).toBe('for a reason that nobody knows')
  const round: { cause?: unknown } = {}
  round.cause = round
  expect(reasonOf(round)).toBe('for a reason that nobody knows')
})

it('each failure is told with its reason', () => {
  for (const tell of Object.values(failures)) expect(tell('why')).toContain('(why)')
})
