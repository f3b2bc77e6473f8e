/** The sum of a suite. */
export interface Count {
  passed: number
  failed: number
  skipped: number
}

interface VitestReport {
  readonly testResults: readonly {
    readonly status: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

interface PlaywrightReport {
  readonly stats: {
    readonly expected: number
    readonly unexpected: number
    readonly flaky: number
    readonly skipped: number
  }
}

/**
 * Counts the JSON report of Vitest or Playwright. Tests that never ran, since their worker was lost, count as failed, and so
 * does a file that failed as a whole. `report` is `null` if the suite wrote none, and `code` its exit code: a suite that failed
 * without a failed test has one failure.
 */
export function countOf(report: unknown, code: number): Count {
  const count = report === null ? { passed: 0, failed: 0, skipped: 0 } : sum(report as VitestReport | PlaywrightReport)
  if (count.failed === 0 && (code !== 0 || report === null)) count.failed = 1
  return count
}

function sum(report: VitestReport | PlaywrightReport): Count {
  if ('stats' in report) {
    const { expected, unexpected, flaky, skipped } = report.stats
    return { passed: expected + flaky, failed: unexpected, skipped }
  }
  const count: Count = { passed: 0, failed: 0, skipped: 0 }
  for (const { status, assertionResults } of report.testResults) {
    const failedBefore = count.failed
    for (const { status: outcome } of assertionResults) {
      if (outcome === 'passed') count.passed++
      else if (outcome === 'skipped' || outcome === 'todo' || outcome === 'disabled') count.skipped++
      else count.failed++
    }
    if (status === 'failed' && count.failed === failedBefore) count.failed++
  }
  return count
}
