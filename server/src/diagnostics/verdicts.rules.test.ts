import { expect, it } from 'vitest'
import { TimeoutExceeded } from '../platform/async/with-timeout.ts'
import { ageOf, failures, judgeClock, judgeDamage, judgeDatabase, judgeDisk, reasonOf } from './verdicts.rules.ts'

it('reports a disk as sufficient, low or full', () => {
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

it('reports a database as slow from 250 ms', () => {
  expect([1, 249, 250].map((ms) => judgeDatabase('PostgreSQL', ms).state)).toEqual(['ok', 'ok', 'warning'])
})

it('reports damaged data with the newest archive to restore', () => {
  expect(judgeDamage({ pages: 0, code: 'XX002' }, '/data/postgres-18', '/backups/newest.tar.gz')).toEqual({
    state: 'failed',
    text:
      'The database in /data/postgres-18 is damaged (PostgreSQL reported the error XX002). Nothing was changed. ' +
      'Move that folder away and restore a backup: npm run restore -- /backups/newest.tar.gz.',
  })
  const text = 'PostgreSQL reports damaged data (a page did not match its checksum 2 times). Restore a backup of it.'
  expect(judgeDamage({ pages: 2, code: 'XX001' }, null, null)).toEqual({ state: 'failed', text })
})

it('accepts clocks that differ by at most the query time plus two seconds', () => {
  expect(judgeClock(0, 4000, 5000).state).toBe('ok')
  expect(judgeClock(5000, 3001, 5000).state).toBe('ok')
  expect(judgeClock(5000, 2999, 5000).text).toContain('2 seconds ahead of')
  expect(judgeClock(5000, 6999, 5000).state).toBe('ok')
  expect(judgeClock(5000, 12_000, 6000).text).toContain('6 seconds behind')
})

it('formats an age in a fitting unit', () => {
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

it('reports the innermost known cause, and never the text of the error', () => {
  const inner = Object.assign(new Error('connect postgres://hither:secret@db'), { code: 'ECONNREFUSED' })
  const outer = Object.assign(new Error('secret', { cause: inner }), { code: 'E_CANNOT_WRITE_FILE' })
  expect(reasonOf(outer)).toBe('connection refused, ECONNREFUSED')
  expect(reasonOf(new AggregateError([inner]))).toBe('connection refused, ECONNREFUSED')
  expect(reasonOf(Object.assign(new Error('secret'), { code: 'EWHATEVER' }))).toBe('EWHATEVER')
  expect(reasonOf(new Error('secret'))).toBe('unknown reason')
  expect(reasonOf(Object.assign(new Error(''), { code: 'secret of somebody' }))).toBe('unknown reason')
  expect(reasonOf(new TimeoutExceeded(''))).toBe('no answer within 3 seconds')
  expect(reasonOf('secret')).toBe('unknown reason')
  const round: { cause?: unknown } = {}
  round.cause = round
  expect(reasonOf(round)).toBe('unknown reason')
})

it('reports each failure with its reason', () => {
  for (const sentenceOf of Object.values(failures)) expect(sentenceOf('why')).toContain('(why)')
})
