import { expect, it } from 'vitest'
import { countOf, failuresOf } from '../../scripts/test-report.ts'

const file = (status: string, ...outcomes: string[]) => ({
  status,
  assertionResults: outcomes.map((outcome) => ({ status: outcome })),
})

it('counts tests that never ran because their worker was lost as failed, and skipped tests as skipped', () => {
  const report = { testResults: [file('passed', 'passed', 'skipped'), file('failed', 'passed', 'pending', 'pending')] }
  expect(countOf(report, 1)).toEqual({ passed: 2, failed: 2, skipped: 1 })
})

it('counts a file that failed before its first test as one failure', () => {
  expect(countOf({ testResults: [file('failed')] }, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

it('counts one failure for a suite that failed without a failed test or without a report', () => {
  expect(countOf({ testResults: [file('passed', 'passed')] }, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  expect(countOf(null, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

it('counts flaky tests of a Playwright report as passed', () => {
  const stats = { expected: 3, unexpected: 1, flaky: 1, skipped: 2 }
  expect(countOf({ stats }, 1)).toEqual({ passed: 4, failed: 1, skipped: 2 })
})

it('names each failed test with the beginning of its errors, and a file that failed before its first test', () => {
  const failed = {
    status: 'failed',
    fullName: 'pings expire',
    failureMessages: [`\u001b[31mExpected 1${'!'.repeat(9000)}`],
  }
  const testResults = [
    { name: 'a.test.ts', status: 'failed', assertionResults: [failed, { status: 'passed', fullName: 'pings begin' }] },
    { name: 'b.test.ts', status: 'failed', message: 'No such module', assertionResults: [] },
    { name: 'c.test.ts', status: 'passed', assertionResults: [] },
  ]
  expect(failuresOf({ testResults })).toEqual([
    { file: 'a.test.ts', title: 'pings expire', errors: [expect.stringMatching(/^Expected 1!{590}$/)] },
    { file: 'b.test.ts', title: 'the file as a whole', errors: ['No such module'] },
  ])
})

it('names the failed tests of a Playwright report, also those in a group', () => {
  const spec = (title: string, ok: boolean) => ({
    title,
    ok,
    file: 'home.spec.ts',
    tests: [{ results: [{ errors: ok ? [] : [{ message: 'Test timeout of 60000ms exceeded.' }, {}] }] }],
  })
  const suites = [{ specs: [spec('loads', true)], suites: [{ specs: [spec('fails', false)] }] }]
  expect(failuresOf({ suites })).toEqual([
    { file: 'home.spec.ts', title: 'fails', errors: ['Test timeout of 60000ms exceeded.', ''] },
  ])
})
