import { expect, it } from 'vitest'
import { countOf } from '../../scripts/test-report.ts'

const file = (status: string, ...outcomes: string[]) => ({
  status,
  assertionResults: outcomes.map((outcome) => ({ status: outcome })),
})

it('tests that never ran since their worker was lost count as failed, and skipped ones as skipped', () => {
  const report = { testResults: [file('passed', 'passed', 'skipped'), file('failed', 'passed', 'pending', 'pending')] }
  expect(countOf(report, 1)).toEqual({ passed: 2, failed: 2, skipped: 1 })
})

it('a file that failed before its first test counts as one failure', () => {
  expect(countOf({ testResults: [file('failed')] }, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

it('a suite that failed without a failed test, or without a report, has one failure', () => {
  expect(countOf({ testResults: [file('passed', 'passed')] }, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  expect(countOf(null, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

it('a Playwright report counts flaky tests as passed', () => {
  const stats = { expected: 3, unexpected: 1, flaky: 1, skipped: 2 }
  expect(countOf({ stats }, 1)).toEqual({ passed: 4, failed: 1, skipped: 2 })
})
